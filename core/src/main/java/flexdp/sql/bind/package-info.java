/** From the tree of the grammar to relations: every name found, every conversion written down. */
package flexdp.sql.bind;
