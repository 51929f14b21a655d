package flexdp.server.catalogue;

import java.util.List;
import java.util.stream.Collectors;

/** Names as PostgreSQL makes and writes them. */
final class PgNames {
  private static final int LONGEST = 63;

  private PgNames() {}

  /** The name that a key gets when nobody gives it one. */
  static String key(String table, List<String> columns, String kind) {
    String joined = String.join("_", columns);
    int room = LONGEST - kind.length() - 2;
    String first = table;
    while (first.length() + joined.length() > room) {
      if (first.length() > joined.length()) {
        first = first.substring(0, first.length() - 1);
      } else {
        joined = joined.substring(0, joined.length() - 1);
      }
    }
    return first + "_" + joined + "_" + kind;
  }

  static String quoted(List<String> names) {
    return names.stream().map(PgNames::quoted).collect(Collectors.joining(", "));
  }

  static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }
}
