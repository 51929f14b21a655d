/** Section 5.2 of the paper: error against population over thousands of counting queries. */
package flexdp.experiments.utility;
