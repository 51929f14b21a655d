package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;
import static flexdp.sql.bind.BindingFixture.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import flexdp.sql.function.FunctionCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Expressions: operators, functions in their spellings, types and literals. */
class BoundExpressionsTest {
  private static void becomes(String expected, String... spellings) {
    for (String spelling : spellings) {
      assertEquals(expected, value(spelling), spelling);
    }
  }

  private static Type type(String expression) {
    return ((Relation.Project) BindingFixture.bind("SELECT " + expression + " FROM trips"))
        .outputs()
        .get(0)
        .expr()
        .type();
  }

  @Test
  void comparisonsKeepThreeValues() {
    becomes("is_not_distinct(#4, 'c')", "status IS NOT DISTINCT FROM 'c'");
    becomes("not(like(#4, 'a%'))", "status NOT LIKE 'a%'");
    becomes("ilike(#4, 'a!%', '!')", "status ILIKE 'a!%' ESCAPE '!'");
    becomes("is_not_true(#7)", "paid IS NOT TRUE");
    becomes("is_null(#0)", "id IS NULL");
    becomes("and(ge(#3, 1.00), le(#3, 2.00))", "fare BETWEEN 1 AND 2");
    becomes(
        "or(lt(#3, 1.00), gt(#3, 2.00))", "fare NOT BETWEEN 1 AND 2", "NOT fare BETWEEN 1 AND 2");
    becomes(
        "or(and(ge(#3, 5.00), le(#3, 1.00)), and(ge(#3, 1.00), le(#3, 5.00)))",
        "fare BETWEEN SYMMETRIC 5 AND 1");
    becomes("in_list(#2, 1, 2)", "city_id IN (1, 2)");
    becomes("not(in_list(#2, 1, 2, null))", "city_id NOT IN (1, 2, NULL)");
    becomes("or(in_list(#2, 1, 2), eq(#2::bigint, #0))", "city_id IN (1, id, 2)");
    becomes("case(eq(#4, 'a') -> 1 else 0)", "CASE status WHEN 'a' THEN 1 ELSE 0 END");
  }

  /** SQLite computes with the text of a part; other conversions of it stay. */
  @Test
  void partsOfMomentsAreConvertedAsIsWritten() {
    assertEquals(Type.DOUBLE, type("CAST(EXTRACT(MINUTE FROM at) AS double) + 1"));
    assertEquals(Type.DOUBLE, type("DIV0(EXTRACT(MINUTE FROM at), city_id)"));
    assertEquals(Type.BIGINT, type("CAST(EXTRACT(MINUTE FROM at) AS varchar) + 1"));
  }

  @Test
  void textsBecomeDatesNumbersAndBooleansWhereTheyAreCompared() {
    becomes("eq(#6, 2020-01-31)", "day = '2020-01-31'", "day = '20200131'");
    becomes("ge(#5, 2020-01-31T10:00)", "at >= '2020-01-31 10:00'", "at >= '2020-01-31T10:00:00Z'");
    becomes("eq(#3, 1.50)", "fare = '1.5'");
    becomes("eq(#7, true)", "paid = 'yes'", "paid = 1");
    for (String wrong :
        new String[] {
          "day = 'hello'",
          "day = '2020-02-30'",
          "day > DATE '0000-12-31'",
          "fare = 'abc'",
          "status = 3",
          "day = 3",
          "at > '2020-01-01 25:00'",
          "id IN (1, 'x')",
          "status + 1",
          "upper(fare)",
          "fare AND paid",
          "coalesce(fare, 'x')",
          "CASE WHEN paid THEN 1 ELSE status END",
          "day + fare",
          "length(status, 3)",
          "CAST(fare AS foo)",
          "fare LIKE 'a'",
          "status LIKE status",
          "fare > 1e400",
          "date_trunc('era', at)",
          "extract(dow FROM status)",
          "(id, fare) = 3"
        }) {
      assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT " + wrong + " FROM trips");
    }
  }

  @Test
  void theClockIsReadOnce() {
    becomes("2020-06-15", "CURRENT_DATE", "today()", "curdate()");
    becomes("2020-06-15T12:30", "now()", "CURRENT_TIMESTAMP", "getdate()", "localtimestamp");
    becomes("2020-06-08", "CURRENT_DATE - 7", "current_date - interval '7 days'");
    becomes("2020-05-15T12:30", "now() - interval '1 month'");
  }

