package flexdp.gateway.hostile;

import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import flexdp.trino.Cluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tables in the memory of a Trino server, in a schema for each side. */
final class TrinoTestBed implements TestBed {
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
              List.of("9223372036854775807", "-9223372036854775807", "9007199254740993"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> Long.toString(9007199254740992L + i))),
          new HostileColumn(
              "s",
              Family.INT,
              "TINYINT",
              "{type: smallint}",
              List.of("TINYINT '127'", "TINYINT '-128'"),
              List.of("TINYINT '1'", "TINYINT '2'"),
              List.of(i -> "CAST(" + i % 100 + " AS TINYINT)")),
          new HostileColumn(
              "x",
              Family.DBL,
              "DOUBLE",
              "{type: double, range: [-10, 10]}",
              List.of(
                  "nan()",
                  "infinity()",
                  "-infinity()",
                  "1.7976931348623157e308",
                  "4.9e-324",
                  "0e0"),
              List.of("0e0", "-0e0"),
              List.of(
                  i -> (L + 1024L * i) + "e0",
                  i -> "(0.1e0 + " + i + "e-17)",
                  i -> (i + 1) + "e300")),
          new HostileColumn(
              "r",
              Family.DBL,
              "REAL",
              "{type: double}",
              List.of(
                  "CAST(nan() AS REAL)",
                  "CAST(infinity() AS REAL)",
                  "REAL '3.4028235e38'",
                  "REAL '0.1'"),
              List.of("REAL '0'", "REAL '-0'"),
              List.of(i -> "REAL '" + L + "'", i -> "REAL '" + (16777000 + i) + "'")),
          new HostileColumn(
              "m",
              Family.DEC,
              "DECIMAL(38,10)",
              "{type: 'decimal(38,10)'}",
              List.of(
                  "DECIMAL '9999999999999999999999999999.9999999999'",
                  "DECIMAL '-9999999999999999999999999999.9999999999'",
                  "DECIMAL '0.0000000001'"),
              List.of(
                  "DECIMAL '4611686018427387904.0000000000'",
                  "DECIMAL '4611686018427387905.0000000000'"),
              List.of(
                  i -> "DECIMAL '4611686018427387904.0000000" + (100 + i) + "'",
                  i -> "DECIMAL '9999999999999999999999999" + (100 + i) + ".0000000000'")),
          new HostileColumn(
              "h",
              Family.DEC,
              "DECIMAL(38,0)",
              "{type: 'decimal(38,0)'}",
              List.of("DECIMAL '99999999999999999999999999999999999999'", "DECIMAL '0'"),
              List.of("DECIMAL '4611686018427387904'", "DECIMAL '4611686018427387905'"),
              List.of(
                  i -> "DECIMAL '" + (L + i) + "'",
                  i -> "DECIMAL '99999999999999999999999999999999999" + (100 + i) + "'")),
          new HostileColumn(
              "name",
              Family.TEXT,
              "VARCHAR",
              "{type: varchar, domain: [a, A, victim, '', null]}",
              List.of(
                  "''",
                  "'victim'",
                  "'inf'",
                  "chr(1114111)",
                  "'9999-12-31'",
                  "'24:00:00'",
                  "'-0'",
                  "'1e400'",
                  "'a' || chr(0)"),
              List.of("'a'", "'A'", "'a '", "'á'"),
              List.of(
                  i -> "'a' || " + (i == 0 ? "''" : "rpad(' ', " + i + ", ' ')"),
                  i -> "rpad('b', 2000, 'b') || '" + i + "'")),
          new HostileColumn(
              "c",
              Family.TEXT,
              "CHAR(5)",
              "{type: varchar}",
              List.of("CAST('' AS CHAR(5))", "CAST('12345' AS CHAR(5))"),
              List.of("CAST('a' AS CHAR(5))", "CAST('a ' AS CHAR(5))"),
              List.of(i -> "CAST('" + i + "' AS CHAR(5))")),
          new HostileColumn(
              "d",
              Family.DATE,
              "DATE",
              "{type: date, range: ['2024-01-01', '2024-03-31']}",
              List.of(
                  "date_add('day', 2000000000, DATE '1970-01-01')",
                  "date_add('day', -2000000000, DATE '1970-01-01')",
                  "DATE '0001-01-01'",
                  "date_add('day', -1, DATE '0001-01-01')",
                  "date_add('day', 1, DATE '9999-12-31')"),
              List.of("DATE '2024-02-29'", "DATE '2024-03-01'"),
              List.of(
                  i -> "date_add('day', " + i + ", DATE '2024-02-29')",
                  i -> "date_add('day', " + (100000000 + i) + ", DATE '2024-02-29')")),
          new HostileColumn(
              "ts",
              Family.STAMP,
              "TIMESTAMP(6)",
              "{type: timestamp}",
              List.of(
                  "TIMESTAMP '9999-12-31 23:59:59.999999'",
                  "TIMESTAMP '0001-01-01 00:00:00.000000'",
                  "date_add('year', 9000, TIMESTAMP '9999-12-31 23:59:59.999999')",
                  "date_add('year', -9000, TIMESTAMP '0001-01-01 00:00:00.000000')"),
              List.of(
                  "TIMESTAMP '2024-02-29 00:00:00.000000'",
                  "TIMESTAMP '2024-02-29 00:00:00.000001'"),
              List.of(i -> "TIMESTAMP '2024-02-29 00:00:00.000" + "%03d".formatted(i) + "'")),
          new HostileColumn(
              "tm",
              Family.TIME,
              "TIME(6)",
              "{type: time}",
              List.of("TIME '00:00:00.000000'", "TIME '23:59:59.999999'"),
              List.of("TIME '12:00:00.000000'", "TIME '12:00:00.000001'"),
              List.of(i -> "TIME '12:00:00.000" + "%03d".formatted(i) + "'")),
          new HostileColumn(
              "tz",
              Family.STAMP,
              "TIMESTAMP(3) WITH TIME ZONE",
              "{type: timestamp}",
              List.of(
                  "TIMESTAMP '0001-01-01 00:00:00.000 UTC'",
                  "TIMESTAMP '9999-12-31 23:59:59.999 -14:00'",
                  "TIMESTAMP '0001-01-01 00:00:00.000 +14:00'"),
              List.of(
                  "TIMESTAMP '2024-03-31 01:00:00.000 UTC'",
                  "TIMESTAMP '2024-03-31 03:00:00.000 +02:00'"),
              List.of(i -> "TIMESTAMP '2024-02-29 00:00:00." + "%03d".formatted(i) + " UTC'")),
          new HostileColumn(
              "bo",
              Family.BOOL,
              "BOOLEAN",
              "{type: boolean}",
              List.of("TRUE", "FALSE"),
              List.of("TRUE", "NULL"),
              List.of(i -> i % 2 == 0 ? "TRUE" : "FALSE")),
          new HostileColumn(
              "uu",
              Family.UUID,
              "UUID",
              "{type: uuid}",
              List.of("UUID '00000000-0000-0000-0000-000000000000'"),
              List.of(
                  "UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
                  "UUID 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'"),
              List.of(i -> "UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd38%04x'".formatted(i))));

  private final List<String> urls = new ArrayList<>();

  TrinoTestBed() throws Exception {
    for (int side = 0; side < 2; side++) {
      urls.add(Cluster.singleUrl("memory/hostile" + side));
      try (Connection connection = connect(side)) {
        Cluster.execute(connection, "CREATE SCHEMA IF NOT EXISTS memory.hostile" + side);
      }
    }
  }

  private Connection connect(int side) throws SQLException {
    return Cluster.writer(urls.get(side));
  }

  @Override
  public List<HostileColumn> columns() {
    return COLUMNS;
  }

  /** Trino has no keys: they are what the owner says. */
  @Override
  public String key() {
    return "BIGINT";
  }

  /** A cluster takes its time for each statement, and tables take many. */
  @Override
  public int questionsPerPair() {
    return 60;
  }

  @Override
  public Connection writer(int side) throws SQLException {
    Connection connection = connect(side);
    for (String table : HostileTables.NAMES) {
      Cluster.execute(connection, "DROP TABLE IF EXISTS " + table);
    }
    return connection;
  }

  @Override
  public JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log) {
    return JdbcDatabase.open(urls.get(side), policy, Duration.ofMinutes(10), log);
  }

  @Override
  public void close() {
    // The server is there for other tests too.
  }
}
