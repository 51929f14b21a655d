package flexdp.algebra;

import java.util.List;

/**
 * What constants keep to so that no database fails on the rows that meet them: a failure on a row
 * says that the row is there. Each limit is below the least that a database bears; what it was
 * measured against stands in docs/limits.md, and the tests meet every limit on every database.
 */
public final class ConstantLimits {
  /**
   * SQLite refuses patterns above 50,000 bytes, where a row is compared; this is 30,000 at most.
   */
  public static final int LONGEST_PATTERN = 10_000;

  /** Databases descend once for each % that a text gets past, and fail where that is too deep. */
  public static final int MOST_WILDCARDS = 100;

  /**
   * The escape character of every pattern, one byte in every encoding: PostgreSQL fails on rows
   * where it has several, or none follows the last one.
   */
  public static final String ESCAPE = "!";

  /** Rounding to more digits changes nothing; databases fail on some numbers then. */
  public static final int MOST_DIGITS = 30;

  /** Dates computed from constants are in the calendar of every database. */
  public static final int LAST_YEAR = 9999;

  /**
   * 50,000 years: a longer interval is beyond the calendar from some dates, and not from others.
   */
  public static final long MOST_MONTHS = 600_000L;

  private ConstantLimits() {}

  /** Whether no database can fail on a row because of this pattern. */
  public static boolean holdFor(String pattern) {
    return pattern.length() <= LONGEST_PATTERN
        && pattern.chars().filter(c -> c == '%').count() <= MOST_WILDCARDS;
  }

  /** Whether these are a value, a constant pattern in its one form, and perhaps its escape. */
  static boolean holdFor(List<Expr> arguments) {
    if (!(arguments.get(1) instanceof Expr.Literal literal)
        || !(literal.value() instanceof String pattern)
        || !holdFor(pattern)) {
      return false;
    }
    return arguments.size() == 2
        || arguments.get(2) instanceof Expr.Literal escape
            && ESCAPE.equals(escape.value())
            && isEscaped(pattern);
  }

  /** Whether something follows every escape character. */
  private static boolean isEscaped(String pattern) {
    int i = 0;
    while (i < pattern.length()) {
      i += pattern.charAt(i) == ESCAPE.charAt(0) ? 2 : 1;
    }
    return i == pattern.length();
  }
}
