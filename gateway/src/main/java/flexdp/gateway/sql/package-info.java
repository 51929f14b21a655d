/** From the analysed algebra to the text a database runs; the analyst's own text never is. */
package flexdp.gateway.sql;
