package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileExprs.Name;
import flexdp.gateway.hostile.HostileFrom.Rows;
import java.util.ArrayList;
import java.util.List;

/**
 * Questions of rarer shapes: grouping sets, first rows, ranks, one row for each key, aggregates of
 * some rows, values looked up row by row, windows over noisy rows.
 */
final class HostileShapes {
  private final HostileExprs exprs;
  private final HostileFrom froms;

  HostileShapes(HostileExprs exprs, HostileFrom froms) {
    this.exprs = exprs;
    this.froms = froms;
  }

  /** Several sets of labels at once, some of them named twice, at the top or below. */
  String sets() {
    Rows from = exprs.chance(75) ? froms.table(exprs.one("t", "u")) : froms.joined();
    String one = label(from);
    String two = label(from);
    String shown = exprs.one("", "GROUPING(" + one + ") AS w, ", "GROUPING(" + two + ") AS w, ");
    String sets = sets(one, two);
    if (exprs.chance(65)) {
      return "SELECT "
          + one
          + " AS g, "
          + two
          + " AS h, "
          + shown
          + measured(from)
          + " AS n FROM "
          + from.sql()
          + froms.where(from)
          + " GROUP BY "
          + sets;
    }
    String key = exprs.chance(60) ? exprs.one(from.scope()).sql() : one;
    return "SELECT COUNT(*) AS n FROM (SELECT "
        + key
        + " AS g, "
        + two
        + " AS h, COUNT(*) AS c FROM "
        + from.sql()
        + froms.where(from)
        + " GROUP BY "
        + sets(key, two)
        + ") z WHERE "
        + exprs.one("z.c > 1", "z.c >= 200", "z.g IS NULL", "z.h IS NULL AND z.c < 5", "z.c = 1");
  }

  private String sets(String one, String two) {
    return switch (exprs.random.nextInt(6)) {
      case 0 -> "CUBE(" + one + ", " + two + ")";
      case 1 -> "ROLLUP(" + one + ", " + two + ")";
      case 2 -> "GROUPING SETS ((" + one + "), (" + two + "), (" + one + "), ())";
      case 3 -> "GROUPING SETS ((" + one + ", " + two + "), (" + two + ", " + one + "), ())";
      case 4 -> one + ", ROLLUP(" + two + ")";
      default -> "GROUPING SETS (ROLLUP(" + one + "), CUBE(" + two + "))";
    };
  }

  private String measured(Rows from) {
    String some =
        exprs.chance(30) ? " FILTER (WHERE " + exprs.condition(from.scope(), 1) + ")" : "";
    return switch (exprs.random.nextInt(5)) {
      case 0 -> "COUNT(" + exprs.one(from.scope()).sql() + ")" + some;
      case 1 -> "SUM(LEAST(GREATEST(" + exprs.number(from.scope(), 1) + ", -3), 5))" + some;
      case 2 -> "COUNT(DISTINCT " + exprs.one(from.scope()).sql() + ")" + some;
      default -> "COUNT(*)" + some;
    };
  }

  private String label(Rows from) {
    Family family = exprs.family();
    return switch (exprs.random.nextInt(5)) {
      case 0 -> exprs.one(from.scope()).sql();
      case 1 -> "(" + exprs.condition(from.scope(), 1) + ")";
      case 2 -> {
        Name day = exprs.column(from.scope(), exprs.one(Family.DATE, Family.STAMP));
        yield day == null
            ? "(" + exprs.condition(from.scope(), 0) + ")"
            : exprs.one("EXTRACT(MONTH FROM ", "EXTRACT(DOW FROM ", "DATE_TRUNC('month', ")
                + day.sql()
                + ")";
      }
      default ->
          "CASE WHEN "
              + exprs.condition(from.scope(), 1)
              + " THEN "
              + exprs.constant(family)
              + " ELSE "
              + exprs.constant(family)
              + " END";
    };
  }

