package flexdp.gateway.hostile;

import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.duckdb.DuckDBConnection;

/** DuckDB in memory: every database is a new one. */
final class DuckDbTestBed implements TestBed {
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
              "UTINYINT",
              "{type: smallint}",
              List.of("0", "255"),
              List.of("1", "2"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "x",
              Family.DBL,
              "DOUBLE",
              "{type: double, range: [-10, 10]}",
              List.of(
                  "'NaN'::DOUBLE",
                  "'inf'::DOUBLE",
                  "'-inf'::DOUBLE",
                  "1.7976931348623157e308",
                  "4.9e-324",
                  "4611686018427387904e0",
                  "9007199254740992e0",
                  "0e0"),
              List.of("0e0", "'-0'::DOUBLE"),
              List.of(
                  i -> (L + 1024L * i) + "e0",
                  i -> "(0.1e0 + " + i + "e-17)",
                  i -> (i + 1) + "e300")),
          new HostileColumn(
              "r",
              Family.DBL,
              "FLOAT",
              "{type: double}",
              List.of("'NaN'::FLOAT", "'inf'::FLOAT", "3.4028235e38", "0.1", "16777216"),
              List.of("0e0", "'-0'::FLOAT"),
              List.of(i -> L + "e0", i -> Integer.toString(16777000 + i))),
          new HostileColumn(
              "m",
              Family.DEC,
              "DECIMAL(38,10)",
              "{type: 'decimal(38,10)'}",
              List.of(
                  "9999999999999999999999999999.9999999999",
                  "-9999999999999999999999999999.9999999999",
                  "0.0000000001",
                  "0"),
              List.of("4611686018427387904", "4611686018427387905"),
              List.of(
                  i -> "(4611686018427387904 + 0.0000000001 * " + i + ")",
                  i -> "9999999999999999999999999" + (100 + i))),
          new HostileColumn(
              "ub",
              Family.DEC,
              "UBIGINT",
              "{type: 'decimal(20,0)'}",
              List.of("18446744073709551615", "0", "1"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> "(18446744073709551000 + " + i + ")")),
          new HostileColumn(
              "h",
              Family.DEC,
              "HUGEINT",
              "{type: 'decimal(38,0)'}",
              List.of(
                  "170141183460469231731687303715884105727",
                  "-170141183460469231731687303715884105727",
                  "99999999999999999999999999999999999999",
                  "0"),
              List.of("4611686018427387904", "4611686018427387905"),
              List.of(
                  i -> Long.toString(L + i),
                  i -> "99999999999999999999999999999999999" + (100 + i))),
          new HostileColumn(
              "name",
              Family.TEXT,
              "VARCHAR",
              "{type: varchar, domain: [a, A, victim, '', null]}",
              List.of(
                  "''",
                  "'victim'",
                  "'a' || chr(0) || 'b'",
                  "repeat('a', 100000)",
                  "'inf'",
                  "chr(1114111)",
                  "'9999-12-31'",
                  "'24:00:00'",
                  "'-0'",
                  "'5881580-07-10'",
                  "'1e400'"),
              List.of("'a'", "'A'", "'a '", "'á'", "'a' || chr(769)"),
              List.of(i -> "'a' || repeat(' ', " + i + ")", i -> "repeat('b', 2000) || " + i)),
          new HostileColumn(
              "ci",
              Family.TEXT,
              "VARCHAR COLLATE NOCASE",
              "{type: varchar}",
              List.of("''", "'victim'", "'VICTIM'", "'a' || chr(0)", "chr(1114111)"),
              List.of("'aa'", "'AA'", "'aA'", "'Aa'", "'aa '"),
              List.of(
                  i ->
                      "'"
                          + Integer.toBinaryString(1024 + i % 1024)
                              .replace('0', 'a')
                              .replace('1', 'A')
                          + "'")),
          new HostileColumn(
              "d",
              Family.DATE,
              "DATE",
              "{type: date, range: ['2024-01-01', '2024-03-31']}",
              List.of(
                  "'infinity'::DATE",
                  "'-infinity'::DATE",
                  "'5881580-07-10'::DATE",
                  "'5877642-06-25 (BC)'::DATE",
                  "'294248-01-01'::DATE",
                  "'0001-01-01'::DATE",
                  "'0001-12-31 (BC)'::DATE",
                  "'10000-01-01'::DATE"),
              List.of("'2024-02-29'::DATE", "'2024-03-01'::DATE"),
              List.of(
                  i -> "('2024-02-29'::DATE + " + i + ")",
                  i -> "('300000-01-01'::DATE + " + i + ")")),
          new HostileColumn(
              "ts",
              Family.STAMP,
              "TIMESTAMP",
              "{type: timestamp}",
              List.of(
                  "'infinity'::TIMESTAMP",
                  "'-infinity'::TIMESTAMP",
                  "'290309-12-22 (BC) 00:00:00'::TIMESTAMP",
                  "'294247-01-10 04:00:54.775806'::TIMESTAMP",
                  "'9999-12-31 23:59:59.999999'::TIMESTAMP",
                  "'0001-01-01'::TIMESTAMP"),
              List.of(
                  "'2024-02-29 00:00:00'::TIMESTAMP", "'2024-02-29 00:00:00.000001'::TIMESTAMP"),
              List.of(i -> "('2024-02-29'::TIMESTAMP + INTERVAL (" + i + ") MICROSECOND)")),
          new HostileColumn(
              "tm",
              Family.TIME,
              "TIME",
              "{type: time}",
              List.of("'24:00:00'::TIME", "'00:00:00'::TIME", "'23:59:59.999999'::TIME"),
              List.of("'24:00:00'::TIME", "'00:00:00'::TIME"),
              List.of(i -> "('12:00:00'::TIME + INTERVAL (" + i + ") MICROSECOND)")),
          new HostileColumn(
              "tz",
              Family.STAMP,
              "TIMESTAMPTZ",
              "{type: timestamp}",
              List.of(
                  "'infinity'::TIMESTAMPTZ",
                  "'-infinity'::TIMESTAMPTZ",
                  "'294247-01-10 04:00:54.775806+00'::TIMESTAMPTZ",
                  "'290309-12-22 (BC) 00:00:00+00'::TIMESTAMPTZ",
                  "'0001-01-01 00:00:00+00'::TIMESTAMPTZ"),
              List.of(
                  "'2024-03-31 01:00:00+00'::TIMESTAMPTZ", "'2024-03-31 03:00:00+02'::TIMESTAMPTZ"),
              List.of(
                  i ->
                      "('2024-02-29 00:00:00+00'::TIMESTAMPTZ + INTERVAL ("
                          + i
                          + ") MICROSECOND)")),
          new HostileColumn(
              "iv",
              Family.OPAQUE,
              "INTERVAL",
              "{type: opaque}",
              List.of("INTERVAL '0' DAY", "INTERVAL 2147483647 MONTH"),
              List.of("INTERVAL 1 DAY", "INTERVAL 24 HOUR", "INTERVAL 30 DAY", "INTERVAL 1 MONTH"),
              List.of(i -> "INTERVAL (" + i + ") HOUR")),
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
              List.of("'00000000-0000-0000-0000-000000000000'::UUID"),
              List.of(
                  "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::UUID",
                  "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::UUID"),
              List.of(i -> "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd38%04x'::UUID".formatted(i))),
          new HostileColumn(
              "f",
              Family.DEC,
              "DECIMAL(38,30)",
              "{type: 'decimal(38,30)'}",
              List.of("99999999.999999999999999999999999999999", "0"),
              List.of("0.1", "0.100000000000000000000000000001"),
              List.of(i -> "(1 + 0.000000000000000000000000000001 * " + i + ")")));

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
    Properties one = new Properties();
    one.setProperty("threads", "1"); // the tables are small
    return DriverManager.getConnection("jdbc:duckdb:", one);
  }

  @Override
  public JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log)
      throws SQLException {
    return JdbcDatabase.over(
        ((DuckDBConnection) writer).duplicate(), policy, Duration.ofMinutes(10), log);
  }

  @Override
  public void close() {}
}
