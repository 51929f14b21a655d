package flexdp.gateway.trino;

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
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Definitions in Trino, which holds no table and has no transaction: what is there before a reading
 * and after it was there in between, save for who changes it and changes it back. It has no keys
 * either; what can go is a table that becomes a view, a type, or a NOT NULL.
 */
final class TrinoDefinitions implements Definitions {
  /** One table at a time: only then does no catalog list all of its tables. */
  private static final String MARKS =
      """
      SELECT table_schema, table_name, 'table ' || table_type FROM %2$s
      WHERE table_schema = %4$s AND table_name = %5$s
      UNION ALL
      SELECT table_schema, table_name, 'column ' || CAST(ordinal_position AS varchar) || ' '
        || column_name || ' ' || data_type || ' ' || is_nullable
      FROM %3$s WHERE table_schema = %4$s AND table_name = %5$s
      UNION ALL
      SELECT schema_name, name, 'materialized' FROM system.metadata.materialized_views
      WHERE catalog_name = %1$s AND schema_name = %4$s AND name = %5$s\
      """;

  private final Map<Name, PhysicalTable> asked = new ConcurrentHashMap<>();
  private volatile Optional<String> own = Optional.empty();

  @Override
  public Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException {
    tables.forEach(table -> asked.put(Name.of(table), table));
    String catalog = own(statements);
    String sql =
        tables.stream()
            .map(
                t ->
                    MARKS.formatted(
                        SqlConstants.text(catalog(t, catalog)),
                        TrinoCatalogs.described(t.catalog(), "tables"),
                        TrinoCatalogs.described(t.catalog(), "columns"),
                        SqlConstants.text(t.schema()),
                        SqlConstants.text(t.name())))
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

  /** Those that were asked about: to list all takes minutes in some catalogs. */
  @Override
  public List<PhysicalTable> tables(Statements statements) throws SQLException {
    String catalog = own(statements);
    List<PhysicalTable> tables = new ArrayList<>();
    for (PhysicalTable t : asked.values()) {
      tables.addAll(
          new TrinoTables(statements, catalog(t, catalog), t.catalog(), t.schema(), t.name())
              .read());
    }
    return tables;
  }

  private static String catalog(PhysicalTable table, String own) {
    return table.catalog().isEmpty() ? own : table.catalog();
  }

  /** That of the address, which stays. */
  private String own(Statements statements) throws SQLException {
    if (own.isEmpty()) {
      statements.run(
          "SELECT current_catalog",
          row -> own = Optional.of(TrinoCatalogs.folded(row.getString(1))));
    }
    return own.orElseThrow();
  }
}
