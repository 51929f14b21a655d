package flexdp.gateway.sqlite;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Definitions in SQLite: the file counts the changes of its schema, and the count is of a state.
 */
final class SqliteDefinitions implements Definitions {
  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    List<String> version = new ArrayList<>();
    statements.run("PRAGMA schema_version", row -> version.add(row.getString(1)));
    Map<Name, List<String>> marks = new HashMap<>();
    tables.forEach(t -> marks.put(Name.of(t), List.copyOf(version)));
    return marks;
  }

  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    return new SqliteTables(statements).read();
  }
}
