package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.failure.Rejection;
import flexdp.policy.Wording;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.WeekFields;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a spelling means in the dialect that it is written in. */
class WordingsTest {
  private static Relation bind(Wording wording, String sql) {
    return new SqlBinder(Binding.POLICY.in(wording), LocalDateTime.of(2024, 7, 1, 12, 0)).bind(sql);
  }

  /** The value of a constant expression. */
  private static Object value(Wording wording, String expression) {
    Expr expr =
        ((Relation.Project) bind(wording, "SELECT " + expression + " AS x FROM trips"))
            .outputs()
            .getFirst()
            .expr();
    return new Evaluator(List.of()).compile(expr).on(List.of());
  }

  private static long number(Wording wording, String expression) {
    return ((BigDecimal) value(wording, expression)).longValueExact();
  }

  @Test
  void wholeNumbersAreDividedAsTheDialectDoes() {
    assertEquals(3, number(Wording.POSTGRESQL, "7 / 2"));
    assertEquals(3, number(Wording.TSQL, "7 / 2"));
    assertEquals(3, number(Wording.SQLITE, "7 / 2"));
    assertEquals(3.5, value(Wording.MYSQL, "7 / 2"));
    assertEquals(3.5, value(Wording.DUCKDB, "7 / 2"));
    assertEquals(3.5, value(Wording.SNOWFLAKE, "7 / 2"));
    assertEquals(3.5, value(Wording.BIGQUERY, "7 / 2"));
    assertEquals(3, number(Wording.MYSQL, "7 DIV 2"));
    assertEquals(-3, number(Wording.MYSQL, "-7 DIV 2"));
  }

  @Test
  void quotesEscapesAndBarsAreReadByTheDialect() {
    assertEquals("x", value(Wording.MYSQL, "\"x\""));
    assertEquals("x", value(Wording.BIGQUERY, "\"x\""));
    assertEquals("x", value(Wording.SQLITE, "\"x\""));
    assertThrows(Rejection.class, () -> value(Wording.POSTGRESQL, "\"x\""));
    assertEquals("a'b", value(Wording.MYSQL, "'a\\'b'"));
    assertEquals("a\\d", value(Wording.POSTGRESQL, "'a\\d'"));
    assertEquals("a\\d", value(Wording.BIGQUERY, "r'a\\d'"));
    assertEquals("ab", value(Wording.POSTGRESQL, "'a' || 'b'"));
    assertThrows(Rejection.class, () -> value(Wording.MYSQL, "'a' || 'b'"));
    assertEquals("ab", value(Wording.TSQL, "'a' + 'b'"));
    assertThrows(Rejection.class, () -> value(Wording.POSTGRESQL, "'a' + 'b'"));
  }

  @Test
  void quotesEndWhereTheDialectEndsThem() {
    assertEquals("it's\\n".replace("\\n", "\n"), value(Wording.MYSQL, "'it''s\\n'"));
    assertEquals("a\\", value(Wording.POSTGRESQL, "'a\\'"));
    assertThrows(Rejection.class, () -> value(Wording.MYSQL, "'a\\'"));
    assertThrows(Rejection.class, () -> value(Wording.BIGQUERY, "'a\\\\\\'"));
  }

  @ParameterizedTest
  @CsvSource({"MYSQL, 1", "TSQL, 1", "BIGQUERY, 1", "SNOWFLAKE, 0", "DUCKDB, 0", "GENERAL, 0"})
  void sundayHasTheNumberOfTheDialect(Wording wording, int sunday) {
    assertEquals(sunday, number(wording, "DAYOFWEEK(DATE '2024-06-30')"));
  }

  @Test
  void weeksAndAgesAreThoseOfTheCalendar() {
    WeekFields full = WeekFields.of(DayOfWeek.SUNDAY, 7);
    WeekFields first = WeekFields.of(DayOfWeek.SUNDAY, 1);
    Random random = new Random(5);
    for (int i = 0; i < 400; i++) {
      LocalDate one = LocalDate.of(1990, 1, 1).plusDays(random.nextInt(15_000));
      LocalDate two = LocalDate.of(1990, 1, 1).plusDays(random.nextInt(15_000));
      String a = "DATE '" + one + "'";
      String b = "DATE '" + two + "'";
      assertEquals(one.get(full.weekOfYear()), number(Wording.MYSQL, "WEEK(" + a + ")"), a);
      assertEquals(
          one.get(full.weekBasedYear()) * 100L + one.get(full.weekOfWeekBasedYear()),
          number(Wording.MYSQL, "YEARWEEK(" + a + ")"),
          a);
      assertEquals(
          one.get(first.weekOfYear()), number(Wording.TSQL, "DATEPART(week, " + a + ")"), a);
      assertEquals(
          ChronoUnit.YEARS.between(one, two),
          number(Wording.POSTGRESQL, "EXTRACT(YEAR FROM AGE(" + b + ", " + a + "))"),
          a + b);
      assertEquals(
          ChronoUnit.MONTHS.between(one, two),
          number(Wording.MYSQL, "TIMESTAMPDIFF(MONTH, " + a + ", " + b + ")"),
          a + b);
    }
  }

  @Test
  void deviationsAreOfThePopulationInMySqlOnly() {
    String sql = "SELECT STDDEV(fare) FROM trips";
    assertEquals("STDDEV_POP", kind(bind(Wording.MYSQL, sql)));
    assertEquals("STDDEV_SAMP", kind(bind(Wording.POSTGRESQL, sql)));
  }

  private static String kind(Relation relation) {
    String[] kind = new String[1];
    flexdp.algebra.Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Aggregate aggregate) {
            kind[0] = aggregate.calls().getFirst().kind().name();
          }
        });
    return kind[0];
  }

  @Test
  void namesOfOtherDatabasesAreNotRead() {
    assertThrows(
        Rejection.class, () -> bind(Wording.GENERAL, "SELECT COUNT(*) FROM other.public.trips"));
  }
}
