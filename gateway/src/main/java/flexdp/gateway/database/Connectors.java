package flexdp.gateway.database;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.duckdb.DuckDbConnector;
import flexdp.gateway.mariadb.MariaDbConnector;
import flexdp.gateway.postgresql.PostgreSqlConnector;
import flexdp.gateway.sqlite.SqliteConnector;
import flexdp.gateway.trino.TrinoConnector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every kind of database that is known. */
public final class Connectors {
  /** Made, and their classes loaded, one after the other until one fits; they keep nothing. */
  private static final List<Supplier<Connector>> ALL =
      List.of(
          () -> new DuckDbConnector(),
          () -> new PostgreSqlConnector(),
          () -> new MariaDbConnector(),
          () -> new SqliteConnector(),
          () -> new TrinoConnector());

  private Connectors() {}

  private static Stream<Connector> all() {
    return ALL.stream().map(Supplier::get);
  }

  /** The vendor behind a connection. */
  public static Connector of(Connection connection) throws SQLException {
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

  static Optional<Connector> at(String url) {
    return all().filter(v -> v.isAddress(url)).findFirst();
  }

  private static String titles() {
    return all().map(Connector::title).collect(Collectors.joining(", "));
  }
}
