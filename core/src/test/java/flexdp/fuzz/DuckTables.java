package flexdp.fuzz;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Runs the analyst's own text on DuckDB. Each table of the text is hidden by one of the same name
 * that holds the rows of a state, so that one prepared statement serves all states.
 */
final class DuckTables implements AutoCloseable {
  private final Connection connection;

  DuckTables() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET threads = 1");
    }
  }

  void load(TinyDatabase database) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (TinyTable tiny : database.tables().values()) {
        String columns =
            tiny.table().columns().stream()
                .map(c -> c.name() + (c.type().equals(Type.VARCHAR) ? " VARCHAR" : " INTEGER"))
                .collect(Collectors.joining(", "));
        String name = "all_" + tiny.table().name();
        statement.execute("CREATE OR REPLACE TABLE " + name + " (bit INTEGER, " + columns + ")");
        for (int i = 0; i < tiny.size(); i++) {
          String values =
              tiny.rows().get(i).stream()
                  .map(v -> v instanceof String ? "'" + v + "'" : String.valueOf(v))
                  .collect(Collectors.joining(", "));
          statement.execute("INSERT INTO " + name + " VALUES (" + i + ", " + values + ")");
        }
      }
    }
  }

  /** A query that can be asked of many states. */
  final class Prepared implements AutoCloseable {
    private final PreparedStatement statement;
    private final TinyDatabase database;
    private final int keys;
    private final Map<Integer, Map<String, long[]>> known = new HashMap<>();

    Prepared(String sql, TinyDatabase database, int keys) throws SQLException {
      List<String> tables = new ArrayList<>();
      for (TinyTable tiny : database.tables().values()) {
        String columns =
            tiny.table().columns().stream().map(ColumnSpec::name).collect(Collectors.joining(", "));
        String name = tiny.table().name();
        String which = tiny.table().isPublic() ? "" : " WHERE (?::INTEGER >> bit) & 1 = 1";
        tables.add(name + " AS (SELECT " + columns + " FROM all_" + name + which + ")");
      }
      this.statement =
          connection.prepareStatement(
              "WITH " + String.join(", ", tables) + " SELECT * FROM (" + sql + ") answer");
      this.database = database;
      this.keys = keys;
    }

    /** The numbers of each group; columns before the numbers are keys. */
    Map<String, long[]> answer(int state) throws SQLException {
      Map<String, long[]> answer = known.get(state);
      if (answer == null) {
        answer = run(state);
        known.put(state, answer);
      }
      return answer;
    }

    private Map<String, long[]> run(int state) throws SQLException {
      for (int i = 0; i < TinyDatabase.PROTECTED.size(); i++) {
        statement.setInt(i + 1, database.mask(state, TinyDatabase.PROTECTED.get(i)));
      }
      Map<String, long[]> groups = new HashMap<>();
      try (ResultSet rows = statement.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          StringBuilder key = new StringBuilder();
          for (int i = 1; i <= keys; i++) {
            key.append(rows.getString(i)).append('|');
          }
          long[] numbers = new long[columns - keys];
          for (int i = 0; i < numbers.length; i++) {
            numbers[i] = rows.getLong(keys + i + 1);
          }
          groups.put(key.toString(), numbers);
        }
      }
      return groups;
    }

    int states() {
      return known.size();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
