/** Exact numbers by label, as they are read and before there is noise: private, all of them. */
package flexdp.cells;
