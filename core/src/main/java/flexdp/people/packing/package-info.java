/**
 * Several owners per row: the largest weight of results such that nobody's weigh more than τ, with
 * τ chosen by an exponential mechanism that walks down lazily (guarantee §10). Exact integers;
 * randomness comes from {@code flexdp.noise}.
 */
package flexdp.people.packing;
