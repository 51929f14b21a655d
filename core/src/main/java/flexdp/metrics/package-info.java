/** What was measured of the data. Private, but for the released part. */
package flexdp.metrics;
