package flexdp.gateway.trino;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.PhysicalTable.TableParts;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.render.SqlConstants;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Reads the catalog that the address names; with a schema in the address only that schema, since
 * some catalogs take minutes to list. Trino knows no keys, and NOT NULL counts only where what
 * stores the rows keeps it.
 */
final class TrinoTables {
  /** Connectors that refuse a NULL when rows are written, or whose rows are computed. */
  private static final Set<String> KEEP_NOT_NULL =
      Set.of("memory", "tpch", "tpcds", "iceberg", "delta_lake");

  /** Connectors that store nothing, and compute no value that has no form. */
  private static final Set<String> COMPUTED = Set.of("tpch", "tpcds");

  private record Id(String schema, String name) {
    static Id folded(String schema, String name) {
      return new Id(TrinoCatalogs.folded(schema), TrinoCatalogs.folded(name));
    }
  }

  private final Statements statements;
  private final String catalog;
  private final String schema;
  private final String prefix;
  private final String only;
  private final Map<Id, TableParts> found = new LinkedHashMap<>();

  /** Finds the tables of the catalog that the address names, and of its schema if it names one. */
  TrinoTables(Connection connection) throws SQLException {
    this.statements = Statements.over(connection);
    this.catalog = TrinoCatalogs.own(connection);
    this.schema = TrinoCatalogs.folded(connection.getSchema());
    this.prefix = "";
    this.only =
        schema == null
            ? "table_schema <> 'information_schema'"
            : "table_schema = " + SqlConstants.text(schema);
  }

  /**
   * One table, whatever is beside it.
   *
   * @param prefix its catalog where that is another than the one of the address, else empty
   */
  TrinoTables(Statements statements, String catalog, String prefix, String schema, String table) {
    this.statements = statements;
    this.catalog = catalog;
    this.schema = null;
    this.prefix = prefix;
    this.only =
        "table_schema = "
            + SqlConstants.text(schema)
            + " AND table_name = "
            + SqlConstants.text(table);
  }

  private String described(String what) {
    return TrinoCatalogs.described(prefix, what);
  }

  List<PhysicalTable> read() throws SQLException {
    Set<Id> views = materializedViews();
    String connector = TrinoCatalogs.connector(statements, catalog);
    boolean enforced = KEEP_NOT_NULL.contains(connector);
    boolean computed = COMPUTED.contains(connector);
    statements.run(
        "SELECT table_schema, table_name, table_type FROM "
            + described("tables")
            + " WHERE "
            + only
            + " ORDER BY 1, 2",
        row -> {
          Id id = new Id(row.getString(1), row.getString(2));
          boolean table =
              row.getString(3).equals("BASE TABLE")
                  && !views.contains(Id.folded(id.schema(), id.name()));
          found.put(
              id,
              new TableParts(
                  prefix,
                  id.schema(),
                  id.name(),
                  id.schema().equals(schema),
                  table ? Kind.TABLE : Kind.VIEW));
        });
    statements.run(
        "SELECT table_schema, table_name, column_name, data_type, is_nullable FROM "
            + described("columns")
            + " WHERE "
            + only
            + " ORDER BY 1, 2, ordinal_position",
        row -> {
          TableParts parts = found.get(new Id(row.getString(1), row.getString(2)));
          if (parts != null) {
            String typeName = row.getString(4);
            parts.columns.add(
                new PhysicalColumn(
                    row.getString(3),
                    typeName,
                    TrinoVendor.type(typeName),
                    computed || TrinoVendor.isTotal(typeName),
                    enforced && row.getString(5).equals("NO")));
          }
        });
    return found.values().stream().map(TableParts::table).toList();
  }

  /** Trino lists them among the tables. Names have no case; an address may be written in any. */
  private Set<Id> materializedViews() throws SQLException {
    Set<Id> views = new HashSet<>();
    statements.run(
        "SELECT schema_name, name FROM system.metadata.materialized_views WHERE catalog_name = "
            + SqlConstants.text(catalog),
        row -> views.add(Id.folded(row.getString(1), row.getString(2))));
    return views;
  }

  /**
   * Definitions in Trino, which holds no table and has no transaction: what is there before a
   * reading and after it was there in between, save for who changes it and changes it back. It has
   * no keys either; what can go is a table that becomes a view, a type, or a NOT NULL.
   */
  static final class TrinoDefinitions implements Definitions {
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
}
