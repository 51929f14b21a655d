/** Expressions computed in memory: the meaning of every function, total and three-valued. */
package flexdp.compute;
