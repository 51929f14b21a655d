/**
 * From relations to questions: the query is cut where noise enters. Below each cut stand its labels
 * and measurements, above it what is computed from noisy values.
 */
package flexdp.decompose;
