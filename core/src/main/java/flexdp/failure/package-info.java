/**
 * What can go wrong, as one sealed family that every door shows alike. Below everything else: each
 * stage may fail.
 */
package flexdp.failure;
