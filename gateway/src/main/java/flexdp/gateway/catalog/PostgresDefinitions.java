package flexdp.gateway.catalog;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Definitions in PostgreSQL's catalog, read in the question's own snapshot. A row of the catalog
 * that is changed is written anew by another transaction, so its number shows every change. A key
 * that the snapshot sees holds for the rows that it sees: whoever breaks it commits after the one
 * who dropped it.
 */
final class PostgresDefinitions implements Definitions {
  private static final String MARKS =
      """
      WITH t AS MATERIALIZED (
        SELECT c.oid, n.nspname, c.relname, c.xmin FROM pg_catalog.pg_class c
        JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid IN (%s))
      SELECT nspname, relname, pg_catalog.concat_ws(' ', 'table', oid, xmin) FROM t
      UNION ALL
      SELECT nspname, relname, pg_catalog.concat_ws(' ', 'column', a.attnum, a.xmin)
      FROM t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0
      UNION ALL
      SELECT nspname, relname, pg_catalog.concat_ws(' ', 'index', i.indexrelid, i.xmin)
      FROM t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
      UNION ALL
      SELECT nspname, relname, pg_catalog.concat_ws(' ', 'constraint', k.oid, k.xmin)
      FROM t JOIN pg_catalog.pg_constraint k ON k.conrelid = t.oid
      UNION ALL
      SELECT nspname, relname, pg_catalog.concat_ws(' ', 'child', h.inhrelid)
      FROM t JOIN pg_catalog.pg_inherits h ON h.inhparent = t.oid
      ORDER BY 1, 2, 3\
      """;

  private final Vendor vendor;

  PostgresDefinitions(Vendor vendor) {
    this.vendor = vendor;
  }

  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    String wanted =
        tables.stream()
            .map(t -> vendor.quote(t.schema()) + "." + vendor.quote(t.name()))
            .map(name -> "pg_catalog.to_regclass('" + name.replace("'", "''") + "')")
            .collect(Collectors.joining(", "));
    Map<Name, List<String>> marks = new HashMap<>();
    statements.run(
        MARKS.formatted(wanted),
        row ->
            marks
                .computeIfAbsent(
                    new Name(row.getString(1), row.getString(2)), n -> new ArrayList<>())
                .add(row.getString(3)));
    return marks;
  }

  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    return new PostgresTables(statements).read();
  }
}
