/** Strict reading of trees of maps, lists and scalars, whatever text they came from. */
package flexdp.document;
