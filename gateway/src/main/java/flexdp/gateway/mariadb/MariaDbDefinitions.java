package flexdp.gateway.mariadb;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.render.SqlConstants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Definitions in MariaDB. What the catalog tells is of now, which is not before the state that is
 * read; a key that is there now and was there at the last look holds in between, save for the
 * moment in which somebody drops it and makes it anew.
 */
final class MariaDbDefinitions implements Definitions {
  private static final String MARKS =
      """
      SELECT table_schema, table_name, CONCAT_WS(' ', 'table', table_type, engine)
      FROM information_schema.tables WHERE %1$s
      UNION ALL
      SELECT table_schema, table_name, CONCAT_WS(' ', 'column', ordinal_position, column_name,
        column_type, collation_name, is_nullable, generation_expression, extra)
      FROM information_schema.columns WHERE %1$s
      UNION ALL
      SELECT table_schema, table_name, CONCAT_WS(' ', 'key', seq_in_index, index_name, column_name,
        index_type)
      FROM information_schema.statistics WHERE non_unique = 0 AND %1$s\
      """;

  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    // One table at a time: only then does the server not look at all of them.
    String sql =
        tables.stream()
            .map(
                t ->
                    MARKS.formatted(
                        "table_schema = "
                            + SqlConstants.escaped(t.schema())
                            + " AND table_name = "
                            + SqlConstants.escaped(t.name())))
            .collect(Collectors.joining(" UNION ALL "));
    Map<Name, List<String>> marks = new HashMap<>();
    statements.run(
        sql,
        row ->
            marks
                .computeIfAbsent(
                    new Name(row.getString(1), row.getString(2)), n -> new ArrayList<>())
                .add(row.getString(3)));
    marks.values().forEach(Collections::sort);
    return marks;
  }

  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    return new MariaDbTables(statements).read();
  }
}
