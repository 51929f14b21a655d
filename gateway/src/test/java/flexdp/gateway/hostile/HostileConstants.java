package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileFrom.Rows;

/**
 * Questions that read rows and none of their columns: aggregates, groups, first rows and subqueries
 * of constants alone. How many rows there are is all that can move such an answer.
 */
final class HostileConstants {
  private final HostileExprs exprs;
  private final HostileFrom froms;

  HostileConstants(HostileExprs exprs, HostileFrom froms) {
    this.exprs = exprs;
    this.froms = froms;
  }

  String question() {
    Rows from = exprs.chance(70) ? froms.joined() : froms.table(exprs.one("t", "u"));
    String rows = " FROM " + from.sql() + froms.where(from);
    String test = exprs.one(" IS NULL", " IS NOT NULL", " > 0", " = 2", " < 100");
    return switch (exprs.random.nextInt(6)) {
      case 0, 1 ->
          "SELECT COUNT(*) AS n FROM (SELECT "
              + aggregate()
              + " AS s"
              + rows
              + groups()
              + ") z WHERE z.s"
              + test;
      case 2 ->
          "SELECT COUNT(*) AS n FROM (SELECT "
              + exprs.one("1", "'a'", "NULL", "CAST('2' AS DOUBLE)")
              + " AS s"
              + rows
              + exprs.one(
                  " GROUP BY ()",
                  " GROUP BY GROUPING SETS ((), ())",
                  " GROUP BY 1",
                  " HAVING COUNT(*) > 1",
                  " HAVING 1 = 1",
                  " GROUP BY GROUPING SETS ((" + exprs.one(from.scope()).sql() + "), ())")
              + exprs.one("", " UNION ALL SELECT id FROM t")
              + ") z";
      case 3 ->
          "SELECT COUNT(*) AS n FROM (SELECT DISTINCT "
              + constant()
              + " AS s"
              + rows
              + ") z JOIN t y ON y.id = "
              + exprs.one("z.s", "1");
      case 4 ->
          "SELECT " + exprs.one("COUNT(DISTINCT 1)", "SUM(2)", "COUNT(NULL)") + " AS n" + rows;
      default -> {
        Rows inner = froms.table(exprs.one("t", "u", "p"));
        String mine = exprs.one(from.scope()).sql();
        yield "SELECT COUNT(*) AS n"
            + " FROM "
            + from.sql()
            + " WHERE (SELECT "
            + aggregate()
            + " FROM "
            + inner.sql()
            + " WHERE "
            + exprs.one(inner.scope()).sql()
            + " = "
            + mine
            + ")"
            + test;
      }
    };
  }

  private String constant() {
    return exprs.one("1", "2.5", "3e0", "CAST('2' AS DOUBLE)", "CAST('7' AS INTEGER)", "2 + 2");
  }

  private String aggregate() {
    String some = exprs.chance(20) ? " FILTER (WHERE 1 < 2)" : "";
    String distinct = exprs.chance(15) ? "DISTINCT " : "";
    return exprs.one("SUM(", "AVG(", "COUNT(", "SUM(", "AVG(")
        + distinct
        + constant()
        + ")"
        + (exprs.chance(15) ? exprs.one(" + COUNT(*)", " + MAX(4)", " + VARIANCE(2e0)") : some);
  }

  private String groups() {
    return exprs.chance(70) ? "" : exprs.one(" GROUP BY ()", " GROUP BY GROUPING SETS ((), ())");
  }
}
