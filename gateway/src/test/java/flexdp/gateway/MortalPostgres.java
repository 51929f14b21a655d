package flexdp.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real PostgreSQL of one test, which can be killed and started again at the same address. */
final class MortalPostgres implements AutoCloseable {
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
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setServerConfig("fsync", "on");
    return (at == 0 ? builder : builder.setPort(at)).start();
  }

  String url() {
    return "jdbc:postgresql://localhost:" + port + "/postgres?user=postgres";
  }

  void execute(String... statements) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Waits until some statement of this kind is being run. */
  void awaitRunning(String like) throws Exception {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      while (true) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '"
                    + like
                    + "' AND pid <> pg_backend_pid()")) {
          row.next();
          if (row.getInt(1) > 0) {
            return;
          }
        }
        Thread.sleep(20);
      }
    }
  }

  /** kill -9 of the server and everything it had started. */
  void kill() throws Exception {
    long pid =
        Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    ProcessHandle main = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> all = Stream.concat(Stream.of(main), main.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  /** Starts it again; it repairs itself from its log. */
  void restart() throws IOException {
    server.close();
    server = started(port);
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
