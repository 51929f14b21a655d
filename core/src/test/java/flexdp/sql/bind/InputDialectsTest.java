package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.failure.Rejection;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a spelling means in the dialect that it is written in. */
class InputDialectsTest {
  private static Relation bind(InputDialect inputDialect, String sql) {
    return new SqlBinder(
            BindingFixture.POLICY.in(inputDialect), LocalDateTime.of(2024, 7, 1, 12, 0))
        .bind(sql);
  }

  /** The value of a constant expression. */
  private static Object value(InputDialect inputDialect, String expression) {
    Expr expr =
        ((Relation.Project) bind(inputDialect, "SELECT " + expression + " AS x FROM trips"))
            .outputs()
            .getFirst()
            .expr();
    return new Evaluator(List.of()).compile(expr).on(List.of());
  }

  private static long number(InputDialect inputDialect, String expression) {
    return ((BigDecimal) value(inputDialect, expression)).longValueExact();
  }

  @Test
  void wholeNumbersAreDividedAsTheDialectDoes() {
    assertEquals(3, number(InputDialect.POSTGRESQL, "7 / 2"));
    assertEquals(3, number(InputDialect.TSQL, "7 / 2"));
    assertEquals(3, number(InputDialect.SQLITE, "7 / 2"));
    assertEquals(3.5, value(InputDialect.MYSQL, "7 / 2"));
    assertEquals(3.5, value(InputDialect.DUCKDB, "7 / 2"));
    assertEquals(3.5, value(InputDialect.SNOWFLAKE, "7 / 2"));
    assertEquals(3.5, value(InputDialect.BIGQUERY, "7 / 2"));
    assertEquals(3, number(InputDialect.MYSQL, "7 DIV 2"));
    String month = "EXTRACT(MONTH FROM DATE '2024-07-01')";
    assertEquals(3.5, value(InputDialect.POSTGRESQL, month + " / 2"));
    assertEquals(4.0, value(InputDialect.POSTGRESQL, "(" + month + " + 1) / 2"));
    assertEquals(3, number(InputDialect.POSTGRESQL, "CAST(" + month + " AS INTEGER) / 2"));
    assertEquals(3, number(InputDialect.TRINO, month + " / 2"));
    assertEquals(-2147483648, number(InputDialect.POSTGRESQL, "TRUNC(-2147483648)"));
    assertEquals(-3, number(InputDialect.MYSQL, "-7 DIV 2"));
  }

  @Test
  void blanksAreTakenOffAsTheDialectTakesThem() {
    String blanks = "\u00a0\t\n a \u2003\u0085";
    for (InputDialect spaces :
        List.of(InputDialect.POSTGRESQL, InputDialect.MYSQL, InputDialect.TSQL)) {
      assertEquals("\ta", value(spaces, "TRIM(' \ta  ')"));
    }
    assertEquals("\t\n a \u2003\u0085", value(InputDialect.DUCKDB, "TRIM('" + blanks + "')"));
    assertEquals("\u00a0\t\n a \u2003\u0085", value(InputDialect.TRINO, "TRIM('" + blanks + "')"));
    assertEquals("a", value(InputDialect.BIGQUERY, "TRIM('" + blanks + "')"));
    assertEquals("a ", value(InputDialect.TRINO, "LTRIM('\n\t a ')"));
    assertEquals("\ta", value(InputDialect.TRINO, "RTRIM('\ta\n')"));
    assertEquals("\ta\t", value(InputDialect.TRINO, "TRIM(BOTH ' ' FROM ' \ta\t ')"));
    assertEquals("\ta\t", value(InputDialect.BIGQUERY, "BTRIM(' \ta\t ', ' ')"));
  }

  @Test
  void partsThatAreNotThereAreEmptyOrNull() {
    assertEquals("", value(InputDialect.POSTGRESQL, "SPLIT_PART('a-b', '-', 3)"));
    assertEquals(null, value(InputDialect.TRINO, "SPLIT_PART('a-b', '-', 3)"));
    assertEquals("b", value(InputDialect.TRINO, "SPLIT_PART('a-b', '-', 2)"));
    assertEquals("", value(InputDialect.TRINO, "SPLIT_PART('a-', '-', 2)"));
    assertEquals("a", value(InputDialect.TRINO, "SPLIT_PART('a', '-', 1)"));
  }

