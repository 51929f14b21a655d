package flexdp.sql.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Habits of many databases, and the one form in which the binder sees them. */
class TokenNormalizerTest {
  private static void reads(String sql, String expected) {
    assertEquals(expected, SqlFrontEnd.parse(sql).toString().replaceAll("\\s+", " "));
  }

  /** Compares one expression. */
  private static void expression(String sql, String expected) {
    reads("SELECT " + sql + " FROM t", "SELECT " + expected + " FROM `t`");
  }

  @Test
  void everyQuotingStyleMakesTheSameName() {
    expression("\"a b\"", "`a b`");
    expression("`a b`", "`a b`");
    expression("[a b]", "`a b`");
    expression("t.[x], t.\"y\", t.`z`", "`t`.`x`, `t`.`y`, `t`.`z`");
    expression("\"a\"\"b\"", "`a\"b`");
  }

  @Test
  void namesKeepTheirCase() {
    reads("select Fare from Trips", "SELECT `Fare` FROM `Trips`");
  }

  @Test
  void stringsOfPostgresAndSqlServer() {
    expression("E'it\\'s\\t\\\\'", "'it''s\t\\'".replaceAll("\\s+", " "));
    expression("N'x'", "'x'");
    expression("'it''s'", "'it''s'");
  }

  @Test
  void commentsOfEveryStyleAreSpace() {
    reads(
        "select 1 -- one\n# two\n/* a /* b */ c */ /*+ hint */ from t -- end", "SELECT 1 FROM `t`");
    reads("--x\nselect 1;", "SELECT 1");
  }

  @Test
  void everyRowAndTheFirstRow() {
    reads("select a from t limit all", "SELECT `a` FROM `t`");
    reads("select a from t limit null offset 3", "SELECT `a` FROM `t` OFFSET 3 ROWS");
    reads("select a from t fetch first row only", "SELECT `a` FROM `t` FETCH NEXT 1 ROWS ONLY");
  }

  @Test
  void numbersOfRowsStandInCastsAndParentheses() {
    String both = "SELECT `a` FROM `t` OFFSET 3 ROWS FETCH NEXT 5 ROWS ONLY";
    reads("select a from t limit 5::integer offset 3::int", both);
    reads("select a from t limit cast(5 as bigint) offset cast(3 as smallint)", both);
    reads("select a from t limit '5'::int4::int8 offset (3)", both);
    reads("select a from t limit (5::int) offset 3", both);
    reads("select a from t limit null::int offset null::int", "SELECT `a` FROM `t` OFFSET 0 ROWS");
    for (String wrong :
        List.of("3000000000::int", "'x'::int", "5::text", "a::int", "cast(70000 as smallint)")) {
      assertThrows(Rejection.class, () -> SqlFrontEnd.parse("select a from t limit " + wrong));
    }
    assertThrows(
        Rejection.class,
        () -> SqlFrontEnd.parse("select a from t limit " + "(".repeat(10_000) + "1"));
  }

  @Test
  void collationsThatChangeNothingGo() {
    expression("a collate \"C\" = 'x' collate pg_catalog.\"C\"", "`a` = 'x'");
    expression("a collate", "`a` AS `collate`");
    expression("collate", "`collate`");
  }

  @Test
  void distinctOnKeepsTheFirstRow() {
    reads(
        "select distinct on (a) a, -b as b, c from t order by 1, b desc limit 3",
        "SELECT `a`, - `b` AS `b`, `c` FROM `t` QUALIFY (ROW_NUMBER() OVER (PARTITION BY `a` ORDER"
            + " BY `a`, - `b` DESC)) = 1 ORDER BY 1, `b` DESC FETCH NEXT 3 ROWS ONLY");
  }

  @Test
  void castsOfPostgres() {
    expression("x::int", "CAST(`x` AS INTEGER)");
    expression("t.x::numeric(10,2)", "CAST(`t`.`x` AS DECIMAL(10, 2))");
    expression("'2020-01-01'::date", "CAST('2020-01-01' AS DATE)");
    expression("a + b::double precision", "`a` + CAST(`b` AS DOUBLE)");
    expression("a = b::int", "`a` = CAST(`b` AS INTEGER)");
    expression("-x::int", "- CAST(`x` AS INTEGER)");
    expression("(a + b)::text::int", "CAST(CAST(`a` + `b` AS VARCHAR) AS INTEGER)");
    expression("f(a, (b))::int", "CAST(`f`(`a`, `b`) AS INTEGER)");
    expression(
        "case when a then 1 end::text", "CAST(CASE WHEN `a` THEN 1 ELSE NULL END AS VARCHAR)");
    expression("date '2020-01-01'::timestamp(3)", "CAST(DATE '2020-01-01' AS TIMESTAMP(3))");
    expression("count(*) filter (where a)::int", "CAST(COUNT(*) FILTER (WHERE `a`) AS INTEGER)");
    expression("sum(x) over (order by y)::int", "CAST(SUM(`x`) OVER (ORDER BY `y`) AS INTEGER)");
    expression("extract(year from d)::int", "CAST(EXTRACT(YEAR FROM `d`) AS INTEGER)");
    expression("a::date - interval '1 day'", "CAST(`a` AS DATE) - INTERVAL '1' DAY");
  }

