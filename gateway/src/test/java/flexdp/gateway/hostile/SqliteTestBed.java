package flexdp.gateway.hostile;

import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/** A SQLite file for each side; any value may stand in any column. */
final class SqliteTestBed implements TestBed {
  /** Where doubles are 1024 apart. */
  private static final long L = 4611686018427387904L;

  private static final List<HostileColumn> COLUMNS =
      List.of(
          new HostileColumn(
              "k",
              Family.INT,
              "INTEGER",
              "{type: integer, range: [0, 10], domain: [0, 1, 2, null]}",
              List.of("2147483648", "-9223372036854775808", "'abc'", "1.5", "x'00'", "'1'"),
              List.of("0", "1", "1.0", "'1'"),
              List.of(i -> Integer.toString(i))),
          new HostileColumn(
              "b",
              Family.INT,
              "",
              "{type: bigint}",
              List.of(
                  "9223372036854775807",
                  "9223372036854775808",
                  "'9007199254740993'",
                  "x'41'",
                  "1e19"),
              List.of("9007199254740992", "9007199254740993"),
              List.of(i -> Long.toString(L + i), i -> Long.toString(9007199254740992L + i))),
          new HostileColumn(
              "x",
              Family.DBL,
              "REAL",
              "{type: double, range: [-10, 10]}",
              List.of(
                  "9e999", "-9e999", "1.7976931348623157e308", "4.9e-324", "'abc'", "x'ff'", "0.0"),
              List.of("0.0", "-0.0"),
              List.of(
                  i -> (L + 1024L * i) + ".0",
                  i -> "(0.1e0 + " + i + "e-17)",
                  i -> (i + 1) + "e300")),
          new HostileColumn(
              "r",
              Family.DBL,
              "",
              "{type: double}",
              List.of("9e999", "'inf'", "'nan'", "5", "'5'", "x'35'"),
              List.of("0.0", "-0.0", "0"),
              List.of(i -> Long.toString(L + i))),
          new HostileColumn(
              "m",
              Family.DEC,
              "DECIMAL(38,10)",
              "{type: 'decimal(38,10)'}",
              List.of(
                  "9999999999999999999999999999.9999999999",
                  "1e300",
                  "9e999",
                  "'x'",
                  "0.0000000001"),
              List.of("4611686018427387904", "4611686018427387905"),
              List.of(
                  i -> "'4611686018427387904.0000000' || " + (100 + i),
                  i -> "'9999999999999999999999999' || " + (100 + i))),
          new HostileColumn(
              "h",
              Family.DEC,
              "",
              "{type: 'decimal(38,0)'}",
              List.of("'99999999999999999999999999999999999999'", "1e38", "0", "-1.5"),
              List.of("4611686018427387904", "'4611686018427387904'"),
              List.of(i -> Long.toString(L + i))),
          new HostileColumn(
              "name",
              Family.TEXT,
              "TEXT",
              "{type: varchar, domain: [a, A, victim, '', null]}",
              List.of(
                  "''",
                  "'victim'",
                  "CAST(x'80' AS TEXT)",
                  "CAST(x'81' AS TEXT)",
                  "CAST(x'c0af' AS TEXT)",
                  "CAST(x'eda080' AS TEXT)",
                  "'a' || char(0) || 'b'",
                  "x'61'",
                  "'inf'",
                  "char(1114111)",
                  "'9999-12-31'",
                  "'24:00:00'",
                  "printf('%.100000c', 'a')"),
              List.of("'a'", "'A'", "'a '", "'á'"),
              List.of(
                  i -> "'a' || printf('%.*c', " + (i + 1) + ", ' ')",
                  i -> "CAST(x'80' AS TEXT) || " + i)),
          new HostileColumn(
              "ci",
              Family.TEXT,
              "TEXT COLLATE NOCASE",
              "{type: varchar}",
              List.of("''", "'victim'", "CAST(x'80' AS TEXT)", "5", "x'62'"),
              List.of("'a'", "'A'"),
              List.of(i -> "'a' || " + i)),
          new HostileColumn(
              "cr",
              Family.TEXT,
              "TEXT COLLATE RTRIM",
              "{type: varchar}",
              List.of("''", "' '"),
              List.of("'a'", "'a '"),
              List.of(i -> "'a' || " + i)),
          new HostileColumn(
              "d",
              Family.DATE,
              "DATE",
              "{type: date, range: ['2024-01-01', '2024-03-31']}",
              List.of(
                  "'9999-12-31'",
                  "'0001-01-01'",
                  "'10000-01-01'",
                  "'-4713-01-01'",
                  "'2024-02-30'",
                  "'0000-01-01'",
                  "20240229",
                  "2460000.5",
                  "x'32'"),
              List.of("'2024-02-29'", "'2024-03-01'", "'2024-02-29 '"),
              List.of(i -> "date('2024-02-29', '+" + i + " days')")),
          new HostileColumn(
              "ts",
              Family.STAMP,
              "TIMESTAMP",
              "{type: timestamp}",
              List.of(
                  "'9999-12-31 23:59:59.999999'",
                  "'0001-01-01 00:00:00'",
                  "'2024-02-29T12:00'",
                  "'2024-02-29 24:00:00'",
                  "'2024-02-29 23:59:60'",
                  "1709164800",
                  "'now'"),
              List.of("'2024-02-29 00:00:00'", "'2024-02-29'", "'2024-02-29 00:00:00.000'"),
              List.of(i -> "'2024-02-29 00:00:00.000" + (100 + i) + "'")),
          new HostileColumn(
              "bo",
              Family.BOOL,
              "BOOLEAN",
              "{type: boolean}",
              List.of("1", "0", "2", "'true'", "'t'", "-1"),
              List.of("1", "NULL"),
              List.of(i -> i % 2 == 0 ? "1" : "0")),
          new HostileColumn(
              "o",
              Family.OPAQUE,
              "BLOB",
              "{type: opaque}",
              List.of("x'00'", "'a'", "5", "5.0"),
              List.of("1", "1.0", "'1'"),
              List.of(i -> "zeroblob(" + i + ")")));

  private final Path folder;

  SqliteTestBed() throws IOException {
    folder = Files.createTempDirectory("hostile");
  }

  @Override
  public List<HostileColumn> columns() {
    return COLUMNS;
  }

  private String url(int side) {
    return "jdbc:sqlite:" + folder.resolve("side" + side + ".sqlite");
  }

  @Override
  public boolean keepsKeys() {
    return true;
  }

  @Override
  public Connection writer(int side) throws SQLException {
    Connection connection = DriverManager.getConnection(url(side));
    try (Statement statement = connection.createStatement()) {
      for (String table : HostileTables.NAMES) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
    }
    return connection;
  }

  @Override
  public JdbcDatabase open(int side, Connection writer, Policy policy, ErrorLog log)
      throws SQLException {
    return JdbcDatabase.open(url(side), policy, Duration.ofMinutes(10), log);
  }

  @Override
  public void close() throws IOException {
    for (int side = 0; side < 2; side++) {
      Files.deleteIfExists(folder.resolve("side" + side + ".sqlite"));
    }
    Files.delete(folder);
  }
}
