/** What was made or read lately, kept in memory. */
package flexdp.cache;
