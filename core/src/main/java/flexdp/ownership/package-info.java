/**
 * Whose rows are whose: which relations are owned, so that a person who leaves takes her rows with
 * her and changes nobody else's (docs/rules.md, O-…). One class per operator; what has no rule is
 * not owned. Relations are rewritten so that the owner of each row is a column like any other.
 */
package flexdp.ownership;
