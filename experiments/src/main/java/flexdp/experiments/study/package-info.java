/** The paper's study of query logs (its section 2), over any log. */
package flexdp.experiments.study;
