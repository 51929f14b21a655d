/** A question: its release points, measurements and labels, and what is computed from them. */
package flexdp.query;
