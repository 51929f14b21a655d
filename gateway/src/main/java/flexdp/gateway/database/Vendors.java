package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.duckdb.DuckDbVendor;
import flexdp.gateway.mariadb.MariaDbVendor;
import flexdp.gateway.postgresql.PostgreSqlVendor;
import flexdp.gateway.sqlite.SqliteVendor;
import flexdp.gateway.trino.TrinoVendor;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every kind of database that is known. */
public final class Vendors {
  private static final List<Vendor> ALL =
      List.of(
          new DuckDbVendor(), //
          new PostgreSqlVendor(),
          new MariaDbVendor(),
          new SqliteVendor(),
          new TrinoVendor());

  private Vendors() {}

  /** The vendor behind a connection. */
  public static Vendor of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return ALL.stream()
        .filter(v -> v.isProduct(product))
        .findFirst()
        .orElseThrow(
            () ->
                DatabaseError.of(
                    "Databases of the kind '" + product + "' are not known.",
                    "Use one of: " + titles() + "."));
  }

  static Optional<Vendor> at(String url) {
    return ALL.stream().filter(v -> v.isAddress(url)).findFirst();
  }

  private static String titles() {
    return ALL.stream().map(Vendor::title).collect(Collectors.joining(", "));
  }
}
