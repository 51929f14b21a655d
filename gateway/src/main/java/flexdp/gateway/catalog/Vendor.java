package flexdp.gateway.catalog;

import flexdp.DatabaseError;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** What one kind of database has its own way for when it is described and measured. */
public interface Vendor {
  /** The word that people know it by. */
  String word();

  /** The name in quotes that keep its case and admit any character. */
  String quote(String name);

  /** Whether it can group by several sets of columns while it reads a table once. */
  boolean hasGroupingSets();

  /**
   * The expression that reads a column as a value of the declared type, NULL where there is none.
   * Metrics and questions must read alike, or their equalities could differ.
   */
  String read(PhysicalColumn column, Type declared);

  /** A condition on a DOUBLE, DATE or TIMESTAMP: neither NaN nor infinite. */
  String isFinite(String sql, Type type);

  /** Every relation that a user made, in a stable order. */
  List<PhysicalTable> tables(Connection connection) throws SQLException;

  /** Begins a read-only transaction that sees one state of the data until it ends. */
  void beginSnapshot(Connection connection) throws SQLException;

  /** The database's own name of the state that the transaction sees; may be empty. */
  String snapshot(Connection connection) throws SQLException;

  /** The vendor behind a connection. */
  static Vendor of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product.toLowerCase(Locale.ROOT)) {
      case "duckdb" -> new DuckDbVendor();
      case "postgresql" -> new PostgresVendor();
      case "sqlite" -> new SqliteVendor();
      default ->
          throw DatabaseError.of(
              "Databases of the kind '" + product + "' cannot be measured.",
              "Use DuckDB, PostgreSQL or SQLite.");
    };
  }
}
