/**
 * How much one step between neighbours can change an answer: signed stability, touched keys and max
 * frequency, one small rule per operator (docs/rules.md), all as formulas in the distance.
 *
 * <p>More than forty files, since each rule has its own and all of them meet in one recursion.
 */
package flexdp.sensitivity;
