/**
 * From the tree of the grammar to relations: every name found, every conversion written down.
 *
 * <p>More than forty files: a query binds its clauses, a clause its subqueries, and those are
 * queries again, so the classes know each other and cannot stand in rooms apart.
 */
package flexdp.sql.bind;
