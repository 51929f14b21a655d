package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertBinds;
import static flexdp.sql.bind.BindingFixture.assertRejects;
import static flexdp.sql.bind.BindingFixture.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;

/** Every conversion that SQL leaves unsaid is written down, place by place. */
class ImplicitConversionsTest {
  private static void becomes(String expected, String... texts) {
    for (String text : texts) {
      assertEquals(expected, value(text), text);
    }
  }

  @Test
  void columnsMeetInTheTypeThatHoldsBoth() {
    becomes("eq(#2::bigint, #0)", "city_id = id");
    becomes("ne(#0, #2::bigint)", "id <> city_id");
    becomes("lt(#3::decimal(21,2), #0::decimal(21,2))", "fare < id");
    becomes("is_not_distinct(#2::bigint, #0)", "city_id IS NOT DISTINCT FROM id");
    becomes("is_distinct(#6::timestamp, #5)", "day IS DISTINCT FROM at");
    becomes("ge(#3::double, sqrt(#3))", "fare >= sqrt(fare)");
    becomes("and(ge(#5, #6::timestamp), le(#5, #6::timestamp))", "at BETWEEN day AND day");
  }

  @Test
  void textThatIsComparedIsToBeReadAsTheOther() {
    for (String sql : new String[] {"status > 100", "100 < status", "status IN (1, 2)"}) {
      String hint =
          assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT COUNT(*) FROM trips WHERE " + sql)
              .hint();
      assertTrue(hint.contains("CAST(x AS decimal(18, 2))"), sql + ": " + hint);
    }
    String hint =
        assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT COUNT(*) FROM trips WHERE status > day")
            .hint();
    assertTrue(hint.contains("CAST(x AS date)"), hint);
    becomes("gt(#4::decimal(18,2), 100.00)", "CAST(status AS decimal(18, 2)) > 100");
  }

  @Test
  void aConstantTakesTheTypeOfTheColumnWhereThatHoldsIt() {
    becomes("eq(#2, 5)", "city_id = 5", "city_id = 5.00", "city_id = 5e0", "city_id = '5'");
    becomes("eq(#3, 5.00)", "fare = 5", "fare = 5.0", "fare = 5e0");
    becomes("eq(sqrt(#3), 0.1)", "sqrt(fare) = 0.1");
    becomes("eq(#5, 2020-01-01T00:00)", "at = DATE '2020-01-01'", "at = '2020-01-01'");
    becomes("eq(#6, 2020-01-01)", "day = TIMESTAMP '2020-01-01 00:00:00'");
    becomes("in_list(#3, 1.00, 2.50)", "fare IN (1, 2.5)");
  }

  @Test
  void aColumnIsConvertedForAConstantThatItsTypeLacks() {
    becomes("lt(#2::decimal(11,1), 2.5)", "city_id < 2.5", "city_id < 2.500");
    becomes("eq(#2::bigint, 3000000000)", "city_id = 3000000000");
    becomes("lt(#6::timestamp, 2020-01-01T12:00)", "day < TIMESTAMP '2020-01-01 12:00:00'");
    becomes("or(eq(#2, 1), eq(#2::decimal(11,1), 2.5))", "city_id IN (1, 2.5)");
  }

  @Test
  void choicesHaveOneType() {
    becomes("coalesce(#2::bigint, #0)", "coalesce(city_id, id)", "ifnull(city_id, id)");
    becomes("case(#7 -> #2::bigint else #0)", "CASE WHEN paid THEN city_id ELSE id END");
    becomes("case(#7 -> #2::bigint else #0)", "if(paid, city_id, id)");
    becomes("greatest(#2::bigint, #0)", "greatest(city_id, id)");
    becomes("nullif(#2::bigint, #0)", "nullif(city_id, id)");
    becomes("nullif(#3, 0.00)", "nullif(fare, 0)", "nullifzero(fare)");
    becomes("coalesce(#3::decimal(12,2), 0.00)", "zeroifnull(fare)");
    becomes(
        "case(is_not_distinct(#2, 1) -> #3::decimal(12,2) else 0.00)",
        "decode(city_id, 1, fare, 0)");
    becomes("case(eq(#2::bigint, #0) -> 1)", "CASE city_id WHEN id THEN 1 END");
  }

