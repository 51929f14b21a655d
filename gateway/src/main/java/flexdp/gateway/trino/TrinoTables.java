package flexdp.gateway.trino;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.TableParts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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

  private final Connection connection;
  private final String catalog;
  private final String schema;
  private final String prefix;
  private final String only;
  private final String[] values;
  private final Map<Id, TableParts> found = new LinkedHashMap<>();

  TrinoTables(Connection connection) throws SQLException {
    this.connection = connection;
    this.catalog = TrinoCatalogs.own(connection);
    this.schema = TrinoCatalogs.folded(connection.getSchema());
    this.prefix = "";
    this.only = schema == null ? "table_schema <> 'information_schema'" : "table_schema = ?";
    this.values = schema == null ? new String[0] : new String[] {schema};
  }

  /** One table of another catalog, whatever is in it besides. */
  TrinoTables(Connection connection, String catalog, String schema, String table) {
    this.connection = connection;
    this.catalog = catalog;
    this.schema = null;
    this.prefix = catalog;
    this.only = "table_schema = ? AND table_name = ?";
    this.values = new String[] {schema, table};
  }

  private String described(String what) {
    String name = "information_schema." + what;
    return prefix.isEmpty() ? name : "\"" + prefix.replace("\"", "\"\"") + "\"." + name;
  }

  List<PhysicalTable> read() throws SQLException {
    Set<Id> views = materializedViews();
    String connector = TrinoCatalogs.connector(connection, catalog);
    boolean enforced = KEEP_NOT_NULL.contains(connector);
    boolean computed = COMPUTED.contains(connector);
    query(
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
    query(
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
    query(
        "SELECT schema_name, name FROM system.metadata.materialized_views WHERE lower(catalog_name)"
            + " = ?",
        row -> views.add(Id.folded(row.getString(1), row.getString(2))),
        catalog);
    return views;
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void query(String sql, RowReader reader) throws SQLException {
    query(sql, reader, values);
  }

  private void query(String sql, RowReader reader, String... with) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < with.length; i++) {
        statement.setString(i + 1, with[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          reader.read(rows);
        }
      }
    }
  }
}