  @Test
  void textBecomesAWholeNumberAsTheDialectReadsIt() {
    assertEquals(1000, number(InputDialect.DUCKDB, "CAST('1e3' AS INTEGER)"));
    assertEquals(2, number(InputDialect.SNOWFLAKE, "CAST('1.5' AS INTEGER)"));
    for (InputDialect plain :
        List.of(InputDialect.POSTGRESQL, InputDialect.TRINO, InputDialect.TSQL)) {
      assertEquals(null, value(plain, "TRY_CAST('1e3' AS INTEGER)"));
      assertEquals(null, value(plain, "CAST('1.5' AS BIGINT)"));
      assertEquals(-12, number(plain, "CAST('-12' AS INTEGER)"));
    }
    assertEquals(12, number(InputDialect.POSTGRESQL, "CAST(' 12 ' AS INTEGER)"));
    assertEquals(12, number(InputDialect.TRINO, "CAST(' 12 ' AS INTEGER)"));
  }

  @Test
  void quotesEscapesAndBarsAreReadByTheDialect() {
    assertEquals("x", value(InputDialect.MYSQL, "\"x\""));
    assertEquals("x", value(InputDialect.BIGQUERY, "\"x\""));
    assertEquals("x", value(InputDialect.SQLITE, "\"x\""));
    assertThrows(Rejection.class, () -> value(InputDialect.POSTGRESQL, "\"x\""));
    assertEquals("a'b", value(InputDialect.MYSQL, "'a\\'b'"));
    assertEquals("a\\d", value(InputDialect.POSTGRESQL, "'a\\d'"));
    assertEquals("a\\d", value(InputDialect.BIGQUERY, "r'a\\d'"));
    assertEquals("ab", value(InputDialect.POSTGRESQL, "'a' || 'b'"));
    assertThrows(Rejection.class, () -> value(InputDialect.MYSQL, "'a' || 'b'"));
    assertEquals("ab", value(InputDialect.TSQL, "'a' + 'b'"));
    assertThrows(Rejection.class, () -> value(InputDialect.POSTGRESQL, "'a' + 'b'"));
  }

  @Test
  void quotesEndWhereTheDialectEndsThem() {
    assertEquals("it's\\n".replace("\\n", "\n"), value(InputDialect.MYSQL, "'it''s\\n'"));
    assertEquals("a\\", value(InputDialect.POSTGRESQL, "'a\\'"));
    assertThrows(Rejection.class, () -> value(InputDialect.MYSQL, "'a\\'"));
    assertThrows(Rejection.class, () -> value(InputDialect.BIGQUERY, "'a\\\\\\'"));
  }

