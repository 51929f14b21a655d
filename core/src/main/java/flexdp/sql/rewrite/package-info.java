/**
 * Questions written in another way that means the same: from tree of the grammar to tree, before
 * names are found. What stands here proves its equality by the meaning of SQL alone, and everything
 * it writes is bound and bounded as if the analyst had written it.
 */
package flexdp.sql.rewrite;
