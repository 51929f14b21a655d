/**
 * Ranges that nobody declared, found in a noisy histogram over a public ladder: which buckets there
 * are, and which range noisy counts of them suggest. What is found clamps values and does nothing
 * else, so that it need not be true (docs/guarantee.md).
 */
package flexdp.ranges;
