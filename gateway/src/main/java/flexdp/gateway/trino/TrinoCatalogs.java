package flexdp.gateway.trino;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.render.SqlConstants;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tables of other catalogs than the one that the address names, as a policy names them: {@code
 * catalog.schema.table}. A join over several catalogs is bounded like any other, but one table must
 * not stand under two names: a self join would be hidden. Two catalogs may reach the same rows, and
 * Trino does not tell. So two tables of the same schema and name are refused, whatever their
 * catalogs, and so are tables of two catalogs that may read files.
 */
final class TrinoCatalogs {
  /** Connectors to what keeps its rows by itself; others may read files that they share. */
  private static final Set<String> OWN_ROWS =
      Set.of(
          "memory",
          "tpch",
          "tpcds",
          "postgresql",
          "mysql",
          "mariadb",
          "sqlserver",
          "oracle",
          "clickhouse",
          "singlestore",
          "cassandra",
          "mongodb");

  private final Connection connection;
  private final String own;

  TrinoCatalogs(Connection connection) throws SQLException {
    this.connection = connection;
    this.own = own(connection);
  }

  /** The catalog of the address, which may be written in any case, as Trino itself has it. */
  static String own(Connection connection) throws SQLException {
    return folded(connection.getCatalog());
  }

  static String folded(String name) {
    return name == null ? null : name.toLowerCase(Locale.ROOT);
  }

  /** The tables of the policy that are in other catalogs; none when it names none. */
  List<PhysicalTable> others(Policy policy) throws SQLException {
    Map<String, String> catalogs = new HashMap<>(); // by schema and table
    Set<String> others = new TreeSet<>();
    List<TrinoTables.Place> places = new ArrayList<>();
    for (String name : policy.tables().keySet()) {
      String[] parts = name.toLowerCase(Locale.ROOT).split("\\.");
      boolean other = parts.length == 3;
      String catalog = other ? parts[0] : own;
      if (other && catalog.equals(own)) {
        throw refused(
            "'" + name + "' is in the catalog that the address of the server names",
            "Leave the catalog out of its name.");
      }
      String schema =
          parts.length > 1
              ? parts[parts.length - 2]
              : String.valueOf(folded(connection.getSchema()));
      String same = catalogs.putIfAbsent(schema + "." + parts[parts.length - 1], catalog);
      if (same != null && !same.equals(catalog)) {
        throw refused(
            "'" + name + "' has the schema and the name of a table in another catalog",
            "Both may be one table. Leave one out, or give it another name where it is stored.");
      }
      if (other) {
        others.add(catalog);
        places.add(
            new TrinoTables.Place(catalog, catalog, Optional.of(parts[1]), Optional.of(parts[2])));
      }
    }
    if (places.isEmpty()) {
      return List.of();
    }
    StatementRunner statements = StatementRunner.over(connection);
    TrinoTables found = TrinoTables.read(statements, places);
    Map<String, String> connectors = new TreeMap<>();
    others.forEach(other -> connectors.put(other, found.connector(other)));
    connectors.put(own, connector(statements, own));
    refuseSharedFiles(connectors);
    return found.tables(Optional.empty());
  }

  /**
   * @param connectors by catalog
   */
  static void refuseSharedFiles(Map<String, String> connectors) {
    List<String> files =
        connectors.keySet().stream().filter(c -> !OWN_ROWS.contains(connectors.get(c))).toList();
    if (files.size() > 1) {
      throw refused(
          "the catalogs " + String.join(" and ", files) + " may share files",
          "Ask about one of them at a time: nothing tells whether two of their tables are one.");
    }
  }

  /** The program behind a catalog; nothing where there is no such catalog. */
  private static String connector(StatementRunner statements, String catalog) throws SQLException {
    StringBuilder connector = new StringBuilder();
    statements.run(
        "SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = "
            + SqlConstants.text(folded(catalog)),
        row -> connector.append(row.getString(1)));
    return connector.toString();
  }

  /** A table of the descriptions that a catalog has of itself; of the address's own if empty. */
  static String described(String catalog, String what) {
    String name = "information_schema." + what;
    return catalog.isEmpty() ? name : "\"" + catalog.replace("\"", "\"\"") + "\"." + name;
  }

  private static ConfigurationError refused(String message, String hint) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_POLICY, message, hint);
  }
}
