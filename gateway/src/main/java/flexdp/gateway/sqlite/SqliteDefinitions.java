package flexdp.gateway.sqlite;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Definitions in SQLite: the text of the schema, which belongs to the state that is read. The file
 * counts the changes of its schema, too, but the count may be the same in another file, and stays
 * when somebody writes the text itself (writable_schema). Then a connection goes on with what it
 * read before, so that one count with two texts is refused.
 */
final class SqliteDefinitions implements Definitions {
  private static final int MOST_COUNTS = 1_000;

  private final Map<String, Map<String, List<String>>> byCount = new ConcurrentHashMap<>();

  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    Map<String, List<String>> texts = texts(statements);
    List<String> count = new ArrayList<>();
    statements.run("PRAGMA main.schema_version", row -> count.add(row.getString(1)));
    if (byCount.size() > MOST_COUNTS) {
      byCount.clear();
    }
    Map<String, List<String>> before = byCount.putIfAbsent(count.toString(), texts);
    if (before != null && !before.equals(texts)) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the tables of this SQLite file were redefined behind its back while it was open",
          "The owner runs flexdp policy check, then collect, and opens the database again.");
    }
    Map<Name, List<String>> marks = new HashMap<>();
    for (PhysicalTable table : tables) {
      List<String> text = texts.get(folded(table.name()));
      if (text != null) {
        marks.put(Name.of(table), text);
      }
    }
    return marks;
  }

  /** By table: its own text and those of its indexes and triggers. */
  private static Map<String, List<String>> texts(Statements statements) throws SQLException {
    Map<String, List<String>> texts = new TreeMap<>();
    statements.run(
        "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name",
        row ->
            texts
                .computeIfAbsent(folded(row.getString(3)), t -> new ArrayList<>())
                .add(row.getString(1) + " " + row.getString(2) + " " + row.getString(4)));
    return texts;
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    return new SqliteTables(statements).read();
  }
}
