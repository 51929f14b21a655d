package flexdp.server;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.policy.PolicyReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** A real PostgreSQL 15 with the demo's tables, empty and owned by ann. */
final class RealPostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  private RealPostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  static RealPostgres start() throws IOException, SQLException {
    RealPostgres real =
        new RealPostgres(
            EmbeddedPostgres.builder()
                .setLocaleConfig("locale", "C.UTF-8")
                .setServerConfig("fsync", "off")
                .start());
    try (Connection connection = real.server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE ann LOGIN");
      statement.execute("CREATE DATABASE rides OWNER ann");
    }
    try (Connection connection = real.connect();
        Statement statement = connection.createStatement()) {
      for (String table :
          PolicyDdl.of(
              PolicyReader.read(
                  YamlText.tree(
                      RideSharing.policy("jdbc:duckdb:x"), ConfigurationError.Code.BAD_POLICY)))) {
        statement.execute(table);
      }
    }
    return real;
  }

  int port() {
    return server.getPort();
  }

  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "ann");
    return DriverManager.getConnection(
        "jdbc:postgresql://127.0.0.1:" + port() + "/rides", properties);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
