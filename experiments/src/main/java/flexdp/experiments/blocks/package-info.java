/** Sample and aggregate: a slope from medians of blocks against noisy sums. */
package flexdp.experiments.blocks;
