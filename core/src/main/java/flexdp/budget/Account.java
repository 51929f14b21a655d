package flexdp.budget;

import flexdp.policy.PrivacyUnit;

/**
 * Whose loss is counted: the rows of a table, a kind of people, or what one analyst or one role has
 * learnt.
 */
public sealed interface Account extends Comparable<Account> {
  String name();

  /** A protected table: the account on which the guarantee rests. */
  record Table(String name) implements Account {
    @Override
    public String toString() {
      return "table:" + name;
    }
  }

  /** Everybody of one kind, each with all the rows that they own, whichever table these are in. */
  record People(String name) implements Account {
    @Override
    public String toString() {
      return "people:" + name;
    }
  }

  /** Everything one analyst was told, whichever table it came from. */
  record Analyst(String name) implements Account {
    @Override
    public String toString() {
      return "analyst:" + name;
    }
  }

  /** Everything the analysts of a role were told together. */
  record Role(String name) implements Account {
    @Override
    public String toString() {
      return "role:" + name;
    }
  }

  /** The account on which the guarantee for a unit rests. */
  static Account of(PrivacyUnit unit) {
    return switch (unit) {
      case PrivacyUnit.Row row -> new Table(row.table());
      case PrivacyUnit.Person person -> new People(person.kind());
      case PrivacyUnit.Any ignored ->
          throw new IllegalArgumentException("no account counts everything");
    };
  }

  /** Reads what {@code toString} writes. */
  static Account parse(String text) {
    int colon = text.indexOf(':');
    String name = text.substring(colon + 1);
    if (colon > 0 && !name.isBlank()) {
      switch (text.substring(0, colon)) {
        case "table":
          return new Table(name);
        case "people":
          return new People(name);
        case "analyst":
          return new Analyst(name);
        case "role":
          return new Role(name);
        default:
          break;
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is no account. Write table:NAME, people:NAME, analyst:NAME or role:NAME.");
  }

  @Override
  default int compareTo(Account other) {
    int byKind = Integer.compare(rank(this), rank(other));
    return byKind != 0 ? byKind : name().compareTo(other.name());
  }

  private static int rank(Account account) {
    return switch (account) {
      case Table ignored -> 0;
      case People ignored -> 1;
      case Role ignored -> 2;
      case Analyst ignored -> 3;
    };
  }
}
