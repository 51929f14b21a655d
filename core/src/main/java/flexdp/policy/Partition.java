package flexdp.policy;

import java.util.Locale;
import java.util.Optional;

/**
 * How the rows of a table fall into parts, each of which has an account of its own: by the value of
 * a column, or by the year, quarter, month, week or day that a moment lies in. NULL is a part.
 */
public record Partition(String column, Type type, Optional<Each> each) {
  /** A stretch of the calendar. Weeks begin on Mondays. */
  public enum Each {
    YEAR,
    QUARTER,
    MONTH,
    WEEK,
    DAY;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Partition {
    boolean moments = type.isDateTime();
    if (moments != each.isPresent() || !moments && !isListed(type)) {
      throw new IllegalArgumentException("no parts by " + each + " of " + type);
    }
  }

  /** Whether single values of the type can be parts: those that have one spelling each. */
  static boolean isListed(Type type) {
    return type.isInteger() || type.kind() == Type.Kind.VARCHAR || type.kind() == Type.Kind.BOOLEAN;
  }

  /**
   * What a ledger knows it by. What was spent by another one counts for every part of this one, so
   * whatever changes which rows are together belongs to it.
   */
  public String identity() {
    return column + " " + each.map(e -> e.word() + " ").orElse("") + type;
  }

  /** How people say it. */
  @Override
  public String toString() {
    return each.map(e -> e.word() + " of ").orElse("") + column;
  }
}
