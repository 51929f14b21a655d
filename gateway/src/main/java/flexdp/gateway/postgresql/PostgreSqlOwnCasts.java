package flexdp.gateway.postgresql;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Conversions that somebody made between PostgreSQL's own types, by a function in SQL or another
 * language. A CAST finds them whatever the search path is; such a function may read any table or
 * fail on any row, so what is rendered would no longer be what was analysed.
 */
final class PostgreSqlOwnCasts {
  /** The system's own languages come with its own casts, and with extensions' types. */
  private static final String CASTS =
      """
      SELECT pg_catalog.format_type(k.castsource, NULL) || ' AS ' || pg_catalog.format_type(k.casttarget, NULL)
      FROM pg_catalog.pg_cast k JOIN pg_catalog.pg_type s ON s.oid = k.castsource
        JOIN pg_catalog.pg_type t ON t.oid = k.casttarget
        JOIN pg_catalog.pg_proc p ON p.oid = k.castfunc
        JOIN pg_catalog.pg_language l ON l.oid = p.prolang
      WHERE k.oid >= 16384::pg_catalog.oid AND l.lanname NOT IN ('c', 'internal')
        AND s.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
        AND t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
      ORDER BY 1\
      """;

  private PostgreSqlOwnCasts() {}

  static void requireNone(Statements statements) throws SQLException {
    List<String> found = new ArrayList<>();
    statements.run(CASTS, row -> found.add(row.getString(1)));
    if (!found.isEmpty()) {
      throw DatabaseError.of(
          "The database has casts of its own between PostgreSQL's types: "
              + String.join(", ", found)
              + ".",
          "Drop them: DROP CAST (" + found.getFirst() + ").");
    }
  }
}
