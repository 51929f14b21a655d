package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import flexdp.gateway.hostile.HostileFrom.Rows;
import java.util.List;

/** Questions aimed at the rules of everyday SQL: totals per group, statistics, computed labels. */
final class HostileEveryday {
  private static final List<String> LABELS =
      List.of(
          "EXTRACT(YEAR FROM %d)",
          "EXTRACT(MONTH FROM %d)",
          "TO_CHAR(%d, 'YYYY-MM')",
          "DATE_TRUNC('month', %d)",
          "DAYNAME(%d)",
          "DATEDIFF(week, %d, %d)",
          "LEFT(%t, 1)",
          "%t || '/' || %t",
          "LENGTH(%t)",
          "%t = 'victim'",
          "FLOOR(%n / 25) * 25",
          "TRUNC(%n)",
          "ROUND(%n)",
          "%n DIV 100",
          "CAST(%n AS BIGINT)",
          "WIDTH_BUCKET(%n, 0, 10, 5)",
          "MOD(%n, 3)",
          "BITAND(%n, 3)",
          "SIGN(%n)",
          "CASE WHEN %n > 1 THEN UPPER(%t) ELSE %t END");

  private final HostileExprs exprs;
  private final HostileFrom froms;

  HostileEveryday(HostileExprs exprs, HostileFrom froms) {
    this.exprs = exprs;
    this.froms = froms;
  }

  /** What is computed from a count or sum of each group: average, total, extreme, histogram. */
  String perGroup() {
    Rows from = exprs.chance(70) ? froms.table(exprs.one("t", "u")) : froms.joined();
    String key =
        exprs.chance(70)
            ? exprs.one(from.scope()).sql()
            : exprs.of(from.scope(), exprs.family(), 1);
    String label = label(from);
    String measured =
        exprs.one(
            "COUNT(*)",
            "COUNT(" + exprs.one(from.scope()).sql() + ")",
            "SUM(LEAST(GREATEST(" + exprs.number(from.scope(), 1) + ", -3), 5))",
            "SUM(" + exprs.number(from.scope(), 0) + ")");
    boolean labelled = exprs.chance(30);
    String groups =
        "(SELECT "
            + (labelled ? label + " AS g, " : "")
            + key
            + " AS k, "
            + measured
            + " AS n FROM "
            + from.sql()
            + froms.where(from)
            + " GROUP BY "
            + (labelled ? "1, 2" : "1")
            + ") z";
    if (exprs.chance(30)) {
      return "SELECT z.n AS g, COUNT(*) AS n FROM " + groups + " GROUP BY z.n";
    }
    String total = exprs.one("SUM(z.n)", "SUM(z.n)", "AVG(z.n)", "MAX(z.n)", "COUNT(*)", "AVG(n)");
    return labelled
        ? "SELECT z.g AS g, " + total + " AS n FROM " + groups + " GROUP BY z.g"
        : "SELECT " + total + " AS n FROM " + groups;
  }

  /** Statistics of two columns, and the few aggregates that are several. */
  String statistic() {
    if (exprs.chance(35)) {
      return exprs.chance(50) ? quantified() : mostFrequent();
    }
    Rows from = froms.rows(1);
    String word =
        exprs.one("CORR", "COVAR_POP", "COVAR_SAMP", "REGR_SLOPE", "REGR_INTERCEPT", "REGR_COUNT");
    String call =
        switch (exprs.random.nextInt(5)) {
          case 0 -> "COUNT_IF(" + exprs.condition(from.scope(), 1) + ")";
          case 1 -> exprs.one("BOOL_OR(", "BOOL_AND(") + exprs.condition(from.scope(), 1) + ")";
          case 2 -> "APPROX_COUNT_DISTINCT(" + exprs.of(from.scope(), exprs.family(), 1) + ")";
          case 3 -> "MODE(" + exprs.of(from.scope(), exprs.family(), 1) + ")";
          default -> word + "(" + clamped(from) + ", " + clamped(from) + ")";
        };
    return "SELECT " + call + " AS n FROM " + from.sql() + froms.where(from);
  }