  @Test
  void datesMoveByIntervals() {
    becomes(
        "date_add(#6, 86400000000)",
        "day + 1",
        "day + interval '1 day'",
        "date_add(day, 1)",
        "date_add(day, interval 1 day)",
        "dateadd(day, 1, day)",
        "date_add('day', 1, day)",
        "timestampadd(day, 1, day)");
    becomes(
        "date_add(#6, -1)",
        "day - interval '1' month",
        "date_sub(day, interval '1 month')",
        "add_months(day, -1)");
    becomes("date_add(date_add(#6, 1), 172800000000)", "day + interval '1 month 2 days'");
    becomes("date_add(#6, times(86400000000, #2))", "day + city_id * interval '1 day'");
    becomes(
        "date_diff('DAY', 2020-01-01, #6)",
        "day - date '2020-01-01'",
        "datediff(day, '2020-01-01')",
        "datediff('day', '2020-01-01', day)",
        "date_diff('day', date '2020-01-01', day)");
    becomes("2020-02-29", "date '2020-01-31' + interval '1 month'");
    assertEquals(Type.DATE, type("day + interval '1 day'"));
    assertEquals(Type.TIMESTAMP, type("day + interval '1 hour'"));
  }

  @Test
  void partsOfDates() {
    becomes(
        "extract('YEAR', #5)",
        "extract(year FROM at)",
        "date_part('year', at)",
        "year(at)",
        "datepart(year, at)");
    becomes("extract('DOW', #5)", "extract(dow FROM at)", "dayofweek(at)");
    becomes("plus(mod(plus(extract('DOW', #5), 6), 7), 1)", "extract(isodow FROM at)");
    becomes(
        "date_trunc('MONTH', #5)",
        "date_trunc('month', at)",
        "date_trunc(month, at)",
        "trunc(at, 'month')",
        "timestamp_trunc(at, month)");
    becomes("#5::date", "date(at)", "at::date", "CAST(at AS date)", "to_date(at)");
    assertEquals(Type.DATE, type("date_trunc('month', day)"));
  }

  /** Text and format are constants, and mean what PostgreSQL's to_timestamp makes of them. */
  @Test
  void momentsByAFormat() {
    becomes(
        value("timestamp '2024-01-01 00:00:00'"),
        "TO_TIMESTAMP('2024-01-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')",
        "TO_TIMESTAMP('2024-01-01T00:00:00', 'YYYY-MM-DD\"T\"HH24:MI:SS')");
    becomes(
        value("timestamp '2024-01-02 03:04:05.12'"),
        "TO_TIMESTAMP('2024-01-02 03:04:05.120000', 'YYYY-MM-DD HH24:MI:SS.US')",
        "TO_TIMESTAMP('2024-01-02 03:04:05.12', 'YYYY-MM-DD HH24:MI:SS.US')",
        "TO_TIMESTAMP('2024-01-02 03:04:05.12', 'YYYY-MM-DD HH24:MI:SS.MS')");
    for (String unclear :
        new String[] {
          "TO_TIMESTAMP('2024-01-02 x', 'YYYY-MM-DD x')",
          "TO_TIMESTAMP('01-02', 'MM-DD')",
          "TO_TIMESTAMP('2024 2024', 'YYYY YYYY')",
          "TO_TIMESTAMP('2024-01-02 03:04:05.', 'YYYY-MM-DD HH24:MI:SS.US')",
          "TO_TIMESTAMP(status, 'YYYY-MM-DD')"
        }) {
      BindingFixture.assertRejects(
          flexdp.failure.RejectionCode.TYPE_MISMATCH, "SELECT " + unclear + " FROM trips");
    }
  }

  @Test
  void choices() {
    becomes(
        "coalesce(#3::decimal(12,2), 0.00)",
        "coalesce(fare, 0)",
        "ifnull(fare, 0)",
        "nvl(fare, 0)",
        "isnull(fare, 0)",
        "zeroifnull(fare)");
    becomes(
        "case(#7 -> #3::decimal(12,2) else 0.00)",
        "if(paid, fare, 0)",
        "iif(paid, fare, 0)",
        "CASE WHEN paid THEN fare ELSE 0 END");
    becomes("nullif(#3, 0.00)", "nullif(fare, 0)", "nullifzero(fare)");
    becomes("case(is_not_distinct(#4, 'a') -> 1 else 2)", "decode(status, 'a', 1, 2)");
    becomes("case(#7 -> #6::timestamp else #5)", "CASE WHEN paid THEN day ELSE at END");
  }

