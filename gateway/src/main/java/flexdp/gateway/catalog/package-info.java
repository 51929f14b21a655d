/** What a database says about itself: its physical tables, types and enforced constraints. */
package flexdp.gateway.catalog;
