package flexdp.gateway.hostile;

import static flexdp.gateway.hostile.Aimed.row;
import static flexdp.gateway.hostile.Aimed.rows;

import java.util.List;

/** What gave rows away on PostgreSQL, beside what did on every database. */
final class PostgresAims {
  static final List<Aimed> ALL =
      List.of(
          Aimed.named("two collations")
              .columns("name", "ci", "cs")
              .t(rows(0, 5, "'a'", "'a'", "'b'"))
              .changed(0, row(9, "'victim'", "'a'", "'a'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE name = 'victim' AND ci = cs",
                  "SELECT COUNT(*) AS n FROM t JOIN u ON t.ci = u.cs",
                  "SELECT COUNT(*) AS n FROM t WHERE ci < cs",
                  "SELECT COUNT(*) AS n FROM t WHERE GREATEST(ci, cs) > name"),
          Aimed.named("numbers that are none")
              .columns("m", "h", "name")
              .t(rows(0, 5, "1", "1", "'a'"))
              .changed(0, row(9, "'NaN'::numeric", "'NaN'::numeric", "'victim'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE m > 1",
                  "SELECT SUM(LEAST(GREATEST(m, 0), 5)) AS n FROM t",
                  "SELECT COUNT(*) AS n FROM t WHERE CAST(m AS BIGINT) > 1",
                  "SELECT COUNT(*) AS n FROM t WHERE m * m > h"),
          Aimed.named("zeros with a sign")
              .columns("x")
              .t(rows(0, 100, "0e0"), rows(100, 100, "'-0'::float8"))
              .changed(1, row(1, "0e0"))
              .asked(
                  "SELECT COUNT(DISTINCT CAST(t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(-t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x",
                  "SELECT COUNT(DISTINCT CAST(CEIL(t.x) AS VARCHAR)) AS n FROM t JOIN u ON t.x ="
                      + " u.x"),
          Aimed.named("days out of range")
              .columns("d", "tz", "ts", "name")
              .t(
                  rows(
                      0,
                      5,
                      "'2024-02-29'::date",
                      "'2024-02-29 00:00:00+00'::timestamptz",
                      "'2024-02-29'::timestamp",
                      "'a'"))
              .changed(
                  0,
                  row(
                      9,
                      "'5874897-12-31'::date",
                      "'294276-12-31 23:59:59.999999+00'::timestamptz",
                      "'294276-12-31 23:59:59.999999'::timestamp",
                      "'victim'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE DATE_TRUNC('month', d) = DATE '2024-02-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE LAST_DAY(d) = DATE '2024-02-29'",
                  "SELECT COUNT(*) AS n FROM t WHERE d + INTERVAL '1' MONTH > DATE '2024-01-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE tz > d"),
          Aimed.named("a full join where NULL meets NULL")
              .columns("name")
              .t(rows(0, 5, "NULL"))
              .changed(1, row(9, "NULL"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t FULL JOIN u ON t.name IS NOT DISTINCT FROM u.name",
                  "SELECT COUNT(*) AS n FROM t FULL JOIN u ON t.name = u.name OR t.id = u.id",
                  "SELECT COUNT(*) AS n FROM t FULL JOIN u ON t.name = u.name AND NULL < t.name"),
          Aimed.named("sums of constants")
              .columns("k")
              .t(rows(0, 20, "1"))
              .changed(0, row(900, "1"))
              .asked(
                  "SELECT COUNT(*) AS n FROM (SELECT SUM(1) AS s FROM t a JOIN t b ON a.k = b.k) z"
                      + " WHERE s > 0",
                  "SELECT COUNT(*) AS n FROM (SELECT AVG(2.5) AS s FROM t a JOIN t b ON a.k = b.k)"
                      + " z WHERE s > 0",
                  "SELECT COUNT(*) AS n FROM (SELECT VARIANCE(CAST('2' AS DOUBLE)) AS s FROM t a"
                      + " JOIN t b ON a.k = b.k) z WHERE s IS NULL",
                  "SELECT COUNT(*) AS n FROM t WHERE k < (SELECT SUM(CAST('2' AS DOUBLE)) FROM t b"
                      + " WHERE b.k = t.k)"),
          Aimed.named("a day less 24 hours")
              .columns("ts")
              .t(rows(0, 5, "'2024-02-29'::timestamp"))
              .changed(0, row(9, "'1970-01-02'::timestamp"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE (ts - TIMESTAMP '1970-01-01 00:00:00' -"
                      + " INTERVAL '1' DAY) * 1000000000000 > INTERVAL '1' DAY"));

  private PostgresAims() {}
}
