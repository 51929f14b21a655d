package flexdp.gateway.duckdb;

import static flexdp.gateway.render.Fixture.call;
import static flexdp.gateway.render.Fixture.is;
import static flexdp.gateway.render.Fixture.number;
import static flexdp.gateway.render.Fixture.ref;
import static flexdp.gateway.render.Fixture.text;
import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.gateway.render.Fixture;
import flexdp.policy.Type;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Expressions on real rows: what would raise is NULL, and nothing else changes. */
class DuckDbExpressionTest {
  private Fixture fixture;
  private Relation.Scan trips;
  private Expr id;
  private Expr driver;
  private Expr fare;
  private Expr distance;
  private Expr city;
  private Expr day;
  private Expr at;

  @BeforeEach
  void open() throws Exception {
    fixture = new Fixture();
    trips = fixture.scan(Fixture.TRIPS);
    id = ref(trips, "id");
    driver = ref(trips, "driver");
    fare = ref(trips, "fare");
    distance = ref(trips, "distance");
    city = ref(trips, "city");
    day = ref(trips, "day");
    at = ref(trips, "at");
  }

  @AfterEach
  void close() throws Exception {
    fixture.close();
  }

  private void gives(Expr expr, String... values) throws Exception {
    assertEquals(Arrays.asList(values), fixture.values(trips, expr));
  }

  @Test
  void overflowIsNull() throws Exception {
    gives(
        call(Function.PLUS, Type.BIGINT, id, number("1", Type.INTEGER)),
        "2",
        "3",
        "4",
        "5",
        "null");
    gives(call(Function.TIMES, Type.INTEGER, driver, driver), "1", "1", "4", "null", "null");
    gives(call(Function.NEGATE, Type.BIGINT, id), "-1", "-2", "-3", "-4", "-9223372036854775807");
    gives(
        call(Function.TIMES, Type.decimal(11, 2), fare, number("10", Type.INTEGER)),
        "105.00",
        "-30.00",
        "7002.50",
        "null",
        "0.00");
  }

  @Test
  void integersDivideTowardsZeroAndByZeroIsNull() throws Exception {
    Expr minusSeven = call(Function.NEGATE, Type.INTEGER, number("7", Type.INTEGER));
    gives(call(Function.DIVIDE, Type.INTEGER, minusSeven, driver), "-7", "-7", "-3", "null", "0");
    Expr zero = call(Function.MINUS, Type.INTEGER, driver, driver);
    gives(
        call(Function.DIVIDE, Type.INTEGER, driver, zero), "null", "null", "null", "null", "null");
    gives(call(Function.MOD, Type.INTEGER, driver, zero), "null", "null", "null", "null", "null");
    gives(
        call(Function.DIVIDE, Type.DOUBLE, fare, number("0", Type.INTEGER)),
        "null",
        "null",
        "null",
        "null",
        "null");
  }

  @Test
  void conversionsThatFailAreNull() throws Exception {
    gives(new Expr.Cast(city, Type.INTEGER), "null", "null", "null", "null", "null");
    gives(new Expr.Cast(distance, Type.BIGINT), "1", "null", "null", "null", "null");
    gives(new Expr.Cast(id, Type.SMALLINT), "1", "2", "3", "4", "null");
    gives(new Expr.Cast(at, Type.DATE), "2024-02-29", "1969-12-31", "null", "2020-01-06", "null");
  }

  @Test
  void functionsOutsideTheirDomainAreNull() throws Exception {
    gives(
        call(Function.SQRT, Type.DOUBLE, fare),
        "3.24037034920393",
        "null",
        "26.462237244798484",
        "null",
        "0.0");
    gives(
        call(Function.LN, Type.DOUBLE, fare),
        "2.3513752571634776",
        "null",
        "6.551437414140218",
        "null",
        "null");
  }

  @Test
  void textFunctionsCountFromOne() throws Exception {
    gives(
        call(Function.SUBSTRING, Type.VARCHAR, city, number("2", Type.INTEGER)),
        "F",
        "F",
        "slo",
        "null",
        "s'lo");
    Expr before = number("-1", Type.INTEGER);
    gives(
        call(Function.SUBSTRING, Type.VARCHAR, city, before, number("3", Type.INTEGER)),
        "S",
        "S",
        "O",
        "null",
        "ö");
    gives(
        call(Function.SUBSTRING, Type.VARCHAR, city, number("1", Type.INTEGER), before),
        "null",
        "null",
        "null",
        "null",
        "null");
    gives(call(Function.CHAR_LENGTH, Type.BIGINT, city), "2", "2", "4", "null", "5");
    gives(call(Function.POSITION, Type.INTEGER, text("lo"), city), "0", "0", "3", "null", "4");
    gives(
        call(Function.CONCAT, Type.VARCHAR, city, text("'%\0")),
        "SF'%\0",
        "SF'%\0",
        "Oslo'%\0",
        "null",
        "ös'lo'%\0");
    gives(call(Function.UPPER, Type.VARCHAR, city), "SF", "SF", "OSLO", "null", "ÖS'LO");
  }

