/**
 * From characters to the tree that the grammar reads: words of many dialects brought into one, and
 * parameters put in.
 */
package flexdp.sql.parse;
