package flexdp.server.pgcatalog;

import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Tells the catalogue who asks, and gives it the door's own tables when they are named. */
final class SessionVariables {
  static final Map<String, String> TABLES =
      Map.of(
          "budget",
          "account VARCHAR, epsilon_spent DOUBLE, epsilon_budget DOUBLE,"
              + " epsilon_left DOUBLE, delta_spent DOUBLE, delta_budget DOUBLE,"
              + " delta_left DOUBLE, composition VARCHAR, per VARCHAR, comes_back TIMESTAMP,"
              + " largest_next DOUBLE",
          "history",
          "asked_at TIMESTAMP, analyst VARCHAR, query VARCHAR, tables VARCHAR, mechanism VARCHAR,"
              + " epsilon DOUBLE, delta DOUBLE, outcome VARCHAR",
          "labels",
          "table_name VARCHAR, column_name VARCHAR, label VARCHAR");

  private SessionVariables() {}

  /** The door's own table that is meant; names of tables have no case in the database below. */
  static Optional<String> table(Token name) {
    String plain = name.text().toLowerCase(Locale.ROOT);
    return name.isName() && TABLES.containsKey(plain) ? Optional.of(plain) : Optional.empty();
  }

  /**
   * @throws SqlError when there is no such table
   */
  static String required(Token name) {
    return table(name)
        .orElseThrow(
            () ->
                SqlError.at(
                    name.from(),
                    "42P01",
                    "There is no such table in the schema flexdp.",
                    "flexdp.budget, flexdp.history, flexdp.labels"));
  }

  /** The door's own tables that a statement names. */
  static Set<String> named(List<Token> tokens) {
    Set<String> named = new TreeSet<>();
    for (int i = 0; i + 2 < tokens.size(); i++) {
      if (tokens.get(i).text().equals("flexdp") && tokens.get(i + 1).isSymbol(".")) {
        table(tokens.get(i + 2)).ifPresent(named::add);
      }
    }
    return named;
  }

  /** Whether a statement may ask for settings of its connection, or change some. */
  static boolean namesSettings(List<Token> tokens) {
    return tokens.stream()
        .anyMatch(t -> t.text().equals("current_setting") || t.text().equals("set_config"));
  }

  static void set(Connection connection, WorkerMessage.Request request) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET VARIABLE fdx_user = " + RewrittenText.quoted(request.user()));
      statement.execute("SET VARIABLE fdx_database = " + RewrittenText.quoted(request.database()));
    }
    for (Map.Entry<String, List<List<Object>>> table : request.tables().entrySet()) {
      fill(connection, table.getKey(), table.getValue());
    }
  }

  /** Takes them away again: they change. */
  static void clear(Connection connection, Set<String> tables) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : tables) {
        statement.execute("DROP TABLE IF EXISTS temp.main.fdx_" + table);
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
