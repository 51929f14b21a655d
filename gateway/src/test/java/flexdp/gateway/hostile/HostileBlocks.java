package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileFrom.Rows;
import java.util.ArrayList;
import java.util.List;

/** Questions over blocks, and questions about the same rows that are asked together. */
final class HostileBlocks {
  private final HostileExprs exprs;
  private final HostileFrom froms;

  HostileBlocks(HostileExprs exprs, HostileFrom froms) {
    this.exprs = exprs;
    this.froms = froms;
  }

  /** A statistic of each block, by a key of any type, and what is private of them. */
  String blocks() {
    Rows from = exprs.chance(60) ? froms.table(exprs.one("t", "u")) : froms.joined();
    String key =
        exprs.chance(70)
            ? exprs.one(from.scope()).sql()
            : exprs.of(from.scope(), exprs.family(), 1);
    String inner =
        "(SELECT DP_BLOCK("
            + key
            + ", "
            + exprs.one("1", "2", "7", "400")
            + ") AS b, "
            + statistic(from)
            + " AS s FROM "
            + from.sql()
            + froms.where(from)
            + " GROUP BY "
            + exprs.one("b", "1")
            + ") z";
    String clamped = "LEAST(GREATEST(z.s, " + exprs.one("-1", "0", "-1e3") + "), 1.5)";
    return switch (exprs.random.nextInt(6)) {
      case 0 -> "SELECT MEDIAN(" + clamped + ") AS n FROM " + inner;
      case 1 -> "SELECT SUM(" + clamped + " - 0.5) / 400 + 0.5 AS n FROM " + inner;
      case 2 -> "SELECT SUM(" + clamped + ") AS n FROM " + inner;
      case 3 -> "SELECT z.b AS g, COUNT(*) AS n FROM " + inner + " GROUP BY z.b";
      case 4 -> "SELECT COUNT(z.s) AS n FROM " + inner;
      default ->
          "SELECT COUNT(*) AS n FROM "
              + inner
              + " WHERE z.s "
              + exprs.one("> 0", "= 1", "IS NULL", "<> 0", "BETWEEN -1 AND 1");
    };
  }

  private String statistic(Rows from) {
    String x = exprs.number(from.scope(), 1);
    String y = exprs.number(from.scope(), 1);
    return switch (exprs.random.nextInt(6)) {
      case 0 -> "SKEWNESS(" + x + ")";
      case 1 -> "SUM(" + x + " * " + y + ") / SUM(" + y + ")";
      case 2 -> exprs.one("MEDIAN(", "AVG(", "STDDEV_SAMP(", "VAR_POP(", "MAX(") + x + ")";
      case 3 -> "PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY " + x + ")";
      default ->
          exprs.one(
                  "CORR",
                  "COVAR_POP",
                  "COVAR_SAMP",
                  "REGR_SLOPE",
                  "REGR_INTERCEPT",
                  "REGR_R2",
                  "REGR_SXY",
                  "REGR_COUNT")
              + "("
              + x
              + ", "
              + y
              + ")";
    };
  }

  /** Histograms and numbers over the same rows. */
  List<String> together() {
    Rows from = exprs.chance(60) ? froms.table(exprs.one("t", "u")) : froms.joined();
    String where = exprs.chance(40) ? " WHERE " + exprs.condition(from.scope(), 1) : "";
    String also =
        (where.isEmpty() ? " WHERE " : where + " AND ") + exprs.condition(from.scope(), 1);
    String measured =
        exprs.one(
            "COUNT(*)",
            "COUNT(*)",
            "COUNT(" + exprs.one(from.scope()).sql() + ")",
            "SUM(LEAST(GREATEST(" + exprs.number(from.scope(), 1) + ", 0), 5))");
    String one = label(from);
    String two = label(from);
    List<String> all = new ArrayList<>();
    all.add(grouped(one, measured, from, where));
    all.add(grouped(two, measured, from, where));
    all.add(
        "SELECT "
            + one
            + " AS g, "
            + two
            + " AS h, "
            + measured
            + " AS n FROM "
            + from.sql()
            + where
            + " GROUP BY 1, 2");
    all.add("SELECT " + measured + " AS n FROM " + from.sql() + where);
    all.add("SELECT " + measured + " AS n FROM " + from.sql() + also);
    return all;
  }

  private static String grouped(String label, String measured, Rows from, String where) {
    return "SELECT "
        + label
        + " AS g, "
        + measured
        + " AS n FROM "
        + from.sql()
        + where
        + " GROUP BY 1";
  }

  private String label(Rows from) {
    Family family = exprs.family();
    return exprs.chance(30)
        ? exprs.one(from.scope()).sql()
        : "CASE WHEN "
            + exprs.condition(from.scope(), 1)
            + " THEN "
            + exprs.constant(family)
            + " ELSE "
            + exprs.constant(family)
            + " END";
  }
}
