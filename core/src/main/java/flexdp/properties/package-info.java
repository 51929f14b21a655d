/**
 * What a query and its policy make known of values, without data: ranges, lineage, which are never
 * NULL, how long texts grow, and which columns single people out.
 */
package flexdp.properties;
