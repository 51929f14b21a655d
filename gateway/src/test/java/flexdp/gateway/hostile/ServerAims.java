package flexdp.gateway.hostile;

import static flexdp.gateway.hostile.Aimed.row;
import static flexdp.gateway.hostile.Aimed.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** What gave rows away on MariaDB and SQLite. */
final class ServerAims {
  private static final String LONG = "CONCAT(REPEAT('a', 60000), ";

  static final List<Aimed> MARIADB =
      List.of(
          Aimed.named("numbers without a sign")
              .columns("s", "mi", "y", "ub", "name")
              .t(rows(0, 5, "200", "200", "2030", "100", "'a'"))
              .changed(0, row(9, "0", "0", "1901", "18446744073709551615", "'victim'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE s - 5 > 0",
                  "SELECT COUNT(*) AS n FROM t WHERE mi + (-5) > 0",
                  "SELECT COUNT(*) AS n FROM t WHERE y - 2025 > 0",
                  "SELECT COUNT(*) AS n FROM t WHERE ub + ub > 0",
                  "SELECT COUNT(*) AS n FROM t WHERE -s < 0"),
          Aimed.named("texts in a window")
              .columns("name", "tt", "lt")
              .changed(0, row(9, "'victim'", "'a'", "'a'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT ROW_NUMBER() OVER (PARTITION BY name, tt ORDER"
                      + " BY lt, id) AS r FROM t) z WHERE z.r > 1",
                  "SELECT COUNT(*) AS n FROM (SELECT name, tt, lt, COUNT(*) AS c FROM t GROUP BY 1,"
                      + " 2, 3) z WHERE z.c > 1"),
          Aimed.named("texts that begin alike")
              .columns("tt")
              .t(IntStream.range(0, 20).mapToObj(i -> row(i, LONG + i + ")")).toList())
              .changed(0, row(99, LONG + "99)"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT MAX(id) OVER (PARTITION BY tt ORDER BY id"
                      + " DESC) AS c FROM t) z WHERE z.c = 99",
                  "SELECT COUNT(*) AS n FROM (SELECT FIRST_VALUE(id) OVER (PARTITION BY tt ORDER BY"
                      + " id DESC) AS c FROM t) z WHERE z.c = 99"),
          Aimed.named("zeros with a sign")
              .columns("x")
              .t(rows(0, 100, "0e0"), rows(100, 100, "-0e0"))
              .changed(1, row(1, "0e0"))
              .asked(
                  "SELECT COUNT(DISTINCT CAST(t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(-t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(ROUND(t.x, 2) AS VARCHAR)) AS n FROM t JOIN u ON t.x"
                      + " = u.x"));

  static final List<Aimed> SQLITE =
      List.of(
          Aimed.named("texts that are none")
              .columns("ci")
              .t(rows(0, 200, "CAST(x'80' AS TEXT)"))
              .changed(0, row(900, "CAST(x'81' AS TEXT)"))
              .withThresholding()
              .asked(
                  "SELECT ci AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT ci || '' AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT UPPER(ci) AS g, COUNT(*) AS n FROM t GROUP BY 1"),
          Aimed.named("numbers that are none")
              .columns("x", "r", "name")
              .t(rows(0, 200, "1.0", "1.0", "'a'"))
              .changed(0, row(900, "9e999", "-9e999", "'victim'"))
              .withThresholding()
              .asked(
                  "SELECT x AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT x * 1e308 * 10 AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT SUM(x) AS n FROM t",
                  "SELECT COUNT(*) AS n FROM t WHERE CAST(x AS BIGINT) > r"),
          Aimed.named("keys beyond the bits of a number")
              .columns("name")
              .t(rows(0, 50, "'a'"))
              .changed(0, row(900, "'victim'"))
              .asked(setsOf(192, List.of(0, 64))));

  /** Two sets, of all keys and of all but some, whose bits fall off or add up to none. */
  static String setsOf(int count, List<Integer> some) {
    List<String> all = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean left = some.contains(i);
      String label = left ? "CAST(NULL AS INTEGER) END" : "1 ELSE 1 END";
      String key = "CASE WHEN id = " + i + " THEN " + label;
      all.add(key);
      others.addAll(left ? List.of() : List.of(key));
    }
    return "SELECT COUNT(*) AS n FROM t GROUP BY GROUPING SETS (("
        + String.join(", ", all)
        + "), ("
        + String.join(", ", others)
        + "))";
  }

  private ServerAims() {}
}
