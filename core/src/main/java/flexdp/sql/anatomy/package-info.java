/** What a query is made of, counted without a policy: for studies of query logs. */
package flexdp.sql.anatomy;
