package flexdp.gateway.hostile;

import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** One MariaDB with a database for each side. */
final class MariaDbTestBed implements TestBed {
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
              List.of("9223372036854775807", "-9223372036854775808", "9007199254740993"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> Long.toString(9007199254740992L + i))),
          new HostileColumn(
              "s",
              Family.INT,
              "TINYINT UNSIGNED",
              "{type: smallint}",
              List.of("0", "255"),
              List.of("1", "2"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "mi",
              Family.INT,
              "MEDIUMINT UNSIGNED ZEROFILL",
              "{type: integer}",
              List.of("0", "16777215"),
              List.of("1", "2"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "y",
              Family.INT,
              "YEAR",
              "{type: smallint}",
              List.of("1901", "2155", "0"),
              List.of("2024", "2025"),
              List.of(i -> Integer.toString(1901 + i))),
          new HostileColumn(
              "ub",
              Family.DEC,
              "BIGINT UNSIGNED",
              "{type: 'decimal(20,0)'}",
              List.of("18446744073709551615", "0", "1"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> "(18446744073709551000 + " + i + ")")),
          new HostileColumn(
              "x",
              Family.DBL,
              "DOUBLE",
              "{type: double, range: [-10, 10]}",
              List.of("1.7976931348623157e308", "-1.7976931348623157e308", "4.9e-324", "0e0"),
              List.of("0e0", "-0e0"),
              List.of(
                  i -> (L + 1024L * i) + "e0",
                  i -> "(0.1e0 + " + i + "e-17)",
                  i -> (i + 1) + "e300")),
          new HostileColumn(
              "r",
              Family.DBL,
              "FLOAT",
              "{type: double}",
              List.of("3.4028234e38", "0.1", "16777216"),
              List.of("0e0", "-0e0"),
              List.of(i -> L + "e0", i -> Integer.toString(16777000 + i))),
          new HostileColumn(
              "m",
              Family.DEC,
              "DECIMAL(38,10)",
              "{type: 'decimal(38,10)'}",
              List.of(
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
              "DECIMAL(38,30)",
              "{type: 'decimal(38,30)'}",
              List.of("99999999.999999999999999999999999999999", "0"),
              List.of("0.1", "0.100000000000000000000000000001"),
              List.of(i -> "(1 + 0.000000000000000000000000000001 * " + i + ")")),
          new HostileColumn(
              "name",
              Family.TEXT,
              "VARCHAR(3000)",
              "{type: varchar, domain: [a, A, victim, '', null]}",
              List.of(
                  "''",
                  "'victim'",
                  "REPEAT('a', 3000)",
                  "'inf'",
                  "'9999-12-31'",
                  "'24:00:00'",
                  "'-0'",
                  "CONCAT('a', CHAR(0), 'b')"),
              List.of("'a'", "'A'", "'a '", "'á'"),
              List.of(
                  i -> "CONCAT('a', REPEAT(' ', " + i + "))",
                  i -> "CONCAT(REPEAT('b', 2000), " + i + ")")),
          new HostileColumn(
              "tt",
              Family.TEXT,
              "TEXT CHARACTER SET latin1",
              "{type: varchar}",
              List.of("''", "'victim'", "REPEAT('a', 60000)"),
              List.of("'a'", "'A'", "'a '"),
              List.of(i -> "CONCAT(REPEAT('b', 2000), " + i + ")")),
          new HostileColumn(
              "lt",
              Family.TEXT,
              "LONGTEXT COLLATE utf8mb4_bin",
              "{type: varchar}",
              List.of("''", "REPEAT('é', 100000)"),
              List.of("'a'", "'a '"),
              List.of(i -> "CONCAT(REPEAT('b', 2000), " + i + ")")),
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
                  "'9999-12-31'", "'1000-01-01'", "'0001-01-01'", "'0000-00-00'", "'2024-02-00'"),
              List.of("'2024-02-29'", "'2024-03-01'"),
              List.of(i -> "(DATE '2024-02-29' + INTERVAL " + i + " DAY)")),
          new HostileColumn(
              "ts",
              Family.STAMP,
              "DATETIME(6)",
              "{type: timestamp}",
              List.of(
                  "'9999-12-31 23:59:59.999999'",
                  "'1000-01-01'",
                  "'0001-01-01'",
                  "'0000-00-00 00:00:00'",
                  "'2024-00-10 10:00:00'"),
              List.of("'2024-02-29 00:00:00'", "'2024-02-29 00:00:00.000001'"),
              List.of(
                  i ->
                      "(TIMESTAMP '2024-02-29 00:00:00.000000' + INTERVAL " + i + " MICROSECOND)")),
          new HostileColumn(
              "tz",
              Family.STAMP,
              "TIMESTAMP(6) NULL",
              "{type: timestamp}",
              List.of("'1970-01-01 00:00:01'", "'2038-01-19 03:14:07.999999'"),
              List.of("'2024-03-31 01:30:00'", "'2024-03-31 03:30:00'"),
              List.of(
                  i ->
                      "(TIMESTAMP '2024-02-29 00:00:00.000000' + INTERVAL " + i + " MICROSECOND)")),
          new HostileColumn(
              "tm",
              Family.TIME,
              "TIME(6)",
              "{type: time}",
              List.of(
                  "'24:00:00'",
                  "'838:59:59.999999'",
                  "'-838:59:59.999999'",
                  "'00:00:00'",
                  "'-00:00:01'"),
              List.of("'24:00:00'", "'00:00:00'"),
              List.of(i -> "'12:00:00.000" + (100 + i) + "'")),
          new HostileColumn(
              "bt",
              Family.INT,
              "BIT(16)",
              "{type: bigint}",
              List.of("65535", "0", "48"),
              List.of("0", "48"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "en",
              Family.TEXT,
              "ENUM('victim', 'a', 'B', '12', '1', '') CHARACTER SET latin1",
              "{type: varchar, domain: [a, victim, '', null]}",
              List.of("'victim'", "''", "'12'"),
              List.of("'1'", "1", "'a'", "'A'"),
              List.of(i -> Integer.toString(1 + i % 6))),
          new HostileColumn(
              "se",
              Family.TEXT,
              "SET('a', 'b', 'victim', '1')",
              "{type: varchar}",
              List.of("''", "'victim,1'", "15"),
              List.of("'a,b'", "'b,a'", "'A,a'"),
              List.of(i -> Integer.toString(i % 16))),
          new HostileColumn(
              "js",
              Family.TEXT,
              "JSON",
              "{type: varchar}",
              List.of("'\"victim\"'", "'{}'", "'[1e999]'"),
              List.of("'1'", "'1.0'", "' 1'", "'\"a\"'", "'\"\\\\u0061\"'"),
              List.of(i -> "CONCAT('[', REPEAT('0, ', 700), " + i + ", ']')")),
          new HostileColumn(
              "w",
              Family.DEC,
              "DECIMAL(65,30)",
              "{type: 'decimal(38,10)'}",
              List.of(
                  "99999999999999999999999999999999999.999999999999999999999999999999",
                  "-99999999999999999999999999999999999.999999999999999999999999999999",
                  "0.000000000000000000000000000001"),
              List.of("0.1", "0.100000000000000000000000000001"),
              List.of(
                  i -> "(1 + 0.000000000000000000000000000001 * " + i + ")",
                  i -> "999999999999999999999999999999999" + (10 + i % 90))),
          new HostileColumn(
              "vb",
              Family.OPAQUE,
              "VARBINARY(300)",
              "{type: opaque}",
              List.of("''", "X'FF'", "X'00'", "'victim'"),
              List.of("X'61'", "X'6100'", "X'41'"),
              List.of(i -> "CONCAT(X'FF', " + i + ")")),
          new HostileColumn(
              "bo",
              Family.BOOL,
              "BOOLEAN",
              "{type: boolean}",
              List.of("1", "0", "2", "-1"),
              List.of("1", "NULL"),
              List.of(i -> i % 2 == 0 ? "1" : "0")));

  @Override
  public List<HostileColumn> columns() {
    return COLUMNS;
  }

  @Override
  public Connection writer(int side) throws SQLException {
    MariaDbServer.create("hostile" + side);
    return MariaDbServer.writer("hostile" + side);
  }

  @Override
  public JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log)
      throws SQLException {
    String url = MariaDbServer.url("hostile" + side) + "?user=root";
    return JdbcDatabase.open(url, policy, Duration.ofMinutes(10), log);
  }

  @Override
  public void close() {
    // The server serves other tests too.
  }
}
