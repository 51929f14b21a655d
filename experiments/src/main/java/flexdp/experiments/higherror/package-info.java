/** Table 4 of the paper: why some queries have a high error, sorted automatically. */
package flexdp.experiments.higherror;