  @ParameterizedTest
  @CsvSource({"MYSQL, 1", "TSQL, 1", "BIGQUERY, 1", "SNOWFLAKE, 0", "DUCKDB, 0", "GENERAL, 0"})
  void sundayHasTheNumberOfTheDialect(InputDialect inputDialect, int sunday) {
    assertEquals(sunday, number(inputDialect, "DAYOFWEEK(DATE '2024-06-30')"));
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
      assertEquals(one.get(full.weekOfYear()), number(InputDialect.MYSQL, "WEEK(" + a + ")"), a);
      assertEquals(
          one.get(full.weekBasedYear()) * 100L + one.get(full.weekOfWeekBasedYear()),
          number(InputDialect.MYSQL, "YEARWEEK(" + a + ")"),
          a);
      assertEquals(
          one.get(first.weekOfYear()), number(InputDialect.TSQL, "DATEPART(week, " + a + ")"), a);
      assertEquals(
          ChronoUnit.YEARS.between(one, two),
          number(InputDialect.POSTGRESQL, "EXTRACT(YEAR FROM AGE(" + b + ", " + a + "))"),
          a + b);
      assertEquals(
          ChronoUnit.MONTHS.between(one, two),
          number(InputDialect.MYSQL, "TIMESTAMPDIFF(MONTH, " + a + ", " + b + ")"),
          a + b);
    }
  }

  @Test
  void deviationsAreOfThePopulationInMySqlOnly() {
    String sql = "SELECT STDDEV(fare) FROM trips";
    assertEquals("STDDEV_POP", kind(bind(InputDialect.MYSQL, sql)));
    assertEquals("STDDEV_SAMP", kind(bind(InputDialect.POSTGRESQL, sql)));
  }

  private static String kind(Relation relation) {
    String[] kind = new String[1];
    flexdp.algebra.AlgebraWalker.visit(
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
        Rejection.class,
        () -> bind(InputDialect.GENERAL, "SELECT COUNT(*) FROM other.public.trips"));
  }

  @Test
  void everySpellingStandsInTheDocumentAsItIsRead() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../docs/dialects.md"));
    int from = lines.indexOf("| spelling | sense |") + 2;
    List<String> table =
        Arrays.stream(DialectSpelling.values()).map(DialectSpelling::line).toList();
    assertEquals(
        String.join("\n", table), String.join("\n", lines.subList(from, from + table.size())));
    assertEquals("", lines.get(from + table.size()));
  }

  /** What each dialect's own database says; NULL is written so. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "DUCKDB; SUBSTR('hello', -2); lo",
        "DUCKDB; SUBSTR('hello', 0, 3); he",
        "DUCKDB; SUBSTR('hello', -7, 3); h",
        "DUCKDB; SUBSTR('hello', -10); hello",
        "DUCKDB; SUBSTR('hello', 3, -2); he",
        "SQLITE; SUBSTR('hello', 6, -2); lo",
        "SQLITE; SUBSTR('hello', -2, -2); el",
        "SQLITE; SUBSTR('hello', -2 + LENGTH('a'), 1); o",
        "MYSQL; SUBSTR('hello', 0, 3); ``",
        "MYSQL; SUBSTR('hello', -3, 2); ll",
        "MYSQL; SUBSTR('hello', -6); ``",
        "MYSQL; SUBSTR('hello', 2, -1); ``",
        "TRINO; SUBSTR('hello', 0); ``",
        "TRINO; SUBSTR('hello', -3); llo",
        "BIGQUERY; SUBSTR('hello', 0, 3); hel",
        "BIGQUERY; SUBSTR('hello', -10, 3); hel",
        "SNOWFLAKE; SUBSTR('hello', 0, 3); hel",
        "SNOWFLAKE; SUBSTR('hello', -10, 3); ``",
        "POSTGRESQL; SUBSTR('hello', -2); hello",
        "POSTGRESQL; SUBSTR('hello', 0, 3); he",
        "TSQL; SUBSTRING('hello', 0, 3); he",
        "MYSQL; LEFT('hello', -2); ``",
        "POSTGRESQL; LEFT('hello', -2); hel",
        "MYSQL; CONCAT('a', NULL); NULL",
        "TRINO; CONCAT('a', NULL); NULL",
        "POSTGRESQL; CONCAT('a', NULL); a",
        "TSQL; CONCAT('a', NULL); a",
        "MYSQL; LEAST(3, NULL); NULL",
        "TRINO; GREATEST(3, NULL, 5); NULL",
        "SQLITE; MIN(3, NULL); NULL",
        "SQLITE; MAX(3, MIN(5, 2)); 3",
        "POSTGRESQL; LEAST(3, NULL); 3",
        "DUCKDB; GREATEST(3, NULL); 3",
        "POSTGRESQL; CONCAT(1 = 1, 'x'); tx",
        "POSTGRESQL; CAST(1 = 1 AS VARCHAR); true",
        "MYSQL; CONCAT(1 = 1, 'x'); 1x",
        "SQLITE; CAST(1 = 2 AS TEXT); 0",
        "DUCKDB; CONCAT(1 = 1, 'x'); truex",
        "SQLITE; CAST(2.7 AS INTEGER); 2",
        "SQLITE; CAST(-2.7 AS INTEGER); -2",
        "TSQL; CAST(2.7e0 AS INT); 2",
        "POSTGRESQL; CAST(2.7 AS INTEGER); 3",
        "MYSQL; CAST(2.345 AS DECIMAL); 2",
        "DUCKDB; CAST(2.3456 AS DECIMAL); 2.346",
        "TRINO; CAST(2.7 AS DECIMAL); 3",
        "POSTGRESQL; CAST(2.345 AS DECIMAL); 2.3450000000",
        "POSTGRESQL; ROUND(2.5e0); 2.0",
        "POSTGRESQL; ROUND(3.5e0); 4.0",
        "POSTGRESQL; ROUND(2.5); 3",
        "POSTGRESQL; ROUND(1e300); 1.0E300",
        "DUCKDB; ROUND(2.5e0); 3.0",
        "POSTGRESQL; ROUND(2.5::float8); 2.0",
        "POSTGRESQL; ROUND(5::float8 / 2); 2.0",
        "POSTGRESQL; ROUND(5.0 / 2); 3.0",
        "POSTGRESQL; ROUND(SIGN(CAST(1 AS INTEGER)) / 2); 0.0",
        "POSTGRESQL; ROUND(SIGN(0.1) / 2); 1.0",
        "POSTGRESQL; ROUND(EXP(0) / 2); 0.0",
        "POSTGRESQL; ROUND(POWER(0.5, 1)); 1.0",
        "MYSQL; ROUND(POWER(0.5, 1)); 0.0",
        "MYSQL; ROUND(5 / 2); 3.0",
        "MYSQL; ROUND(CAST(5 AS DOUBLE) / 2); 2.0",
        "MYSQL; ROUND(SIGN(1e0) / 2); 1.0",
        "MYSQL; ROUND(2.5e1, -1); 20.0",
        "MYSQL; CONCAT(ROUND(2e0, 1), '%'); 2.0%",
        "MYSQL; CONCAT(ROUND(1e30, 1), '%'); 1.0E30%",
        "POSTGRESQL; CONCAT(ROUND(4.0 / 2, 1), '%'); 2.0%",
        "SNOWFLAKE; CONCAT(ROUND(4.0 / 2, 1), '%'); 2%",
        "DUCKDB; (TRIM('\u2003x')); x",
        "DUCKDB; ((TRIM(('\u2003x')))); x",
        "TRINO; LOWER((TRIM('\tx'))); x",
        "TRINO; (TRIM(BOTH ' ' FROM ' x\ty')); x\ty",
        "TRINO; SIGN(0.1); 1.0",
        "DUCKDB; SIGN(0.1); 1",
        "DUCKDB; CONCAT(SIGN(-1e0), 'x'); -1x",
        "TRINO; CONCAT(SIGN(-1e0), 'x'); -1.0x",
        "SQLITE; SIGN(5e0) / 2; 0",
        "SQLITE; 5.5e0 % 2 / 2; 0.5",
        "SQLITE; 5 % 2 / 2; 0",
        "POSTGRESQL; DIV(CAST(7 AS INTEGER), CAST(2 AS INTEGER)) / 2; 1.5",
        "DUCKDB; TRUNC(-0.1); 0",
        "POSTGRESQL; ROUND(CAST(2147483647 AS INTEGER), -1); 2147483650",
        "MYSQL; CAST(100000 AS SIGNED) * 100000; 10000000000",
        "SQLITE; 2147483647 + 1; 2147483648",
        "MYSQL; LENGTH('é€'); 5",
        "MYSQL; CHAR_LENGTH('é€'); 2",
        "POSTGRESQL; LENGTH('é€'); 2",
        "POSTGRESQL; OCTET_LENGTH('é€'); 5",
        "TSQL; LEN('ab  '); 2",
        "SNOWFLAKE; LEN('ab  '); 4",
        "POSTGRESQL; LOG(100); 2.0",
        "MYSQL; LOG(1); 0.0",
        "TSQL; LOG(8, 2) > 2.9; true",
        "POSTGRESQL; LOG(2, 8) > 2.9; true",
        "TRINO; EXTRACT(DOW FROM DATE '2024-01-07'); 7",
        "TRINO; DOW(DATE '2024-01-07'); 7",
        "POSTGRESQL; EXTRACT(DOW FROM DATE '2024-01-07'); 0",
        "TRINO; DATE_DIFF('month', DATE '2024-01-31', DATE '2024-02-01'); 0",
        "TRINO; DATE_DIFF('year', DATE '2023-12-31', DATE '2024-01-01'); 0",
        "DUCKDB; DATE_DIFF('month', DATE '2024-01-31', DATE '2024-02-01'); 1",
        "DUCKDB; DATE_DIFF('week', DATE '2024-01-07', DATE '2024-01-08'); 0",
        "DUCKDB; DATE_DIFF('week', DATE '2024-01-03', DATE '2024-01-10'); 1",
        "POSTGRESQL; DATE_DIFF('week', DATE '2024-01-07', DATE '2024-01-08'); 1",
        "DUCKDB; YEARWEEK(DATE '2023-01-01'); 202252",
        "BIGQUERY; TIMESTAMP_DIFF(TIMESTAMP '2024-01-01 11:10:00', TIMESTAMP '2024-01-01 10:50:00',"
            + " HOUR); 0",
        "BIGQUERY; DATETIME_DIFF(TIMESTAMP '2024-01-01 11:10:00', TIMESTAMP '2024-01-01 10:50:00',"
            + " HOUR); 1",
        "SQLITE; DATE('2023-05-31', '+1 month'); 2023-07-01",
        "SQLITE; DATE('2024-02-29', '+1 year'); 2025-03-01",
        "SQLITE; DATE('2024-03-31', '-1 month'); 2024-03-02",
        "SQLITE; DATE('2024-03-31', 'start of month', '+1 month'); 2024-04-01",
        "SQLITE; 'ABC' LIKE 'a%'; true",
        "SQLITE; 'É' LIKE 'é'; false",
        "MYSQL; 'ABC' LIKE 'a%'; true",
        "TSQL; 'ABC' LIKE '[a-c]%'; true",
        "POSTGRESQL; 'ABC' LIKE 'a%'; false",
        "MYSQL; 'a%' LIKE 'a\\%'; true",
        "MYSQL; 'ab' LIKE 'a\\%'; false",
        "DUCKDB; 'ab' LIKE 'a\\%'; false"
      })
  void constantsAreWhatTheDialectSays(InputDialect inputDialect, String expression, String value) {
    Object found = value(inputDialect, expression);
    String shown =
        found instanceof BigDecimal number
            ? number.toPlainString()
            : found == null ? "NULL" : found.toString();
    assertEquals(value, shown);
  }

  @ParameterizedTest
  @CsvSource({
    "POSTGRESQL, true, false",
    "GENERAL, true, false",
    "SNOWFLAKE, true, false",
    "DUCKDB, false, false",
    "TRINO, false, false",
    "MYSQL, false, true",
    "SQLITE, false, true",
    "TSQL, false, true",
    "BIGQUERY, false, true"
  })
  void nullsAreSortedAsTheDialectSorts(
      InputDialect inputDialect, boolean firstDown, boolean firstUp) {
    List<Boolean> first = new ArrayList<>();
    Relation relation =
        bind(
            inputDialect,
            "SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (ORDER BY fare DESC, id) AS r FROM"
                + " trips) AS x WHERE r = 2");
    flexdp.algebra.AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Window window) {
            window.calls().getFirst().order().forEach(key -> first.add(key.nullsFirst()));
          }
        });
    assertEquals(List.of(firstDown, firstUp), first);
  }

  @Test
  void namesBeforeValuesAreAliasesInTransactSql() {
    String sql = "SELECT TOP 3 Place = status, Score = COUNT(*) FROM trips GROUP BY status";
    assertEquals(
        List.of("Place", "Score"),
        bind(InputDialect.TSQL, sql + " ORDER BY Score").columns().stream()
            .map(c -> c.name())
            .toList());
    assertThrows(Rejection.class, () -> bind(InputDialect.POSTGRESQL, sql.replace("TOP 3 ", "")));
  }
}