  @Test
  void typesGetTheirStandardNames() {
    expression("cast(x as text)", "CAST(`x` AS VARCHAR)");
    expression("cast(x as string)", "CAST(`x` AS VARCHAR)");
    expression("cast(x as int8)", "CAST(`x` AS BIGINT)");
    expression("cast(x as character varying(3))", "CAST(`x` AS VARCHAR(3))");
    expression("cast(x as timestamptz)", "CAST(`x` AS TIMESTAMP WITH TIME ZONE)");
    expression("cast(x as timestamp without time zone)", "CAST(`x` AS TIMESTAMP)");
    expression("try_cast(x as bool)", "TRY_CAST(`x` AS BOOLEAN)");
  }

  @Test
  void intervalsOfEveryDialect() {
    expression("interval '7 days'", "INTERVAL '7' DAY");
    expression("interval 7 day", "INTERVAL '7' DAY");
    expression("interval '1' month", "INTERVAL '1' MONTH");
    expression("interval '1 month'", "INTERVAL '1' MONTH");
    expression("interval '2 weeks'", "INTERVAL '14' DAY");
    expression("interval 1 quarter", "INTERVAL '3' MONTH");
    expression("interval -3 hours", "INTERVAL '-3' HOUR");
    expression("'90 days'::interval", "INTERVAL '90' DAY");
    expression("interval '90' day (3)", "INTERVAL '90' DAY");
    expression("d - interval '1 day 2 hours'", "`d` - (INTERVAL '1' DAY + INTERVAL '2' HOUR)");
    expression("interval '1-2' year to month", "INTERVAL '1-2' YEAR TO MONTH");
    expression("date_add(d, interval 1 day)", "`date_add`(`d`, INTERVAL '1' DAY)");
  }

  @Test
  void unitsOfTimeInDateFunctionsBecomeStrings() {
    expression("datediff(day, a, b)", "`datediff`('day', `a`, `b`)");
    expression("timestampdiff(hour, a, b)", "TIMESTAMPDIFF('hour', `a`, `b`)");
    expression("date_trunc(d, month)", "`date_trunc`(`d`, 'month')");
    expression("date_trunc('month', d)", "`date_trunc`('month', `d`)");
    expression("datediff(a, b)", "`datediff`(`a`, `b`)");
    expression("date_trunc('month', day)", "`date_trunc`('month', `day`)");
    expression("datediff(day, year)", "`datediff`(`day`, `year`)");
    expression("datediff(day, day, f(a, b))", "`datediff`('day', `day`, `f`(`a`, `b`))");
  }

  @Test
  void extractInItsForms() {
    expression("extract(year from d)", "EXTRACT(YEAR FROM `d`)");
    expression("extract('month' from d)", "EXTRACT(MONTH FROM `d`)");
    expression("extract(dow from d)", "EXTRACT(DOW FROM `d`)");
    expression("year(d)", "YEAR(`d`)");
  }

  @Test
  void theMomentOfTheQueryIsACallWithoutArguments() {
    expression("current_date", "CURRENT_DATE()");
    expression("current_date()", "CURRENT_DATE()");
    expression("now()", "`now`()");
    expression("t.current_date", "`t`.`current_date`");
  }

  @Test
  void textFunctionsOfTheStandard() {
    expression("substring(x from 1 for 2)", "SUBSTRING(`x`, 1, 2)");
    expression("substring(x, 1, 2)", "SUBSTRING(`x`, 1, 2)");
    expression("trim(both 'x' from y)", "TRIM(BOTH 'x' FROM `y`)");
    expression("position('a' in b)", "POSITION('a' IN `b`)");
    expression("left(x, 2)", "`left`(`x`, 2)");
    expression("right(x, 2)", "`right`(`x`, 2)");
    expression("replace(x, 'a', 'b')", "REPLACE(`x`, 'a', 'b')");
  }

  @Test
  void operators() {
    expression("a != b", "`a` <> `b`");
    expression("a == b", "`a` = `b`");
    expression("a <=> b", "`a` <=> `b`");
    expression("a % b", "`a` % `b`");
    expression("a || b", "`a` || `b`");
    expression("a is not distinct from b", "`a` IS NOT DISTINCT FROM `b`");
    expression("a ilike 'x%'", "`a` ILIKE 'x%'");
    expression("a not ilike 'x%'", "`a` NOT ILIKE 'x%'");
    expression("a isnull", "`a` IS NULL");
    expression("a notnull", "`a` IS NOT NULL");
    expression("a regexp 'x'", "`a` RLIKE 'x'");
  }

