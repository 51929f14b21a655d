package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Position;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.duckdb.DuckDbConnector;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rows in which a column that is declared never NULL has no value, or one without a form, are left
 * out, though the database is asked about the stored column and not about what is read of it.
 */
class PresentRowsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              tables:
                t:
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    d: {type: date, nullable: false}
                    m: {type: timestamp, nullable: false}
                    h: {type: time, nullable: false}
                    x: {type: double, nullable: false}
                    s: {type: timestamp, nullable: false}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private static final List<String> GOOD =
      List.of("'2024-02-29'", "'2024-02-29 12:00:00'", "'23:59:59.999999'", "-0.0", "'2024-01-01'");
  private static final List<List<String>> BAD =
      List.of(
          List.of("'infinity'", "'-infinity'", "'10000-01-01'", "'0001-12-31 (BC)'", "NULL"),
          List.of("'infinity'", "'-infinity'", "'10000-01-01 00:00:00'", "NULL"),
          List.of("'24:00:00'", "NULL"),
          List.of("'nan'", "'infinity'", "'-infinity'", "NULL"),
          List.of("'infinity'", "'10000-01-01 00:00:00'", "NULL"));

  @Test
  void rowsWithoutAFormAreLeftOut() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, d DATE, m TIMESTAMP, h TIME, x DOUBLE,"
              + " s TIMESTAMP_S)");
      int id = 0;
      List<Integer> good = new ArrayList<>();
      for (int column = 0; column < BAD.size(); column++) {
        good.add(id);
        statement.execute("INSERT INTO t VALUES (" + id++ + ", " + String.join(", ", GOOD) + ")");
        for (String bad : BAD.get(column)) {
          List<String> row = new ArrayList<>(GOOD);
          row.set(column, bad);
          statement.execute("INSERT INTO t VALUES (" + id++ + ", " + String.join(", ", row) + ")");
        }
      }
      DuckDbConnector vendor = new DuckDbConnector();
      NameCatalog catalog = PhysicalCatalog.of(POLICY, vendor, vendor.tables(connection));
      Table table = POLICY.table("t").orElseThrow();
      FreshColumns ids = new FreshColumns(List.of(), List.of());
      List<Column> columns =
          table.columns().stream().map(c -> ids.column(c.name(), c.type(), c.nullable())).toList();
      String sql =
          new SqlRenderer(new DuckDb(), catalog)
              .filledRows(new Relation.Scan(table, columns, Position.START));
      List<Integer> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery(sql + " ORDER BY 1")) {
        while (rows.next()) {
          found.add(rows.getInt(1));
        }
      }
      assertEquals(good, found, sql);
      String presence = catalog.presence(table, table.column("d").orElseThrow()).orElseThrow();
      assertFalse(presence.contains("CASE"), presence);
    }
  }
}
