package flexdp.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

/** A PostgreSQL of one test. */
final class MortalPostgres implements MortalServer {
  private final Path data;
  private final int port;
  private EmbeddedPostgres server;

  MortalPostgres(Path data) throws IOException {
    this.data = data;
    this.server = started(0);
    this.port = server.getPort();
  }

  private EmbeddedPostgres started(int at) throws IOException {
    EmbeddedPostgres.Builder builder =
        FreshPostgres.own()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            // The machine does not die.
            .setServerConfig("fsync", "off");
    return (at == 0 ? builder : builder.setPort(at)).start();
  }

  @Override
  public String url() {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
  }

  @Override
  public Connection writer() throws SQLException {
    return server.getPostgresDatabase().getConnection();
  }

  @Override
  public String running(String like) {
    return "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '"
        + like
        + "' AND pid <> pg_backend_pid()";
  }

  @Override
  public long pid() throws IOException {
    return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
  }

  @Override
  public void restart() throws IOException {
    server.close();
    server = started(port);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
