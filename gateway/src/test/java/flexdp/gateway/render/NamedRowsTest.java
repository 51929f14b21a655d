package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Position;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.duckdb.DuckDbConnector;
import flexdp.gateway.files.YamlText;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * So many rows of each person are the same rows whether late ones are left out by their names or
 * first ones are put together: with rows that are equal, paths that lead nowhere, keys of parents
 * that are not unique though promised, and for a table that is read twice.
 */
class NamedRowsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              people: {user: {key: users.id, nobody: [0]}}
              tables:
                users:
                  owners: {user: id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                orders:
                  owners: {user: user_id}
                  rowsPerPerson: 2
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer}
                    a: {type: integer}
                items:
                  owners: {user: order_id.user_id}
                  rowsPerPerson: 3
                  columns:
                    order_id: {type: integer, references: orders.id}
                    v: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private final TargetDialect dialect = new DuckDb();
  private final FreshColumns ids = new FreshColumns(List.of(), List.of());
  private final OwnedTableExpansion read = OwnedTableExpansion.truncated(POLICY, ids);

  private final NameCatalog named =
      new NameCatalog() {
        @Override
        public String table(Table table) {
          return dialect.qualified(table.name());
        }

        @Override
        public String column(Table table, flexdp.policy.ColumnSpec column) {
          return dialect.quote(column.name());
        }

        @Override
        public Optional<String> rowName(Table table) {
          return Optional.of("rowid");
        }
      };

  private Relation.Scan scan(String name) {
    Table table = POLICY.table(name).orElseThrow();
    List<Column> columns =
        table.columns().stream().map(c -> ids.column(c.name(), c.type(), c.nullable())).toList();
    return new Relation.Scan(table, columns, Position.START);
  }

  private Relation joined(String one, String two) {
    Relation.Scan left = scan(one);
    Relation.Scan right = scan(two);
    Expr same =
        new Expr.Call(
            Function.EQ,
            List.of(left.columns().getLast().ref(), right.columns().getLast().ref()),
            Type.BOOLEAN);
    return new Relation.Join(
        Relation.JoinKind.INNER, read.of(left), read.of(right), same, Position.START);
  }

  private static List<String> rows(Statement statement, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet found = statement.executeQuery(sql)) {
      int columns = found.getMetaData().getColumnCount();
      while (found.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(found.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    rows.sort(null);
    return rows;
  }

  @Test
  void lateRowsAreLeftOutAsFirstOnesAreKept() throws SQLException {
    List<Relation> relations =
        List.of(
            read.of(scan("orders")),
            read.of(scan("items")),
            joined("orders", "orders"),
            joined("items", "items"),
            joined("orders", "items"));
    SplittableRandom random = new SplittableRandom(14);
    int dropped = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE orders (id INTEGER, user_id INTEGER, a INTEGER)");
      statement.execute("CREATE TABLE items (order_id INTEGER, v INTEGER)");
      for (int round = 0; round < 60; round++) {
        fill(statement, random);
        for (Relation relation : relations) {
          String sql = new SqlRenderer(dialect, named).rows(relation);
          List<String> kept = rows(statement, sql);
          String other = new SqlRenderer(dialect, NameCatalog.plain(dialect)).rows(relation);
          assertEquals(rows(statement, other), kept, sql);
          assertEquals(kept, rows(statement, sql));
        }
        dropped +=
            rows(statement, "SELECT * FROM orders WHERE user_id <> 0").size()
                - rows(statement, new SqlRenderer(dialect, named).rows(relations.getFirst()))
                    .size();
      }
    }
    assertTrue(dropped > 60, dropped + " rows dropped");
  }

  private static void fill(Statement statement, SplittableRandom random) throws SQLException {
    statement.execute("DELETE FROM orders");
    statement.execute("DELETE FROM items");
    int orders = random.nextInt(4, 14);
    for (int i = 0; i < orders; i++) {
      String user = random.nextInt(8) == 0 ? "NULL" : "" + random.nextInt(4);
      statement.execute(
          ("INSERT INTO orders VALUES (" + random.nextInt(7) + ", " + user)
              + (", " + random.nextInt(3) + ")"));
    }
    int items = random.nextInt(4, 20);
    for (int i = 0; i < items; i++) {
      String order = random.nextInt(8) == 0 ? "NULL" : "" + random.nextInt(9);
      statement.execute("INSERT INTO items VALUES (" + order + ", " + random.nextInt(3) + ")");
    }
  }

  @Test
  void aTableThatIsReadTwiceIsCutOnce() {
    String sql = new SqlRenderer(dialect, named).rows(joined("orders", "orders"));
    assertEquals(2, sql.split("ROW_NUMBER", -1).length, sql);
    assertEquals(2, sql.split("HAVING", -1).length, sql);
  }

  /** A column of the name would stand before what names rows, and need not be unique. */
  @Test
  void aColumnOfTheNameIsNotTakenForIt() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE users (id INTEGER)");
      statement.execute("CREATE TABLE orders (id INTEGER, user_id INTEGER, a INTEGER, RowId INT)");
      statement.execute("CREATE TABLE items (order_id INTEGER, v INTEGER)");
      DuckDbConnector vendor = new DuckDbConnector();
      NameCatalog catalog = PhysicalCatalog.of(POLICY, vendor, vendor.tables(connection));
      assertTrue(catalog.rowName(POLICY.table("orders").orElseThrow()).isEmpty());
      assertTrue(catalog.rowName(POLICY.table("items").orElseThrow()).isPresent());
      for (String table : List.of("orders", "items")) {
        String sql = new SqlRenderer(dialect, catalog).rows(read.of(scan(table)));
        assertTrue(!sql.contains("rowid AS"), sql);
      }
    }
  }
}
