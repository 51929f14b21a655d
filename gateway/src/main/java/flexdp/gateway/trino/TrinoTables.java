package flexdp.gateway.trino;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.TableParts;
import flexdp.gateway.render.SqlConstants;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  /** Those of the catalog that the address names, and of its schema if it names one. */
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
}
