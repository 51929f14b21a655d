/** A query cut at its release points into measurements, labels and what is computed from them. */
package flexdp.question;
