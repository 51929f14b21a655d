package flexdp.gateway.duckdb;

import flexdp.failure.DatabaseError;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A macro of the database comes before the function or operator of DuckDB that has its name, and
 * may read any table or fail on any row: what is rendered would no longer be what was analysed.
 * Functions have no name in full that all of them could be called by, operators none at all.
 */
final class DuckDbMacros {
  /** By its full name, and without any other function, since these may be in question. */
  private static final String FUNCTIONS =
      "SELECT function_name, internal, schema_name FROM system.main.duckdb_functions()";

  /** NOT is no function that could be in question. */
  private static final String MADE = FUNCTIONS + " WHERE NOT internal";

  private DuckDbMacros() {}

  static void requireNoneInTheWay(Connection connection) throws SQLException {
    if (!hasAny(connection)) {
      return;
    }
    Set<String> own = new HashSet<>();
    SortedSet<String> names = new TreeSet<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(FUNCTIONS)) {
      while (rows.next()) {
        String name = rows.getString(1).toLowerCase(Locale.ROOT);
        if (rows.getBoolean(2)) {
          own.add(name);
        } else if (rows.getString(3).equals("main")) {
          names.add(name);
        }
      }
    }
    names.retainAll(own);
    if (!names.isEmpty()) {
      throw DatabaseError.of(
          "The database has macros with names of DuckDB's own functions or operators: "
              + String.join(", ", names)
              + ".",
          "Rename them, or move them to another schema: CREATE MACRO other.NAME …, DROP MACRO"
              + " NAME.");
    }
  }

  /** Most databases have none, and then the thousands of DuckDB's own need not be read. */
  private static boolean hasAny(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(MADE)) {
      return rows.next();
    }
  }
}
