package flexdp.server.catalogue;

import flexdp.server.session.AboutServer.Visitor;
import flexdp.server.sql.Token;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;

/** Tells the catalogue who asks, and gives it the door's own tables when they are named. */
final class Variables {
  static final Map<String, String> TABLES =
      Map.of(
          "budget",
          "account VARCHAR, epsilon_spent DOUBLE, epsilon_budget DOUBLE,"
              + " epsilon_left DOUBLE, delta_spent DOUBLE, delta_budget DOUBLE,"
              + " delta_left DOUBLE, composition VARCHAR",
          "history",
          "asked_at TIMESTAMP, analyst VARCHAR, query VARCHAR, tables VARCHAR, mechanism VARCHAR,"
              + " epsilon DOUBLE, delta DOUBLE, outcome VARCHAR",
          "labels",
          "table_name VARCHAR, column_name VARCHAR, label VARCHAR");

  private Variables() {}

  static void set(Connection connection, Visitor visitor, List<Token> tokens) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET VARIABLE fdx_user = " + Output.quoted(visitor.user()));
      statement.execute("SET VARIABLE fdx_database = " + Output.quoted(visitor.database()));
    }
    for (int i = 0; i + 2 < tokens.size(); i++) {
      String table = tokens.get(i + 2).text();
      if (tokens.get(i).text().equals("flexdp")
          && tokens.get(i + 1).isSymbol(".")
          && TABLES.containsKey(table)) {
        fill(connection, table, visitor.tables().rows(table));
      }
    }
  }

  private static void fill(Connection connection, String table, List<List<Object>> rows)
      throws SQLException {
    String columns = TABLES.get(table);
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE OR REPLACE TEMP TABLE fdx_" + table + " (" + columns + ")");
    }
    int width = columns.split(",").length;
    String places = "?" + ", ?".repeat(width - 1);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO temp.main.fdx_" + table + " VALUES (" + places + ")")) {
      for (List<Object> row : rows) {
        for (int i = 0; i < width; i++) {
          Object value = row.get(i);
          insert.setObject(i + 1, value instanceof BigDecimal d ? (Object) d.doubleValue() : value);
        }
        insert.addBatch();
      }
      if (!rows.isEmpty()) {
        insert.executeBatch();
      }
    }
  }
}
