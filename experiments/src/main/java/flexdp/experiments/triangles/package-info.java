/** Section 3.3 of the paper: counting triangles in ca-HepTh. */
package flexdp.experiments.triangles;
