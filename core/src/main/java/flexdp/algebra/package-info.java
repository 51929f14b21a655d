/** The language of questions: relations and expressions, sealed. */
package flexdp.algebra;
