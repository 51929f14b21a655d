package flexdp.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A PostgreSQL behind a pooler, whose other clients leave to the next one what they set. */
final class PooledPostgres extends MovedPostgres {
  private final EmbeddedPostgres server;
  private final Pooler pooler;

  private PooledPostgres(EmbeddedPostgres server, Pooler pooler) throws SQLException {
    super(server.getPostgresDatabase()::getConnection);
    this.server = server;
    this.pooler = pooler;
  }

  static PooledPostgres start(Path folder) throws Exception {
    EmbeddedPostgres server = FreshPostgres.own().start();
    return new PooledPostgres(server, new Pooler(folder, server.getPort(), 3));
  }

  @Override
  List<String> urls() {
    return List.of(pooler.url());
  }

  /** As many at once as there are connections to the server, so that each of them is set. */
  private Act left(String... set) {
    return patient -> {
      try (Connection one = pooler.connect();
          Connection two = pooler.connect()) {
        for (Connection client : List.of(one, two)) {
          OpenGateway.write(client, "BEGIN");
          OpenGateway.write(client, set);
        }
        OpenGateway.write(two, "COMMIT");
        OpenGateway.write(one, "COMMIT");
      }
      return true;
    };
  }

  @Override
  List<Move> moves() {
    List<Move> all = new ArrayList<>(super.moves());
    all.add(
        Move.of(
            "another client's settings",
            left(
                "SET SESSION search_path = public, pg_catalog",
                "SET SESSION default_transaction_isolation = 'read committed'",
                "SET SESSION transform_null_equals = on",
                "SET SESSION extra_float_digits = 0"),
            left("RESET ALL")));
    return all;
  }

  @Override
  public void close() throws Exception {
    try (server;
        pooler) {
      super.close();
    }
  }
}
