/** The paper's experiments, one after the other, and the folder they report to. */
package flexdp.experiments;