  /** Beside other aggregates, of some rows only, for each label. */
  private String mostFrequent() {
    Rows from = exprs.chance(75) ? froms.table(exprs.one("t", "u")) : froms.joined();
    Name name = exprs.one(from.scope());
    String argument =
        switch (exprs.random.nextInt(3)) {
          case 0 -> label(from);
          case 1 -> name.sql();
          default ->
              "CASE WHEN "
                  + exprs.condition(from.scope(), 1)
                  + " THEN "
                  + exprs.one("NULL", "'a'", "'b'")
                  + " ELSE 'c' END";
        };
    String call =
        "MODE("
            + argument
            + ")"
            + (exprs.chance(40) ? " FILTER (WHERE " + exprs.condition(from.scope(), 1) + ")" : "");
    String beside =
        exprs.one("", "", ", COUNT(*) AS c", ", COUNT(DISTINCT " + name.sql() + ") AS c")
            + exprs.one(
                "",
                "",
                ", SUM(" + clamped(from) + ") AS s",
                ", MEDIAN(" + clamped(from) + ") AS s");
    String rest = call + " AS n" + beside + " FROM " + from.sql() + froms.where(from);
    return exprs.chance(40)
        ? "SELECT " + label(from) + " AS g, " + rest + " GROUP BY 1"
        : "SELECT " + rest;
  }

  /** Compared with all, or some, of a list or of the rows of another table. */
  private String quantified() {
    Rows from = froms.table(exprs.one("t", "u"));
    Rows other = froms.table(exprs.one("t", "u", "p"));
    Name mine = exprs.one(from.scope());
    Name yours = froms.partner(mine, other);
    String compared =
        (exprs.chance(60) ? mine.sql() : exprs.of(from.scope(), mine.family(), 1))
            + exprs.one(" > ", " >= ", " < ", " <= ", " = ", " <> ")
            + exprs.one("ALL", "ANY", "SOME");
    Name key = exprs.one(from.scope());
    String meets = " WHERE " + froms.partner(key, other).sql() + " = " + key.sql();
    String elements =
        switch (exprs.random.nextInt(5)) {
          case 0 ->
              "ARRAY["
                  + exprs.constant(mine.family())
                  + ", "
                  + exprs.one("NULL", exprs.constant(exprs.beside(mine.family())))
                  + "]";
          case 1 -> "SELECT " + yours.sql() + " FROM " + other.sql() + froms.where(other);
          case 2 ->
              "SELECT "
                  + exprs.one("MIN(", "MAX(", "COUNT(")
                  + yours.sql()
                  + ") FROM "
                  + other.sql()
                  + meets;
          default -> "SELECT " + yours.sql() + " FROM " + other.sql() + meets;
        };
    String condition = compared + " (" + elements + ")";
    return "SELECT COUNT(*) AS n FROM "
        + from.sql()
        + " WHERE "
        + (exprs.chance(30) ? "NOT (" + condition + ")" : condition);
  }

  String clamped(Rows from) {
    String value = exprs.number(from.scope(), 1);
    return exprs.chance(40) ? value : "LEAST(GREATEST(" + value + ", -2), 7.5)";
  }

  /** Keys computed from columns, whose labels follow from what the policy says of those. */
  String computedLabels() {
    Rows from = exprs.chance(80) ? froms.table(exprs.one("t", "u")) : froms.joined();
    return "SELECT "
        + label(from)
        + " AS g, COUNT(*) AS n FROM "
        + from.sql()
        + froms.where(from)
        + " GROUP BY 1";
  }

  String label(Rows from) {
    String label = exprs.one(LABELS);
    while (label.indexOf('%') >= 0) {
      int at = label.indexOf('%');
      Family family =
          switch (label.charAt(at + 1)) {
            case 'd' -> exprs.one(Family.DATE, Family.STAMP);
            case 't' -> Family.TEXT;
            default -> exprs.one(Family.INT, Family.DEC, Family.DBL);
          };
      Name name = exprs.column(from.scope(), family);
      String value = name == null ? exprs.constant(family) : name.sql();
      label = label.substring(0, at) + value.replace("%", "") + label.substring(at + 2);
    }
    return label;
  }
}
