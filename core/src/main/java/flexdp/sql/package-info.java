/** From SQL text to relations. Only this package knows the parser. */
package flexdp.sql;
