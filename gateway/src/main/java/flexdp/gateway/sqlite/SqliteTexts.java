package flexdp.gateway.sqlite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sqlite.Function;

/**
 * Whether all texts of a column, given by the names of its table and itself, are UTF-8. The column
 * is looked at when a statement first asks, and again when the database has changed.
 *
 * <p>What was seen holds for the statement that asks. It runs in a transaction, in which SQLite
 * shows one state; data_version is the number of that state, and grows when another connection has
 * changed anything. This connection must not write itself (query_only), for its own changes leave
 * that number as it is; where it might, every text is looked at. So the answer of a statement never
 * depends on what was remembered, only the time that it takes.
 */
final class SqliteTexts extends Function {
  /** As statements: a table may be called as the functions that read the same. */
  private static final List<String> STATE =
      List.of("PRAGMA main.data_version", "PRAGMA main.schema_version", "SELECT total_changes()");

  private final Connection connection;
  private final Sqlite dialect = new Sqlite();
  private final Map<String, Boolean> known = new HashMap<>();
  private String state = "";

  SqliteTexts(Connection connection) {
    this.connection = connection;
  }

  @Override
  protected void xFunc() throws SQLException {
    result(areAllUtf8(value_text(0), value_text(1)) ? 1 : 0);
  }

  private boolean areAllUtf8(String table, String column) {
    String place = "main." + dialect.quote(table);
    String text = dialect.quote(column);
    try (Statement statement = connection.createStatement()) {
      if (!isUnchanging(statement)) {
        return false;
      }
      String name = place + "." + text;
      Boolean seen = known.get(name);
      if (seen == null) {
        seen = !any(statement, place, text);
        known.put(name, seen);
      }
      return seen;
    } catch (SQLException e) {
      // Interrupted, or out of memory: the statement around meets the same by itself.
      return false;
    }
  }

  /** Forgets what was seen in another state. */
  private boolean isUnchanging(Statement statement) throws SQLException {
    StringBuilder now = new StringBuilder();
    for (String part : STATE) {
      now.append(one(statement, part)).append(' ');
    }
    if (!state.contentEquals(now)) {
      known.clear();
      state = now.toString();
    }
    return one(statement, "PRAGMA query_only").equals("1");
  }

  private static String one(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private static boolean any(Statement statement, String place, String text) throws SQLException {
    String other = "typeof(" + text + ") = 'text' AND NOT " + Sqlite.isText(text);
    try (ResultSet row =
        statement.executeQuery("SELECT EXISTS (SELECT 1 FROM " + place + " WHERE " + other + ")")) {
      row.next();
      return row.getBoolean(1);
    }
  }
}
