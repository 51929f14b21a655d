package flexdp.gateway.render;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a database takes in one statement without refusing it, running out of stack or planning for
 * ever. All of it is looked at before a question is charged or explained, on the text that would be
 * run; {@code LimitsTest} asks each database for what is just allowed.
 *
 * @param depth how deep parentheses nest
 * @param selects how deep queries nest
 * @param groupings how many groupings and windows compute from each other: DuckDB's planner takes
 *     twice as long with each
 * @param subqueries how many subqueries of conditions are in each other
 * @param chain how many conditions AND and OR put side by side
 * @param tables how many are read
 * @param bytes how long the text is, in UTF-8
 */
public record StatementLimits(
    int depth, int selects, int groupings, int subqueries, int chain, int tables, int bytes) {
  /** What is longer nobody has tried. */
  public static final int MOST_BYTES = 15_000_000;

  /** Of a database that has none of its own; what is deeper nobody has tried. */
  public static final StatementLimits COMMON =
      new StatementLimits(300, 300, 60, 60, 5_000, Integer.MAX_VALUE, MOST_BYTES);

  /** One pair of parentheses while it is read: what stands in it, and below. */
  private static final class Level {
    private final boolean exists;
    private final int selects;
    private int below;
    private int existing;
    private int chained;
    private boolean groups;

    private Level(boolean exists, int selects) {
      this.exists = exists;
      this.selects = selects;
    }

    private int groupings() {
      return below + (groups ? 1 : 0);
    }

    private int subqueries() {
      return existing + (exists ? 1 : 0);
    }
  }

  /**
   * The text, if the database takes it.
   *
   * @throws Rejection if not
   */
  String checked(String sql) {
    require(
        sql.length() <= bytes && sql.getBytes(StandardCharsets.UTF_8).length <= bytes,
        "is longer than " + bytes + " bytes");
    Deque<Level> open = new ArrayDeque<>();
    open.push(new Level(false, 1));
    for (int i = 0; i < sql.length(); i++) {
      char c = sql.charAt(i);
      switch (c) {
        case '\'', '"', '`' -> i = Math.max(i, closing(sql, c, i));
        case '(' -> {
          boolean query = sql.startsWith("SELECT", i + 1) || sql.startsWith("WITH", i + 1);
          int nested = open.peek().selects + (query ? 1 : 0);
          open.push(new Level(sql.startsWith("EXISTS ", Math.max(0, i - 7)), nested));
          require(nested <= selects, "has queries of more than " + selects + " levels");
          require(open.size() - 1 <= depth, "is nested more than " + depth + " parentheses deep");
        }
        case ')' -> {
          if (open.size() > 1) {
            close(open);
          }
        }
        case 'A', 'O' -> {
          Level here = open.peek();
          here.groups |= sql.startsWith("OVER (", i);
          if (sql.startsWith("AND ", i) || sql.startsWith("OR ", i)) {
            here.chained++;
            require(here.chained < chain, "has a chain of more than " + chain + " conditions");
          }
        }
        case 'G' -> open.peek().groups |= sql.startsWith("GROUP BY ", i);
        default -> {}
      }
    }
    return sql;
  }

  private void close(Deque<Level> open) {
    Level inner = open.pop();
    Level outer = open.peek();
    outer.below = Math.max(outer.below, inner.groupings());
    outer.existing = Math.max(outer.existing, inner.subqueries());
    require(
        inner.groupings() < groupings,
        "has more than " + groupings + " groupings or windows over each other");
    require(
        inner.subqueries() <= subqueries,
        "has more than " + subqueries + " subqueries of conditions in each other");
  }

  /** Where a quoted text ends; two quotes in it are one character. */
  private static int closing(String sql, char quote, int from) {
    int end = sql.indexOf(quote, from + 1);
    while (end >= 0 && end + 1 < sql.length() && sql.charAt(end + 1) == quote) {
      end = sql.indexOf(quote, end + 2);
    }
    return end < 0 ? sql.length() : end;
  }

  private static void require(boolean taken, String what) {
    if (!taken) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "Written for the database, the question " + what + ".",
          "Compute less from each other: combine conditions, groups and queries, or ask in parts.");
    }
  }
}
