/**
 * One owner per row: each person's contribution is clipped at a level that a noisy histogram of
 * people chooses (guarantee §10). Exact integers; randomness comes from {@code flexdp.noise}.
 */
package flexdp.people.clipping;
