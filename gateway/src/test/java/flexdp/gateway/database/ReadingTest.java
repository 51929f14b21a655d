package flexdp.gateway.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever stands in a cell, reading it ends nothing: these are statements that rendering does not
 * make, since it brings values into one form, read as if it had missed one.
 */
class ReadingTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree("tables: {t: {columns: {a: {type: integer}}}}", Code.BAD_POLICY));

  @TempDir Path folder;

  private interface Check {
    void of(Session session) throws Exception;
  }

  private static CellReader read(Session session, String sql, Type type) {
    List<CellReader> found = new ArrayList<>();
    session.run(sql, row -> found.add(session.value(row, 1, type)));
    assertEquals(1, found.size(), sql);
    return found.getFirst();
  }

  private static void unreadable(Session session, Type type, String... values) {
    for (String value : values) {
      assertInstanceOf(
          CellReader.Unreadable.class,
          read(session, "SELECT " + value, type),
          value + " as " + type);
    }
  }

  private static void is(Session session, Object expected, String value, Type type) {
    assertEquals(new CellReader.Value(expected), read(session, "SELECT " + value, type), value);
  }

  private static Optional<BigDecimal> number(Session session, String value) {
    List<Optional<BigDecimal>> found = new ArrayList<>();
    session.run("SELECT " + value, row -> found.add(session.number(row, 1)));
    return found.getFirst();
  }

  /** A database that was opened with an empty table t. */
  private static void on(String url, Check check) throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (a INTEGER)");
      }
      if (url.equals("jdbc:duckdb:")) {
        on(JdbcDatabase.over(connection, POLICY, Duration.ofMinutes(10), ErrorLog.NONE), check);
        return;
      }
    }
    on(JdbcDatabase.open(url, POLICY, Duration.ofMinutes(10), ErrorLog.NONE), check);
  }

  private static void on(JdbcDatabase database, Check check) throws Exception {
    try (database;
        Session session = database.session()) {
      check.of(session);
    }
  }

  @Test
  void whatDuckDbHoldsIsReadOrDropped() throws Exception {
    on(
        "jdbc:duckdb:",
        session -> {
          unreadable(session, Type.DOUBLE, "'nan'::DOUBLE", "'inf'::DOUBLE", "'-inf'::DOUBLE");
          unreadable(session, Type.TIME, "TIME '24:00:00'");
          unreadable(session, Type.INTERVAL_MICROS, "INTERVAL 1 DAY");
          unreadable(session, Type.DATE, "'infinity'::DATE", "'5877642-06-25 (BC)'::DATE");
          unreadable(session, Type.DATE, "'10000-01-01'::DATE", "'0001-12-31 (BC)'::DATE");
          unreadable(session, Type.TIMESTAMP, "'infinity'::TIMESTAMP", "'-infinity'::TIMESTAMP");
          unreadable(session, Type.TIMESTAMP, "'290309-12-22 (BC) 00:00:00'::TIMESTAMP");
          unreadable(session, Type.BIGINT, "170141183460469231731687303715884105727", "'x'");
          unreadable(session, Type.decimal(5, 2), "123456789.12", "'x'");
          unreadable(session, Type.UUID, "'x'");
          is(session, 0.0, "-0.0::DOUBLE", Type.DOUBLE);
          is(session, null, "NULL::DOUBLE", Type.DOUBLE);
          is(session, new BigDecimal("1.50"), "1.5::DECIMAL(9,4)", Type.decimal(5, 2));
          is(session, LocalDate.of(9999, 12, 31), "DATE '9999-12-31'", Type.DATE);
          is(session, LocalTime.of(23, 59, 59), "TIME '23:59:59'", Type.TIME);
          assertEquals(Optional.empty(), number(session, "'nan'::DOUBLE"));
          assertEquals(Optional.empty(), number(session, "'x'"));
          assertEquals(Optional.empty(), number(session, "NULL"));
          assertEquals(Optional.of(BigDecimal.TEN), number(session, "10"));
        });
  }

  @Test
  void whatPostgreSqlHoldsIsReadOrDropped() throws Exception {
    try (FreshPostgres server = FreshPostgres.create()) {
      on(
          server.url(),
          session -> {
            unreadable(session, Type.DOUBLE, "'NaN'::float8", "'Infinity'::float8", "'x'::text");
            unreadable(session, Type.decimal(38, 2), "'NaN'::numeric", "'-Infinity'::numeric");
            unreadable(session, Type.decimal(38, 2), "10::numeric ^ 1000");
            unreadable(session, Type.TIME, "'24:00:00'::time");
            unreadable(session, Type.DATE, "'infinity'::date", "'4713-01-01 BC'::date");
            unreadable(
                session, Type.TIMESTAMP, "'infinity'::timestamp", "'294276-01-01'::timestamp");
            unreadable(session, Type.INTERVAL_MICROS, "'24:00'::interval");
            unreadable(session, Type.BIGINT, "9223372036854775808::numeric", "'x'::text");
            unreadable(session, Type.BOOLEAN, "'perhaps'::text");
            unreadable(session, Type.UUID, "'x'::text");
            is(session, 0.0, "'-0'::float8", Type.DOUBLE);
            is(session, new BigDecimal("1.50"), "1.5::numeric", Type.decimal(5, 2));
            is(session, new BigDecimal("1.50"), "1.5000::numeric", Type.decimal(5, 2));
            assertEquals(Optional.empty(), number(session, "'NaN'::numeric"));
            assertEquals(Optional.empty(), number(session, "'Infinity'::float8"));
          });
    }
  }

  @Test
  void whatSqliteHoldsIsReadOrDropped() throws Exception {
    on(
        "jdbc:sqlite:" + folder.resolve("values.sqlite"),
        session -> {
          unreadable(session, Type.DOUBLE, "9e999", "-9e999", "'x'", "x'00'");
          unreadable(session, Type.DATE, "9223372036854775807", "'2024-01-01'", "3652060");
          unreadable(session, Type.TIME, "86400000000", "9223372036854775807", "-1", "1.5");
          unreadable(session, Type.TIMESTAMP, "9223372036854775807", "253402300800000000");
          unreadable(session, Type.BIGINT, "9223372036854775807 + 1", "1.5", "'1'");
          unreadable(session, Type.decimal(5, 2), "10000000");
          unreadable(session, Type.VARCHAR, "CAST(x'61ff' AS TEXT)", "CAST(x'61fe' AS TEXT)");
          unreadable(session, Type.VARCHAR, "x'61'");
          unreadable(session, Type.INTERVAL_MONTHS, "1");
          is(session, "a\uFFFD", "CAST(x'61efbfbd' AS TEXT)", Type.VARCHAR);
          is(session, 0.0, "-0.0", Type.DOUBLE);
          is(session, new BigDecimal("3"), "3.0", Type.BIGINT);
          assertEquals(Optional.of(new BigDecimal("4294967299")), number(session, "'1:3'"));
          assertEquals(Optional.empty(), number(session, "'one:two'"));
          assertEquals(Optional.empty(), number(session, "9e999"));
        });
  }

  @Test
  void whatMariaDbHoldsIsReadOrDropped() throws Exception {
    MariaDbServer.create("readings");
    on(
        MariaDbServer.url("readings"),
        session -> {
          unreadable(session, Type.TIME, "CAST('24:00:00' AS TIME)", "CAST('838:59:59' AS TIME)");
          unreadable(session, Type.BIGINT, "18446744073709551615", "'x'");
          unreadable(session, Type.DATE, "'x'");
          unreadable(session, Type.DOUBLE, "'x'");
          is(session, 0.0, "-0e0", Type.DOUBLE);
          assertEquals(Optional.empty(), number(session, "'x'"));
        });
  }
}
