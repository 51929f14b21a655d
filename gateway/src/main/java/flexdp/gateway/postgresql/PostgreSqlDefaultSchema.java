package flexdp.gateway.postgresql;

import flexdp.gateway.catalog.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The schema in which people find a table by its bare name: the first of the path that whoever is
 * connected has from the start. What somebody set on the same connection since does not count, and
 * our own transactions have another path.
 */
final class PostgreSqlDefaultSchema {
  private static final String PATH =
      "SELECT reset_val, CURRENT_USER FROM pg_catalog.pg_settings WHERE name = 'search_path'";

  private static final String SCHEMAS =
      "SELECT n.nspname FROM pg_catalog.pg_namespace n"
          + " WHERE pg_catalog.has_schema_privilege(n.oid, 'USAGE')";

  private PostgreSqlDefaultSchema() {}

  static Optional<String> of(Statements statements) throws SQLException {
    List<String> path = new ArrayList<>();
    statements.run(PATH, row -> path.addAll(names(row.getString(1), row.getString(2))));
    Set<String> present = new HashSet<>();
    statements.run(SCHEMAS, row -> present.add(row.getString(1)));
    return path.stream().filter(present::contains).findFirst();
  }

  /** The names of a path, as the server reads them. */
  static List<String> names(String path, String user) {
    List<String> names = new ArrayList<>();
    StringBuilder name = new StringBuilder();
    boolean quoted = false;
    boolean wasQuoted = false;
    for (int i = 0; i <= path.length(); i++) {
      char c = i < path.length() ? path.charAt(i) : ',';
      if (quoted && c == '"' && i + 1 < path.length() && path.charAt(i + 1) == '"') {
        name.append('"');
        i++;
      } else if (c == '"') {
        quoted = !quoted;
        wasQuoted = true;
      } else if (quoted && i < path.length()) {
        name.append(c);
      } else if (c == ',') {
        String found = name.toString();
        names.add(wasQuoted && found.equals("$user") ? user : found);
        name.setLength(0);
        wasQuoted = false;
      } else if (!Character.isWhitespace(c)) {
        name.append(String.valueOf(c).toLowerCase(Locale.ROOT));
      }
    }
    names.removeIf(String::isEmpty);
    return names;
  }
}
