package flexdp.sensitivity;

/** Which rules an analysis follows. */
public enum RuleSet {
  /** The guarantee in full: signed, per table, distance vectors, compound and declared keys. */
  FLEXDP,
  /**
   * The paper's Figure, for reproduction: one distance for all tables, frequencies of single
   * columns, no declared keys, P1·P2 in self joins. Operators that the Figure lacks follow the
   * guarantee.
   */
  PAPER
}
