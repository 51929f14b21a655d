package flexdp.gateway.hostile;

import static flexdp.gateway.hostile.Aimed.row;
import static flexdp.gateway.hostile.Aimed.rows;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What gave rows away on DuckDB. */
final class DuckDbAims {
  /** Where doubles are 1024 apart. */
  private static final long L = 4611686018427387904L;

  private static final String VALUES =
      IntStream.range(0, 50)
          .mapToObj(i -> "(" + (100_000_000 + i) + ")")
          .collect(
              Collectors.joining(", ", "(VALUES ", ", (0.000000000000000000000000000001)) v(a)"));

  static final List<Aimed> ALL =
      List.of(
          Aimed.named("keys read as doubles")
              .columns("x")
              .t(rows(L, 200, "1e0"))
              .changed(1, row(1, L + "e0"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT id AS k FROM t UNION ALL SELECT CAST(-1 AS"
                      + " DOUBLE)) z JOIN u ON z.k = u.x",
                  "SELECT COUNT(*) AS n FROM (SELECT id AS k FROM t EXCEPT ALL SELECT CAST(-1 AS"
                      + " DOUBLE)) z JOIN u ON z.k = u.x",
                  "SELECT COUNT(*) AS n FROM t JOIN u ON t.id = u.x",
                  "SELECT COUNT(*) AS n FROM t WHERE t.id IN (SELECT x FROM u)"),
          Aimed.named("all rows as a group, twice")
              .columns("k")
              .t(rows(0, 20, "1"))
              .changed(0, row(900, "1"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT 1 AS s FROM t a JOIN t b ON a.k = b.k GROUP BY"
                      + " GROUPING SETS ((), ())) z",
                  "SELECT COUNT(*) AS n FROM (SELECT 1 AS s FROM t a JOIN t b ON a.k = b.k GROUP BY"
                      + " GROUPING SETS ((), ()) UNION ALL SELECT 2) z"),
          Aimed.named("set operations of collated text")
              .columns("ci")
              .t(rows(0, 1, "'aa'"), rows(1, 1, "'AA'"), rows(2, 1, "'aA'"), rows(3, 1, "'Aa'"))
              .changed(1, row(9, "'aa'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT ci FROM t EXCEPT SELECT ci FROM u) z",
                  "SELECT COUNT(*) AS n FROM (SELECT ci FROM t INTERSECT SELECT ci FROM u) z"),
          Aimed.named("squares of small integers")
              .columns("s")
              .t(rows(0, 20, "NULL"))
              .changed(0, row(900, "0"))
              .asked("SELECT STDDEV_POP(s) AS n FROM t WHERE s BETWEEN 0 AND 10000"),
          Aimed.named("keys that become NULL")
              .columns("f")
              .t(rows(L, 200, "1"))
              .changed(1, row(1, "NULL"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t JOIN u ON t.id IS NOT DISTINCT FROM u.f",
                  "SELECT COUNT(*) AS n FROM (SELECT id AS k FROM t UNION ALL SELECT 0.5 FROM u) z"
                      + " JOIN u ON z.k IS NOT DISTINCT FROM u.f",
                  "SELECT COUNT(*) AS n FROM (SELECT id AS k FROM t EXCEPT ALL SELECT f FROM u"
                      + " WHERE id > 1) z JOIN u ON z.k IS NOT DISTINCT FROM u.f"),
          Aimed.named("partitions of what becomes NULL")
              .columns("f")
              .t(rows(L, 200, "1"))
              .changed(0, row(1, "NULL"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT COUNT(*) OVER (PARTITION BY z.k) AS c FROM"
                      + " (SELECT id AS k FROM t UNION ALL SELECT f FROM u) z) y WHERE y.c > 200"),
          Aimed.named("digits cut off")
              .columns("m", "h")
              .t(
                  IntStream.range(0, 200)
                      .mapToObj(i -> row(i, L + ".0000000" + (100 + i), "0"))
                      .toList())
              .changed(1, row(1, "0", Long.toString(L)))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT CAST(m AS DECIMAL(38,0)) AS k FROM t) z JOIN u"
                      + " ON z.k = u.h",
                  "SELECT COUNT(*) AS n FROM t JOIN u ON CAST(t.m AS BIGINT) = u.h"),
          Aimed.named("rows of VALUES")
              .columns("f")
              .changed(1, row(1, "NULL"))
              .asked(
                  "SELECT COUNT(*) AS n FROM "
                      + VALUES
                      + " JOIN u ON v.a IS NOT DISTINCT FROM u.f"),
          Aimed.named("zeros with a sign")
              .columns("x", "r")
              .t(rows(0, 100, "0e0", "'-0'::FLOAT"), rows(100, 100, "'-0'::DOUBLE", "0e0"))
              .changed(1, row(1, "0e0", "0e0"))
              .asked(
                  "SELECT COUNT(DISTINCT CAST(t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT t.x || '') AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(-t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(CEIL(t.x) AS VARCHAR)) AS n FROM t JOIN u ON t.x ="
                      + " u.x",
                  "SELECT COUNT(DISTINCT CAST(t.r AS VARCHAR)) AS n FROM t JOIN u ON t.r = u.x"),
          Aimed.named("labels with a sign")
              .columns("x")
              .t(rows(0, 200, "0e0"))
              .changed(0, row(300, "'-0'::DOUBLE"))
              .withThresholding()
              .asked(
                  "SELECT x AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT -x AS g, COUNT(*) AS n FROM t GROUP BY 1"),
          Aimed.named("days out of range")
              .columns("d", "tz", "name")
              .t(rows(0, 5, "'2024-02-29'::DATE", "'2024-02-29 00:00:00+00'::TIMESTAMPTZ", "'a'"))
              .changed(
                  0,
                  row(
                      9,
                      "'5881580-07-10'::DATE",
                      "'294247-01-10 04:00:54.775806+00'::TIMESTAMPTZ",
                      "'victim'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE DATE_TRUNC('month', d) = DATE '2024-02-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE LAST_DAY(d) = DATE '2024-02-29'",
                  "SELECT COUNT(*) AS n FROM t WHERE d + INTERVAL '1' MONTH > DATE '2024-01-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE tz > TIMESTAMP '2024-01-01 00:00:00'",
                  "SELECT COUNT(*) AS n FROM t WHERE DATE_TRUNC('month', tz) > d"),
          Aimed.named("labels that cannot be read")
              .columns("k", "x", "tm", "ts", "name")
              .t(rows(0, 200, "1", "1e0", "'12:00:00'::TIME", "'2024-02-29'::TIMESTAMP", "'a'"))
              .changed(
                  0,
                  row(
                      300,
                      "1",
                      "'inf'::DOUBLE",
                      "'24:00:00'::TIME",
                      "'infinity'::TIMESTAMP",
                      "'victim'"))
              .withThresholding()
              .asked(
                  "SELECT CASE WHEN k = 1 THEN INTERVAL '1' DAY ELSE INTERVAL '2' DAY END AS g,"
                      + " COUNT(*) AS n FROM t WHERE name = 'victim' GROUP BY 1",
                  "SELECT ts - TIMESTAMP '2024-01-01 00:00:00' AS g, COUNT(*) AS n FROM t GROUP BY"
                      + " 1",
                  "SELECT CAST(CASE WHEN name = 'victim' THEN 'inf' ELSE '1' END AS DOUBLE) AS g,"
                      + " COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT CAST(CASE WHEN name = 'victim' THEN 'NaN' ELSE '1' END AS DOUBLE) AS g,"
                      + " COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT x AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT x * 1e308 * 10 AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT tm AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT ts AS g, COUNT(*) AS n FROM t GROUP BY 1",
                  "SELECT CAST(CASE WHEN name = 'victim' THEN '24:00:00' ELSE '12:00:00' END AS"
                      + " TIME) AS g, COUNT(*) AS n FROM t GROUP BY 1"),
          Aimed.named("constants beyond their types")
              .columns("name")
              .t(rows(0, 5, "'a'"))
              .changed(0, row(9, "'victim'"))
              .withThresholding()
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE (TIMESTAMP '2024-02-29 00:00:00' + (TIMESTAMP"
                      + " '2024-02-29 00:00:00' - TIMESTAMP '2024-02-28 00:00:00')) = TIMESTAMP"
                      + " '2024-03-01 00:00:00'",
                  "SELECT COUNT(*) AS n FROM (SELECT EXTRACT(epoch FROM INTERVAL '12' MONTH) AS c"
                      + " FROM t) z WHERE z.c = 0e0",
                  "SELECT CAST(1.7976931348623157e308 AS SMALLINT) AS g, COUNT(*) AS n FROM t GROUP"
                      + " BY 1",
                  "SELECT COUNT(*) AS n FROM t WHERE NULL < name",
                  "SELECT name AS g, COUNT(*) AS n FROM t GROUP BY 1 HAVING TIMESTAMP '2024-02-29"
                      + " 00:00:00' - TIMESTAMP '2024-02-28 00:00:00' > INTERVAL '1' HOUR"));

  private DuckDbAims() {}
}