  /** The first rows of all or of each key, counted. */
  String firsts() {
    Rows from = exprs.chance(65) ? froms.table(exprs.one("t", "u")) : froms.rows(1);
    String key = exprs.one(from.scope()).sql();
    String last = from.scope().get(0).sql();
    String order =
        exprs.leaf(from.scope(), exprs.family())
            + exprs.one("", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST")
            + ", "
            + last
            + exprs.one("", " DESC");
    String columns = last + " AS c0, " + exprs.one(from.scope()).sql() + " AS c1";
    String where = froms.where(from);
    String z =
        switch (exprs.random.nextInt(6)) {
          case 0 ->
              "SELECT "
                  + columns
                  + " FROM "
                  + from.sql()
                  + where
                  + " ORDER BY "
                  + order
                  + " LIMIT "
                  + exprs.one("1", "3", "100", "0")
                  + exprs.one("", "", " OFFSET 2");
          case 1 ->
              "SELECT DISTINCT ON ("
                  + key
                  + ") "
                  + columns
                  + " FROM "
                  + from.sql()
                  + where
                  + " ORDER BY "
                  + key
                  + ", "
                  + order;
          case 2 ->
              "SELECT "
                  + columns
                  + " FROM "
                  + from.sql()
                  + where
                  + " QUALIFY ROW_NUMBER() OVER (PARTITION BY "
                  + key
                  + " ORDER BY "
                  + order
                  + ") "
                  + exprs.one("<= 2", "= 1", "< 3", "BETWEEN 1 AND 2", "= 2", "> 1");
          case 3 ->
              "SELECT "
                  + columns
                  + " FROM "
                  + from.sql()
                  + where
                  + " QUALIFY "
                  + exprs.one("RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST")
                  + "() OVER (PARTITION BY "
                  + key
                  + " ORDER BY "
                  + exprs.one(from.scope()).sql()
                  + ") "
                  + exprs.one("<= 2", "= 1", "<= 0.5", "> 0");
          case 4 ->
              "SELECT * FROM (SELECT "
                  + columns
                  + ", ROW_NUMBER() OVER (PARTITION BY "
                  + key
                  + ", "
                  + exprs.one(from.scope()).sql()
                  + " ORDER BY "
                  + order
                  + ") AS r FROM "
                  + from.sql()
                  + where
                  + ") y WHERE y.r <= "
                  + exprs.one("1", "2", "y.c0");
          default ->
              "(SELECT "
                  + columns
                  + " FROM "
                  + from.sql()
                  + where
                  + " ORDER BY "
                  + order
                  + " FETCH FIRST 3 ROWS "
                  + exprs.one("ONLY", "WITH TIES")
                  + ") UNION ALL SELECT "
                  + columns
                  + " FROM "
                  + from.sql();
        };
    Name second = new Name("z.c1", Family.OPAQUE);
    return exprs.chance(70)
        ? "SELECT COUNT(*) AS n FROM (" + z + ") z WHERE " + exprs.condition(List.of(second), 0)
        : "SELECT " + exprs.one("COUNT(DISTINCT z.c1)", "COUNT(z.c1)") + " AS n FROM (" + z + ") z";
  }

  /** A value of another table for each row, and conditions on it. */
  String lookedUp() {
    Rows outer = exprs.chance(70) ? froms.table(exprs.one("t", "u")) : froms.joined();
    Rows inner = exprs.chance(80) ? froms.table(exprs.one("t", "u", "p")) : froms.rows(1);
    Name mine = exprs.one(outer.scope());
    Name yours = froms.partner(mine, inner);
    Name value = exprs.one(inner.scope());
    String meets = " WHERE " + yours.sql() + " = " + mine.sql();
    String more = exprs.chance(30) ? " AND " + exprs.condition(inner.scope(), 0) : "";
    String looked =
        switch (exprs.random.nextInt(5)) {
          case 0 ->
              "(SELECT "
                  + value.sql()
                  + " FROM "
                  + inner.sql()
                  + meets
                  + more
                  + " ORDER BY "
                  + exprs.one(inner.scope()).sql()
                  + ", "
                  + inner.scope().get(0).sql()
                  + " LIMIT 1)";
          case 1 ->
              "(SELECT "
                  + exprs.one("MAX(", "MIN(", "COUNT(", "ANY_VALUE(")
                  + value.sql()
                  + ") FROM "
                  + inner.sql()
                  + meets
                  + more
                  + ")";
          case 2 ->
              "COALESCE((SELECT SUM("
                  + exprs.number(inner.scope(), 1)
                  + ") FROM "
                  + inner.sql()
                  + meets
                  + "), 0)";
          case 3 ->
              "(SELECT COUNT(*) FROM "
                  + inner.sql()
                  + meets
                  + " OR "
                  + froms.partner(exprs.one(outer.scope()), inner).sql()
                  + " = "
                  + mine.sql()
                  + ")";
          default ->
              "(SELECT COUNT(DISTINCT " + value.sql() + ") FROM " + inner.sql() + meets + ")";
        };
    String shown =
        switch (exprs.random.nextInt(4)) {
          case 0 -> "SELECT SUM(LEAST(GREATEST(" + looked + ", 0), 3)) AS n FROM " + outer.sql();
          case 1 ->
              "SELECT CASE WHEN "
                  + looked
                  + exprs.one(" > 1", " IS NULL", " = 0")
                  + " THEN 'a' ELSE 'b' END AS g, COUNT(*) AS n FROM "
                  + outer.sql()
                  + " GROUP BY 1";
          case 2 -> "SELECT COUNT(DISTINCT " + looked + ") AS n FROM " + outer.sql();
          default ->
              "SELECT COUNT(*) AS n FROM "
                  + outer.sql()
                  + " WHERE "
                  + looked
                  + exprs.one(" > ", " = ", " <> ", " <= ")
                  + exprs.one("0", "1", "200", exprs.leaf(outer.scope(), Family.INT));
        };
    return exprs.chance(15) ? lateral(outer, inner, meets) : shown;
  }

  private String lateral(Rows outer, Rows inner, String meets) {
    return "SELECT COUNT(*) AS n FROM "
        + outer.sql()
        + exprs.one(" CROSS JOIN LATERAL ", " LEFT JOIN LATERAL ")
        + "(SELECT COUNT(*) AS c FROM "
        + inner.sql()
        + meets
        + ") l"
        + exprs.one(" ON TRUE", "")
        + exprs.one("", " WHERE l.c > 0");
  }

  /** Aggregates of some rows beside each other, and public tables that meet protected ones. */
  String beside() {
    Rows from = exprs.chance(60) ? froms.table(exprs.one("t", "u")) : froms.joined();
    String some = exprs.condition(from.scope(), 1);
    String with =
        exprs.one(
            "COUNT(*) FILTER (WHERE " + some + ")",
            "SUM(CASE WHEN " + some + " THEN 1 ELSE 0 END)",
            "SUM(CASE WHEN "
                + some
                + " THEN 2 WHEN "
                + exprs.condition(from.scope(), 0)
                + " THEN -1 END)",
            "COUNT(CASE WHEN " + some + " THEN 1 END)",
            "COUNT_IF(NOT " + some + ")",
            "SUM(LEAST(GREATEST("
                + exprs.number(from.scope(), 2)
                + ", 0), 2)) FILTER (WHERE "
                + some
                + ")");
    if (exprs.chance(40)) {
      // Of one table: pairs of pairs would take a database minutes.
      Rows once = froms.table(exprs.one("t", "u"));
      return "WITH c AS (SELECT "
          + String.join(", ", named(once))
          + " FROM "
          + once.sql()
          + ") SELECT COUNT(*) AS n FROM c a JOIN c b ON a.c0 = b.c0"
          + exprs.one("", " AND a.c1 = b.c1", " WHERE a.c1 <> b.c1", " OR a.c1 = b.c1");
    }
    if (exprs.chance(30)) {
      Rows p = froms.table("p");
      List<Name> both = new ArrayList<>(from.scope());
      both.addAll(p.scope());
      return "SELECT "
          + exprs.one("COUNT(*)", "COUNT(DISTINCT " + exprs.one(both).sql() + ")")
          + " AS n FROM "
          + from.sql()
          + exprs.one(" JOIN ", " LEFT JOIN ", " RIGHT JOIN ")
          + p.sql()
          + " ON "
          + exprs.condition(both, 1);
    }
    return "SELECT " + with + " AS n FROM " + from.sql() + froms.where(from);
  }

  private List<String> named(Rows from) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      all.add(exprs.one(from.scope()).sql() + " AS c" + i);
    }
    return all;
  }

  /** Windows whose frames, defaults and filters are not the usual ones, below a count. */
  String windows() {
    Rows from = exprs.chance(70) ? froms.table(exprs.one("t", "u")) : froms.rows(1);
    String key = exprs.one(from.scope()).sql();
    String value = exprs.one(from.scope()).sql();
    String call =
        exprs.one(
            "LAST_VALUE(" + value + ")",
            "NTH_VALUE(" + value + ", 2)",
            "LAG(" + value + ", 2)",
            "LEAD(" + value + ", 0)",
            "FIRST_VALUE(" + value + ")",
            "COUNT(" + value + ")",
            "COUNT(DISTINCT " + value + ")",
            "COUNT(*) FILTER (WHERE " + exprs.condition(from.scope(), 0) + ")",
            "MAX(" + value + ")",
            "PERCENT_RANK()",
            "CUME_DIST()",
            "NTILE(2)",
            "MEDIAN(" + exprs.number(from.scope(), 0) + ")",
            "SUM(" + exprs.number(from.scope(), 1) + ")",
            "STRING_AGG(" + value + ", ',')");
    String order =
        exprs.one(
            "",
            " ORDER BY " + exprs.one(from.scope()).sql(),
            " ORDER BY " + exprs.one(from.scope()).sql() + " DESC, " + from.scope().get(0).sql(),
            " ORDER BY " + from.scope().get(0).sql() + " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
            " ORDER BY "
                + from.scope().get(0).sql()
                + " RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW");
    String over = call + " OVER (" + (exprs.chance(85) ? "PARTITION BY " + key : "") + order + ")";
    String test =
        exprs.one(" IS NULL", " = " + value, " <> " + value, " > 1", " IS DISTINCT FROM " + value);
    return exprs.chance(50)
        ? "SELECT COUNT(*) AS n FROM (SELECT "
            + value
            + " AS c1 FROM "
            + from.sql()
            + " QUALIFY "
            + over
            + test
            + ") z"
        : "SELECT COUNT(*) AS n FROM (SELECT "
            + over
            + " AS c0, "
            + value
            + " AS c1 FROM "
            + from.sql()
            + froms.where(from)
            + ") z WHERE z.c0"
            + exprs.one(" IS NULL", " = z.c1", " <> z.c1", " > 1");
  }
}