  @Test
  void textsAndNumbers() {
    becomes("substring(#4, 1, 2)", "substring(status FROM 1 FOR 2)", "substr(status, 1, 2)");
    becomes("char_length(#4)", "length(status)", "char_length(status)", "len(status)");
    becomes(
        "position('a', #4)",
        "position('a' IN status)",
        "strpos(status, 'a')",
        "instr(status, 'a')",
        "locate('a', status)");
    becomes("trim(#4)", "trim(status)", "trim(both ' ' from status)", "btrim(status)");
    becomes("concat(lower(#4), 'x', #0::varchar)", "lower(status) || 'x' || id");
    becomes("concat(coalesce(#4, ''), 'x')", "concat(status, 'x')");
    becomes("mod(#2, 3)", "city_id % 3", "mod(city_id, 3)");
    becomes("power(#3, 2)", "power(fare, 2)", "pow(fare, 2)", "square(fare)");
    becomes("-5", "-5", "-(5)");
    assertEquals(Type.INTEGER, type("city_id / 2"));
    assertEquals(Type.DOUBLE, type("fare / 2"));
    assertEquals(Type.decimal(18, 4), type("fare * fare"));
    assertEquals(Type.BIGINT, type("3000000000"));
  }

  @Test
  void listsAreComparedWithAnywhere() {
    becomes(
        "case(in_list(#2, 1, 2) -> 1 else 0)",
        "CASE WHEN city_id = ANY (ARRAY[1, 2]) THEN 1 ELSE 0 END",
        "CASE WHEN city_id = SOME (1, 2) THEN 1 ELSE 0 END");
    becomes("not(in_list(#2, 1, 2))", "city_id <> ALL (ARRAY[1, 2])");
    becomes("or(gt(#3, 1.00), gt(#3, 2.00))", "fare > ANY (ARRAY[1, 2])");
    assertRejects(
        RejectionCode.SUBQUERY_POSITION,
        "SELECT SUM(CASE WHEN driver_id = ANY (SELECT id FROM drivers) THEN 1 ELSE 0 END) FROM"
            + " trips");
  }

  @Test
  void otherFunctionsAreRefused() {
    for (String call :
        new String[] {"random()", "rand()", "uuid()", "nextval('s')", "pg_sleep(10)"}) {
      assertRejects(RejectionCode.VOLATILE_FUNCTION, "SELECT " + call + " FROM trips");
    }
    assertEquals(
        "Did you mean 'lower'?",
        assertRejects(RejectionCode.UNKNOWN_FUNCTION, "SELECT loer(status) FROM trips").hint());
    for (String call : new String[] {"cout(*)", "cuont(*)", "conut(fare)", "counts(*)"}) {
      assertEquals(
          "Did you mean 'count'?",
          assertRejects(RejectionCode.UNKNOWN_FUNCTION, "SELECT " + call + " FROM trips").hint());
    }
    assertEquals(
        "Did you mean 'sum'?",
        assertRejects(RejectionCode.UNKNOWN_FUNCTION, "SELECT smu(fare) FROM trips").hint());
    assertRejects(RejectionCode.UNKNOWN_FUNCTION, "SELECT pg_read_file('/etc/passwd') FROM trips");
    assertRejects(RejectionCode.UNSUPPORTED, "SELECT array_agg(status) FROM trips");
  }

  @Test
  void conditionsThatAreAlwaysTrueGo() {
    assertBinds(
        "project(aggregate(filter(trips, #7), [], [count#8=count(*)]), count#8)",
        "SELECT count(*) FROM trips WHERE 1 = 1 AND true AND paid");
  }

  @Test
  void everyFunctionOfTheCatalogueIsDocumented() throws Exception {
    String page = Files.readString(Path.of("../docs/functions.md"));
    for (String name : FunctionCatalog.names()) {
      assertTrue(page.contains("`" + name + "`"), name + " is missing in docs/functions.md");
    }
  }
}
