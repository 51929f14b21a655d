package flexdp.experiments.workload;

import flexdp.sql.anatomy.QueryAnatomy.Condition;
import java.util.List;

/** The text behind ON, in the paper's four classes. */
final class JoinConditions {
  private final Draw draw;
  private final Filters filters;

  /** A condition, and whether an equality of columns is a term of it. */
  record On(String sql, boolean hasEquality) {}

  JoinConditions(Draw draw) {
    this.draw = draw;
    this.filters = new Filters(draw);
  }

  On on(Condition condition, Instance left, String leftKey, Instance right, String rightKey) {
    String equality = left.column(leftKey) + " = " + right.column(rightKey);
    return switch (condition) {
      case EQUIJOIN -> new On(equality, true);
      case COMPOUND -> compound(equality, left, leftKey, right, rightKey);
      case COLUMN_COMPARISON ->
          new On(
              left.column(leftKey)
                  + draw.of(List.of(" > ", " < ", " <> ", " >= "))
                  + right.column(rightKey),
              false);
      case LITERAL_COMPARISON -> new On(literal(right), false);
      case NONE -> throw new IllegalArgumentException("a cross join has no condition");
    };
  }

  private On compound(
      String equality, Instance left, String leftKey, Instance right, String rightKey) {
    return switch (draw.between(0, 19)) {
      case 0 ->
          new On(
              "CAST("
                  + left.column(leftKey)
                  + " AS VARCHAR) = CAST("
                  + right.column(rightKey)
                  + " AS VARCHAR)",
              false);
      case 1 ->
          new On("COALESCE(" + left.column(leftKey) + ", 0) = " + right.column(rightKey), false);
      case 2 -> new On(equality + " OR " + left.column(leftKey) + " IS NULL", false);
      default -> new On(equality + " AND " + filters.of(draw.chance(.7) ? right : left), true);
    };
  }

  private static String literal(Instance on) {
    return switch (on.table()) {
      case TRIPS -> on.column("status") + " = 'completed'";
      case DRIVERS -> on.column("vehicle") + " = 'car'";
      case USERS -> on.column("role") + " = 'rider'";
      case USER_TAGS -> on.column("tag") + " = 'vip'";
      case ANALYTICS -> on.column("completed_trips") + " > 10";
      case CITIES -> on.column("id") + " = 7";
    };
  }

  /** A table that is cut before it is joined. */
  String cut(RideTable table) {
    return "(SELECT * FROM "
        + table.sql()
        + " x WHERE "
        + filters.of(Instance.of(table, "x"))
        + ")";
  }

  /** A table that is grouped by the key before it is joined. */
  String grouped(RideTable table, String key) {
    String where = filters.of(Instance.of(table, "x"));
    return "(SELECT x."
        + key
        + ", COUNT(*) AS n FROM "
        + table.sql()
        + " x WHERE "
        + where
        + " GROUP BY x."
        + key
        + ")";
  }

  /** A subquery whose count is what is joined by: no max frequency is known of that. */
  String counted(RideTable table, String key) {
    return "(SELECT x."
        + key
        + ", COUNT(*) AS n FROM "
        + table.sql()
        + " x GROUP BY x."
        + key
        + ")";
  }
}
