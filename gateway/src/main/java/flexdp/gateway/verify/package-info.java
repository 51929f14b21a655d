/**
 * The owner's own proof: databases of a few rows that fit a policy are made up, every neighbour of
 * them is tried, and what an answer moves by is compared with what its noise is made for. No data
 * are read, nothing is charged.
 */
package flexdp.gateway.verify;