  @Test
  void differencesOfMomentsAreOfTimestamps() {
    becomes("minus(#5, #6::timestamp)", "at - day");
    becomes("date_diff('DAY', #6::timestamp, #5)", "datediff(day, day, at)");
    becomes("date_diff('DAY', #6, 2020-01-01)", "datediff(day, day, DATE '2020-01-01')");
  }

  @Test
  void joinsByNameAndSubqueriesCompareInOneType() {
    assertBinds(
        "project(aggregate(inner(trips, cities, eq(#2, #8)), [], [count#11=count(*)]), count#11)",
        "SELECT count(*) FROM trips JOIN (SELECT id AS city_id FROM cities) c USING (city_id)");
    assertBinds(
        "project(aggregate(inner(trips, cities, eq(#0, #8::bigint)), [], [count#11=count(*)]),"
            + " count#11)",
        "SELECT count(*) FROM trips NATURAL JOIN (SELECT id FROM cities) c");
    assertBinds(
        "project(aggregate(where(trips, exists#11=exists(cities, eq(#0, #8::bigint)), #11), [],"
            + " [count#12=count(*)]), count#12)",
        "SELECT count(*) FROM trips WHERE id IN (SELECT id FROM cities)");
  }

  @Test
  void setOperationsConvertBothSides() {
    assertBinds(
        "project(aggregate(unionAll(project(trips, z#0), project(cities, id#11=#8::bigint)), [],"
            + " [count#13=count(#12)]), count#13)",
        "SELECT count(z) FROM (SELECT id AS z FROM trips UNION ALL SELECT id FROM cities) q");
    assertBinds(
        "project(aggregate(except(project(trips, day#16=#6::timestamp), project(trips, at#13)), [],"
            + " [count#18=count(*)]), count#18)",
        "SELECT count(*) FROM (SELECT day FROM trips EXCEPT SELECT at FROM trips) q");
  }

  @Test
  void constantRowsAreConvertedAtOnce() {
    assertBinds("values[[1.0], [2.5], [null]]", "VALUES (1), (2.5), (NULL)");
    assertBinds(
        "values[[2020-01-01T00:00], [2020-01-02T12:00]]",
        "VALUES (DATE '2020-01-01'), (TIMESTAMP '2020-01-02 12:00:00')");
    assertBinds("values[[1.0], [0.0]]", "VALUES (1), (-0e0)");
    // No decimal holds both; what does not fit is NULL, and counts as such.
    assertBinds(
        "values[[null], [1E-38]]", "VALUES (1), (0.00000000000000000000000000000000000001)");
  }

  @Test
  void lengthsOfTextsAreCuts() {
    becomes("left(#4, 3)", "CAST(status AS varchar(3))", "status::varchar(3)");
    becomes("left(#0::varchar, 3)", "CAST(id AS character varying(3))");
    becomes("'abc'", "CAST('abcdef' AS varchar(3))");
    becomes("#4", "CAST(status AS varchar)", "status::text");
  }

  @Test
  void typesThatHoldOtherValuesAreNotTakenForKnownOnes() {
    for (String type :
        new String[] {
          "real",
          "float4",
          "tinyint",
          "mediumint",
          "unsigned",
          "utinyint",
          "char",
          "char(3)",
          "character(3)",
          "nchar",
          "bpchar",
          "citext",
          "name",
          "smalldatetime",
          "timestamp(0)",
          "timestamp(3)",
          "time(0)",
          "varchar(0)",
          "decimal(39, 0)",
          "decimal(3, 4)"
        }) {
      Rejection rejection =
          assertRejects(
              RejectionCode.TYPE_MISMATCH, "SELECT CAST(status AS " + type + ") FROM trips");
      assertTrue(rejection.hint().startsWith("Use ") || rejection.hint().startsWith("Give "));
    }
    becomes("#0::double", "CAST(id AS float)", "CAST(id AS double precision)");
    becomes("#0::decimal(38,10)", "CAST(id AS decimal)", "CAST(id AS numeric)");
    becomes("#6::timestamp", "CAST(day AS timestamp(6))", "CAST(day AS timestamptz)");
  }

  @Test
  void constantsLieWhereEveryDatabaseHasThem() {
    assertRejects(RejectionCode.TYPE_MISMATCH, "SELECT DATE '0000-01-01' FROM trips");
    becomes("2020-01-01T00:00:00.123456", "TIMESTAMP '2020-01-01 00:00:00.123456789'");
  }
}
