package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.TableTotals.TotalsQuery;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends and counts that stored values tell are those of every value as it is read, whatever lies
 * among them and whatever was deleted since.
 */
class TableTotalsTest {
  private static final int TABLES = 20;
  private static final int MANY = 60;

  private static final List<String> DAYS =
      List.of("2020-02-29", "0001-01-01", "9999-12-31", "1999-12-31");
  private static final List<String> REALS = List.of("0.0", "-0.0", "1.5", "-2e300", "7");

  @TempDir Path folder;

  @Test
  void onDuckDbTheyAreThoseOfEveryValueAsItIsRead() throws SQLException {
    onDuckDb(TABLES);
  }

  @Test
  @Tag("nightly")
  void onDuckDbManyAre() throws SQLException {
    onDuckDb(MANY);
  }

  private void onDuckDb(int tables) throws SQLException {
    String columns =
        "d DATE, t TIMESTAMP, f DOUBLE, n DECIMAL(10,2), i TINYINT, u UINTEGER, s VARCHAR";
    List<String> odd = List.of("infinity", "-infinity", "10000-01-01", "0044-03-15 (BC)");
    try (Connection connection =
        DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("t"))) {
      int formless = 0;
      for (int seed = 0; seed < tables; seed++) {
        formless += compare(connection, new Random(seed), columns, odd, "CHECKPOINT");
      }
      assertTrue(
          6 * formless > tables && 2 * formless < 5 * tables, "values without a form: " + formless);
    }
  }

  @Test
  void onPostgreSqlToo() throws Exception {
    onPostgreSql(TABLES);
  }

  @Test
  @Tag("nightly")
  void onPostgreSqlManyAre() throws Exception {
    onPostgreSql(MANY);
  }

  private static void onPostgreSql(int tables) throws Exception {
    String columns =
        "d DATE, t TIMESTAMP, f DOUBLE PRECISION, n NUMERIC(10,2), i SMALLINT, u BIGINT, s TEXT";
    List<String> odd = List.of("infinity", "-infinity", "10000-01-01", "0044-03-15 BC");
    try (FreshPostgres server = FreshPostgres.create();
        Connection connection = server.connect()) {
      int formless = 0;
      for (int seed = 0; seed < tables; seed++) {
        formless += compare(connection, new Random(seed), columns, odd, "ANALYZE");
      }
      assertTrue(
          6 * formless > tables && 2 * formless < 5 * tables, "values without a form: " + formless);
    }
  }

  /** How many columns have values without a form. */
  private static int compare(
      Connection connection, Random random, String columns, List<String> odd, String settle)
      throws SQLException {
    boolean filled = random.nextInt(3) == 0;
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS r");
      statement.execute(
          "CREATE TABLE r (k INTEGER, "
              + (filled
                  ? columns.replace(",", " NOT NULL,").replace("10 NOT NULL,2", "10,2")
                  : columns)
              + ")");
      List<String> rows = new ArrayList<>();
      for (int i = random.nextInt(30); i > 0; i--) {
        rows.add(row(i, random, filled, random.nextInt(4) == 0 ? odd : List.of()));
      }
      if (!rows.isEmpty()) {
        statement.execute("INSERT INTO r VALUES " + String.join(", ", rows));
        statement.execute(settle);
        statement.execute("DELETE FROM r WHERE k % 5 = " + random.nextInt(5));
        statement.execute("UPDATE r SET i = 3, d = DATE '2001-01-01' WHERE k % 7 = 2");
      }
    }
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                "tables:\n  r: {columns: {d: {type: date}, t: {type: timestamp}, f: {type: double},"
                    + " n: {type: 'decimal(10,2)'}, i: {type: integer}, u: {type: bigint},"
                    + " s: {type: varchar}}}",
                ConfigurationError.Code.BAD_POLICY));
    Table table = policy.table("r").orElseThrow();
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    TotalsQuery query = new TotalsQuery(connector, catalog, table);
    TableTotals told = TableTotals.measure(connection, connector, catalog, table);
    assertEquals(query.read(connection, table.columns()), told);
    for (String whole : List.of("i", "u")) {
      assertEquals(byHand(connection, whole), ends(told, whole));
    }
    return query.stored(connection, table.columns()).formless().size();
  }

  private static String ends(TableTotals told, String column) {
    var range = told.ranges().get(column);
    return told.present().get(column)
        + (range == null ? " null null" : " " + range.low() + " " + range.high());
  }

  private static String byHand(Connection connection, String column) throws SQLException {
    String value = "CAST(" + column + " AS BIGINT)";
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(" + value + "), MIN(" + value + "), MAX(" + value + ") FROM r")) {
      row.next();
      return row.getString(1) + " " + row.getString(2) + " " + row.getString(3);
    }
  }

  private static String row(int key, Random random, boolean filled, List<String> odd) {
    List<String> days = new ArrayList<>(DAYS);
    days.addAll(odd);
    List<String> reals = new ArrayList<>(REALS);
    if (!odd.isEmpty()) {
      reals.addAll(List.of("nan", "infinity", "-infinity"));
    }
    return "("
        + String.join(
            ", ",
            String.valueOf(key),
            one(days, "DATE", random, filled),
            one(days, "TIMESTAMP", random, filled),
            one(reals, "DOUBLE PRECISION", random, filled),
            one(List.of("0", "1.25", "-3"), "DECIMAL(10,2)", random, filled),
            one(List.of("-5", "0", "100"), "SMALLINT", random, filled),
            one(List.of("0", "4294967295"), "BIGINT", random, filled),
            one(List.of("a", "", "b"), "VARCHAR", random, filled))
        + ")";
  }

  private static String one(List<String> values, String type, Random random, boolean filled) {
    return !filled && random.nextInt(6) == 0
        ? "NULL"
        : "CAST('" + values.get(random.nextInt(values.size())) + "' AS " + type + ")";
  }
}