  @Test
  void limitsOfEveryDialect() {
    String limited = "SELECT `a` FROM `t` OFFSET 5 ROWS FETCH NEXT 3 ROWS ONLY";
    reads("select a from t limit 5, 3", limited);
    reads("select a from t limit 3 offset 5", limited);
    reads("select a from t offset 5 rows fetch first 3 rows only", limited);
    reads(
        "select top 3 a from t order by a",
        "SELECT `a` FROM `t` ORDER BY `a` FETCH NEXT 3 ROWS ONLY");
    reads(
        "select 1 from (select distinct top (3) a from t) q",
        "SELECT 1 FROM (SELECT DISTINCT `a` FROM `t` FETCH NEXT 3 ROWS ONLY) AS `q`");
    reads("select top from t", "SELECT `top` FROM `t`");
  }

  @Test
  void groupByAllIsTheNameAll() {
    reads("select a, count(*) from t group by all", "SELECT `a`, COUNT(*) FROM `t` GROUP BY `all`");
    reads(
        "select a, count(*) from t group by all having count(*) > 3",
        "SELECT `a`, COUNT(*) FROM `t` GROUP BY `all` HAVING COUNT(*) > 3");
  }

  @Test
  void groupingSetsAndMySqlsRollup() {
    String rollup = "SELECT `a`, COUNT(*) FROM `t` GROUP BY ROLLUP(`a`, `b`)";
    reads("select a, count(*) from t group by a, b with rollup", rollup);
    reads("select a, count(*) from t group by rollup(a, b)", rollup);
    reads(
        "select a, grouping(a) from t group by grouping sets ((a, b), (a), ())",
        "SELECT `a`, GROUPING(`a`) FROM `t` GROUP BY GROUPING SETS((`a`, `b`), `a`, ())");
  }

  @Test
  void aggregatesWithTheirClauses() {
    expression("count(*) filter (where x > 1)", "COUNT(*) FILTER (WHERE `x` > 1)");
    expression(
        "percentile_cont(0.5) within group (order by x)",
        "PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY `x`)");
    expression("quantile_cont(x, 0.5)", "`quantile_cont`(`x`, 0.5)");
    expression("count(distinct a)", "COUNT(DISTINCT `a`)");
  }

  @Test
  void windows() {
    reads(
        "select a, row_number() over (partition by b order by c desc nulls last) n from t qualify n"
            + " = 1",
        "SELECT `a`, ROW_NUMBER() OVER (PARTITION BY `b` ORDER BY `c` DESC NULLS LAST) AS `n` FROM"
            + " `t` QUALIFY `n` = 1");
    expression(
        "sum(x) over (order by d rows between unbounded preceding and current row)",
        "SUM(`x`) OVER (ORDER BY `d` ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)");
    reads(
        "select lag(x) over w from t window w as (order by b)",
        "SELECT LAG(`x`) OVER `w` FROM `t` WINDOW `w` AS (ORDER BY `b`)");
  }

  @Test
  void queriesWithNamesAndValues() {
    reads(
        "with x as materialized (select 1), y as not materialized (select 2) select * from x, y",
        "WITH `x` AS (SELECT 1), `y` AS (SELECT 2) SELECT * FROM `x`, `y`");
    reads(
        "with recursive x as (select 1) select * from x",
        "WITH RECURSIVE `x` AS (SELECT 1) SELECT * FROM `x`");
    reads(
        "select * from (values (1), (2)) v(a)",
        "SELECT * FROM (VALUES ROW(1), ROW(2)) AS `v` (`a`)");
  }

  @Test
  void joinsOfEveryKind() {
    reads("select 1 from a join b using (x)", "SELECT 1 FROM `a` INNER JOIN `b` USING (`x`)");
    reads("select 1 from a natural join b", "SELECT 1 FROM `a` NATURAL INNER JOIN `b`");
    reads(
        "select 1 from a left outer join b on a.x = b.x full join c on true",
        "SELECT 1 FROM `a` LEFT JOIN `b` ON `a`.`x` = `b`.`x` FULL JOIN `c` ON TRUE");
    reads(
        "select 1 from a left semi join b on a.x = b.x",
        "SELECT 1 FROM `a` LEFT SEMI JOIN `b` ON `a`.`x` = `b`.`x`");
    reads(
        "select 1 from a, lateral (select * from b where b.x = a.x) q",
        "SELECT 1 FROM `a`, LATERAL (SELECT * FROM `b` WHERE `b`.`x` = `a`.`x`) AS `q`");
  }

  @Test
  void intersectBindsMoreTightlyThanUnion() {
    var union =
        (org.apache.calcite.sql.SqlCall)
            SqlFrontEnd.parse("select 1 union select 2 intersect select 3");
    assertEquals(org.apache.calcite.sql.SqlKind.UNION, union.getKind());
  }
}
