package flexdp.gateway.hostile;

import flexdp.gateway.FreshPostgres;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** One PostgreSQL with a database for each side. */
final class PostgresTestBed implements TestBed {
  /** Where doubles are 1024 apart. */
  private static final long L = 4611686018427387904L;

  private static final List<HostileColumn> COLUMNS =
      List.of(
          new HostileColumn(
              "k",
              Family.INT,
              "INTEGER",
              "{type: integer, range: [0, 10], domain: [0, 1, 2, null]}",
              List.of("2147483647", "-2147483648", "1"),
              List.of("0", "1"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "b",
              Family.INT,
              "BIGINT",
              "{type: bigint}",
              List.of("9223372036854775807", "(-9223372036854775807 - 1)", "9007199254740993"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> Long.toString(9007199254740992L + i))),
          new HostileColumn(
              "s",
              Family.INT,
              "SMALLINT",
              "{type: smallint}",
              List.of("-32768", "32767"),
              List.of("1", "2"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "x",
              Family.DBL,
              "DOUBLE PRECISION",
              "{type: double, range: [-10, 10]}",
              List.of(
                  "'NaN'::float8",
                  "'Infinity'::float8",
                  "'-Infinity'::float8",
                  "1.7976931348623157e308",
                  "4.9e-324",
                  "0e0"),
              List.of("0e0", "'-0'::float8"),
              List.of(
                  i -> (L + 1024L * i) + "e0",
                  i -> "(0.1e0 + " + i + "e-17)",
                  i -> (i + 1) + "e300")),
          new HostileColumn(
              "r",
              Family.DBL,
              "REAL",
              "{type: double}",
              List.of("'NaN'::real", "'Infinity'::real", "3.4028235e38", "0.1", "16777216"),
              List.of("0e0", "'-0'::real"),
              List.of(i -> L + "e0", i -> Integer.toString(16777000 + i))),
          new HostileColumn(
              "m",
              Family.DEC,
              "NUMERIC(38,10)",
              "{type: 'decimal(38,10)'}",
              List.of(
                  "'NaN'::numeric",
                  "9999999999999999999999999999.9999999999",
                  "-9999999999999999999999999999.9999999999",
                  "0.0000000001"),
              List.of("4611686018427387904", "4611686018427387905"),
              List.of(
                  i -> "(4611686018427387904 + 0.0000000001 * " + i + ")",
                  i -> "9999999999999999999999999" + (100 + i))),
          new HostileColumn(
              "f",
              Family.DEC,
              "NUMERIC(38,30)",
              "{type: 'decimal(38,30)'}",
              List.of("'NaN'::numeric", "99999999.999999999999999999999999999999", "0"),
              List.of("0.1", "0.100000000000000000000000000001"),
              List.of(i -> "(1 + 0.000000000000000000000000000001 * " + i + ")")),
          new HostileColumn(
              "h",
              Family.DEC,
              "NUMERIC",
              "{type: 'decimal(38,0)'}",
              List.of(
                  "'NaN'::numeric",
                  "'Infinity'::numeric",
                  "1e200",
                  "99999999999999999999999999999999999999",
                  "0"),
              List.of("4611686018427387904", "4611686018427387904.0"),
              List.of(
                  i -> Long.toString(L + i),
                  i -> "99999999999999999999999999999999999" + (100 + i))),
          new HostileColumn(
              "name",
              Family.TEXT,
              "TEXT",
              "{type: varchar, domain: [a, A, victim, '', null]}",
              List.of(
                  "''",
                  "'victim'",
                  "repeat('a', 100000)",
                  "'inf'",
                  "chr(1114111)",
                  "'9999-12-31'",
                  "'24:00:00'",
                  "'-0'",
                  "'5874897-12-31'",
                  "'1e400'"),
              List.of("'a'", "'A'", "'a '", "'á'", "'a' || chr(769)"),
              List.of(i -> "'a' || repeat(' ', " + i + ")", i -> "repeat('b', 2000) || " + i)),
          new HostileColumn(
              "ci",
              Family.TEXT,
              "VARCHAR(50) COLLATE \"und-x-icu\"",
              "{type: varchar}",
              List.of("''", "'victim'", "'٣'"),
              List.of("'a'", "'A'", "'á'", "'a' || chr(769)"),
              List.of(i -> "'a' || repeat(' ', " + i % 40 + ")")),
          new HostileColumn(
              "cs",
              Family.TEXT,
              "VARCHAR(50) COLLATE \"de-x-icu\"",
              "{type: varchar}",
              List.of("''", "'victim'"),
              List.of("'a'", "'ß'", "'ss'"),
              List.of(i -> "'a' || repeat(' ', " + i % 40 + ")")),
          new HostileColumn(
              "c",
              Family.TEXT,
              "CHAR(5)",
              "{type: varchar}",
              List.of("''", "'12345'"),
              List.of("'a'", "'a '"),
              List.of(i -> "'" + i + "'")),
          new HostileColumn(
              "d",
              Family.DATE,
              "DATE",
              "{type: date, range: ['2024-01-01', '2024-03-31']}",
              List.of(
                  "'infinity'::date",
                  "'-infinity'::date",
                  "'5874897-12-31'::date",
                  "'4713-01-01 BC'::date",
                  "'294277-01-01'::date",
                  "'0001-01-01'::date",
                  "'0001-12-31 BC'::date",
                  "'10000-01-01'::date"),
              List.of("'2024-02-29'::date", "'2024-03-01'::date"),
              List.of(
                  i -> "('2024-02-29'::DATE + " + i + ")",
                  i -> "('300000-01-01'::DATE + " + i + ")")),
          new HostileColumn(
              "ts",
              Family.STAMP,
              "TIMESTAMP",
              "{type: timestamp}",
              List.of(
                  "'infinity'::timestamp",
                  "'-infinity'::timestamp",
                  "'4713-01-01 00:00:00 BC'::timestamp",
                  "'294276-12-31 23:59:59.999999'::timestamp",
                  "'9999-12-31 23:59:59.999999'::timestamp",
                  "'0001-01-01'::timestamp"),
              List.of(
                  "'2024-02-29 00:00:00'::timestamp", "'2024-02-29 00:00:00.000001'::timestamp"),
              List.of(i -> "('2024-02-29'::TIMESTAMP + " + i + " * INTERVAL '1 microsecond')")),
          new HostileColumn(
              "tm",
              Family.TIME,
              "TIME",
              "{type: time}",
              List.of("'24:00:00'::time", "'00:00:00'::time", "'23:59:59.999999'::time"),
              List.of("'24:00:00'::time", "'00:00:00'::time"),
              List.of(i -> "('12:00:00'::TIME + " + i + " * INTERVAL '1 microsecond')")),
          new HostileColumn(
              "tz",
              Family.STAMP,
              "TIMESTAMPTZ",
              "{type: timestamp}",
              List.of(
                  "'infinity'::timestamptz",
                  "'-infinity'::timestamptz",
                  "'294276-12-31 23:59:59.999999+00'::timestamptz",
                  "'4713-01-01 00:00:00+00 BC'::timestamptz",
                  "'0001-01-01 00:00:00+00'::timestamptz"),
              List.of(
                  "'2024-03-31 01:00:00+00'::timestamptz", "'2024-03-31 03:00:00+02'::timestamptz"),
              List.of(
                  i ->
                      "('2024-02-29 00:00:00+00'::TIMESTAMPTZ + "
                          + i
                          + " * INTERVAL '1 microsecond')")),
          new HostileColumn(
              "iv",
              Family.OPAQUE,
              "INTERVAL",
              "{type: opaque}",
              List.of("'0'::interval", "'178000000 years'::interval"),
              List.of(
                  "'1 day'::interval",
                  "'24 hours'::interval",
                  "'30 days'::interval",
                  "'1 month'::interval"),
              List.of(i -> "'" + i + " hours'::interval")),
          new HostileColumn(
              "bo",
              Family.BOOL,
              "BOOLEAN",
              "{type: boolean}",
              List.of("TRUE", "FALSE"),
              List.of("TRUE", "NULL::boolean"),
              List.of(i -> i % 2 == 0 ? "TRUE" : "FALSE")),
          new HostileColumn(
              "uu",
              Family.UUID,
              "UUID",
              "{type: uuid}",
              List.of("'00000000-0000-0000-0000-000000000000'::uuid"),
              List.of(
                  "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid",
                  "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid"),
              List.of(i -> "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd38%04x'::uuid".formatted(i))));

  private final List<String> urls;
  private final List<FreshPostgres> own;

  private PostgresTestBed(List<String> urls, List<FreshPostgres> own) {
    this.urls = urls;
    this.own = own;
  }

  /** On databases of its own. */
  static PostgresTestBed started() throws Exception {
    List<FreshPostgres> own = List.of(FreshPostgres.create(), FreshPostgres.create());
    return new PostgresTestBed(own.stream().map(FreshPostgres::url).toList(), own);
  }

  /** Makes the databases that are used. */
  static void prepare(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE side0");
      statement.execute("CREATE DATABASE side1");
    }
  }

  /** On a server that was prepared. */
  static PostgresTestBed on(EmbeddedPostgres server) {
    return new PostgresTestBed(
        List.of(server.getJdbcUrl("postgres", "side0"), server.getJdbcUrl("postgres", "side1")),
        List.of());
  }

  @Override
  public List<HostileColumn> columns() {
    return COLUMNS;
  }

  @Override
  public boolean keepsKeys() {
    return true;
  }

  @Override
  public Connection writer(int side) throws SQLException {
    Connection connection = DriverManager.getConnection(urls.get(side));
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t, u, p");
    }
    return connection;
  }

  @Override
  public JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log)
      throws SQLException {
    return JdbcDatabase.open(urls.get(side), policy, Duration.ofMinutes(10), log);
  }

  @Override
  public void close() throws Exception {
    for (FreshPostgres side : own) {
      side.close();
    }
  }
}