  @Test
  void likeTakesAnEscape() throws Exception {
    gives(is(Function.LIKE, city, text("_s%")), "false", "false", "true", "null", "true");
    gives(is(Function.ILIKE, city, text("s_")), "true", "true", "false", "null", "false");
    gives(
        is(Function.LIKE, city, text("S!_"), text("!")),
        "false",
        "false",
        "false",
        "null",
        "false");
  }

  @Test
  void datePartsAreIntegers() throws Exception {
    gives(call(Function.EXTRACT, Type.BIGINT, text("WEEK"), day), "9", "1", "null", "1", "29");
    gives(call(Function.EXTRACT, Type.BIGINT, text("DOW"), day), "4", "1", "null", "6", "0");
    gives(
        call(Function.EXTRACT, Type.BIGINT, text("EPOCH"), at),
        "1709201472",
        "-1",
        "null",
        "1578268800",
        "null");
    gives(call(Function.EXTRACT, Type.BIGINT, text("SECOND"), at), "12", "59", "null", "0", "null");
    gives(
        call(Function.DATE_TRUNC, Type.DATE, text("QUARTER"), day),
        "2024-01-01",
        "2024-10-01",
        "null",
        "2020-01-01",
        "1969-07-01");
    Expr month = new Expr.Literal(12L, Type.INTERVAL_MONTHS);
    gives(
        call(Function.DATE_ADD, Type.DATE, day, month),
        "2025-02-28",
        "2025-12-30",
        "null",
        "2021-01-04",
        "1970-07-20");
    Expr sunday = new Expr.Literal(LocalDate.of(2020, 1, 6), Type.DATE);
    gives(
        call(Function.DATE_DIFF, Type.BIGINT, text("WEEK"), day, sunday),
        "-216",
        "-260",
        "null",
        "1",
        "2634");
  }

  @Test
  void constantsKeepTheirTypes() throws Exception {
    gives(
        new Expr.Literal(LocalDateTime.of(2020, 1, 2, 3, 4, 5, 6_000), Type.TIMESTAMP),
        same("2020-01-02 03:04:05.000006"));
    gives(new Expr.Literal(LocalDate.of(12345, 1, 2), Type.DATE), same("+12345-01-02"));
    gives(new Expr.Literal(null, Type.VARCHAR), same("null"));
    gives(number("1.50", Type.decimal(9, 2)), same("1.50"));
    gives(new Expr.Literal(0.1, Type.DOUBLE), same("0.1"));
  }

  private static String[] same(String value) {
    return new String[] {value, value, value, value, value};
  }

  @Test
  void comparisonsNeverRaise() throws Exception {
    Expr narrow = number("0.5", Type.decimal(38, 30));
    Expr wide = new Expr.Cast(id, narrow.type());
    gives(is(Function.GT, wide, narrow), "true", "true", "true", "true", "null");
    gives(
        is(Function.IN_LIST, driver, number("1", Type.INTEGER), number("2", Type.INTEGER)),
        "true",
        "true",
        "true",
        "null",
        "false");
    gives(
        is(Function.IS_DISTINCT, driver, number("1", Type.INTEGER)),
        "false",
        "false",
        "true",
        "true",
        "true");
  }

  @Test
  void caseBranchesHaveOneType() throws Exception {
    Expr expr =
        new Expr.Case(
            List.of(
                new Expr.Case.Branch(is(Function.IS_NULL, city), number("1", Type.decimal(12, 2))),
                new Expr.Case.Branch(
                    is(Function.EQ, city, text("SF")), new Expr.Cast(fare, Type.decimal(12, 2)))),
            Optional.empty(),
            Type.decimal(12, 2));
    gives(expr, "10.50", "-3.00", "null", "1.00", "null");
    gives(
        call(Function.NULLIF, Type.VARCHAR, city, text("SF")),
        "null",
        "null",
        "Oslo",
        "null",
        "ös'lo");
  }
}
