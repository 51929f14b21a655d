package flexdp.server;

import flexdp.server.login.User;
import flexdp.server.login.Users;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A PostgreSQL with a table of people, which is restarted now and then. */
final class MortalPostgres implements AutoCloseable {
  private final Path data;
  private final int port;
  private EmbeddedPostgres server;

  MortalPostgres(Path data) throws IOException, SQLException {
    this.data = data;
    this.server = started(0);
    this.port = server.getPort();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE people (id bigint PRIMARY KEY, home text NOT NULL)");
      statement.execute(
          "INSERT INTO people SELECT i, 'town' || i % 7 FROM generate_series(1, 1000) AS s(i)");
      statement.execute("CREATE DATABASE ledger");
    }
  }

  private EmbeddedPostgres started(int at) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setServerConfig("fsync", "on") // a ledger takes nothing else
            .setPGStartupWait(Duration.ofMinutes(10));
    return (at == 0 ? builder : builder.setPort(at)).start();
  }

  private String url(String database) {
    return "jdbc:postgresql://localhost:" + port + "/" + database + "?user=postgres";
  }

  /** Where the data are. */
  String data() {
    return url("postgres");
  }

  String ledger() {
    return url("ledger");
  }

  /** A policy over it, with two analysts beside it. */
  Path policy(Path folder, String epsilon, String budget) throws IOException {
    Path policy = folder.resolve("people.yaml");
    Files.writeString(
        policy,
        """
        flexdp: 1
        database: "%s"
        privacy:
          neighbors: add-remove-one
          epsilon: %s
          delta: 0
          budget: {epsilon: %s, delta: 0, composition: basic}
        tables:
          people:
            columns:
              id: {type: bigint, unique: true, nullable: false}
              home: {type: varchar, nullable: false}
        """
            .formatted(url("postgres"), epsilon, budget));
    new Users(
            List.of(
                Demo.user("ann", User.Right.ANALYST, Set.of()),
                Demo.user("ben", User.Right.ANALYST, Set.of())))
        .write(ServiceOptions.usersBeside(policy));
    return policy;
  }

  void restart() throws IOException {
    stop();
    start();
  }

  void stop() throws IOException {
    server.close();
  }

  void start() throws IOException {
    server = started(port);
  }

  /** Whether the ledger's database takes connections; those that it has are cut if not. */
  void admit(boolean now) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("ALTER DATABASE ledger ALLOW_CONNECTIONS " + now);
      if (!now) {
        statement.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ledger'");
      }
    }
  }

  /** All its processes are there and do nothing, or go on. */
  void freeze(boolean now) throws Exception {
    long pid =
        Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    String signal = now ? "-STOP" : "-CONT";
    List<String> all = new ArrayList<>(List.of("kill", signal, Long.toString(pid)));
    ProcessHandle.of(pid).orElseThrow().descendants().map(p -> "" + p.pid()).forEach(all::add);
    new ProcessBuilder(all).inheritIO().start().waitFor();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
