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
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every kind of database that is known. */
public final class Vendors {
  /** Made, and their classes loaded, one after the other until one fits; they keep nothing. */
  private static final List<Supplier<Vendor>> ALL =
      List.of(
          () -> new DuckDbVendor(),
          () -> new PostgreSqlVendor(),
          () -> new MariaDbVendor(),
          () -> new SqliteVendor(),
          () -> new TrinoVendor());

  private Vendors() {}

  private static Stream<Vendor> all() {
    return ALL.stream().map(Supplier::get);
  }

  /** The vendor behind a connection. */
  public static Vendor of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return all()
        .filter(v -> v.isProduct(product))
        .findFirst()
        .orElseThrow(
            () ->
                DatabaseError.of(
                    "Databases of the kind '" + product + "' are not known.",
                    "Use one of: " + titles() + "."));
  }

  static Optional<Vendor> at(String url) {
    return all().filter(v -> v.isAddress(url)).findFirst();
  }

  private static String titles() {
    return all().map(Vendor::title).collect(Collectors.joining(", "));
  }
}
