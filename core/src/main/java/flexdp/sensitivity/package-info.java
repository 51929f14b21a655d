/**
 * How much one step between neighbours can change an answer: signed stability, touched keys and max
 * frequency, one small rule per operator (docs/rules.md), all as formulas in the distance.
 */
package flexdp.sensitivity;
