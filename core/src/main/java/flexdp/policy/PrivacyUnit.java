package flexdp.policy;

/**
 * What one step between neighbouring databases adds or removes. Distances count such steps, bounds
 * are found for one unit at a time, and what answers cost is charged to every unit whose rows they
 * read.
 */
public sealed interface PrivacyUnit extends Comparable<PrivacyUnit> {
  /** Whichever it is: where one distance stands for all, as in the paper. */
  PrivacyUnit ANY = new Any();

  /** The word by which formulas tell its distance from others. */
  String name();

  /** One row of one protected table. */
  record Row(String table) implements PrivacyUnit {
    @Override
    public String name() {
      return table;
    }
  }

  /** One person of a kind, with every row that she owns over all tables. */
  record Person(String kind) implements PrivacyUnit {
    @Override
    public String name() {
      return kind;
    }
  }

  /** One step of any unit. No table has it for its own, and it has no account. */
  record Any() implements PrivacyUnit {
    @Override
    public String name() {
      return "*";
    }
  }

  @Override
  default int compareTo(PrivacyUnit other) {
    int byKind = Integer.compare(rank(this), rank(other));
    return byKind != 0 ? byKind : name().compareTo(other.name());
  }

  private static int rank(PrivacyUnit unit) {
    return switch (unit) {
      case Any ignored -> 0;
      case Person ignored -> 1;
      case Row ignored -> 2;
    };
  }
}
