/** Section 5.2.1 of the paper, TPC-H, and the ungrouped joins that later papers ask of it. */
package flexdp.experiments.tpch;
