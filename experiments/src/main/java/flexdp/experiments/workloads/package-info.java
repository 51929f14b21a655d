/** Many questions at one price: what cuboids and least squares are worth. */
package flexdp.experiments.workloads;
