package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** PgBouncer in transaction mode before a PostgreSQL. */
final class Pooler implements AutoCloseable {
  private final Path folder;
  private final int port = free();
  private final Process process;

  /**
   * @param most connections to the server, which all clients share
   */
  Pooler(Path folder, int server, int most) throws IOException {
    this.folder = folder;
    this.process = started(server, most);
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres";
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private Process started(int server, int most) throws IOException {
    Path program = Path.of("/usr/sbin/pgbouncer");
    assertTrue(Files.exists(program), "PgBouncer is missing: run scripts/clients");
    Path home = folder.resolve("pooler");
    Files.createDirectory(
        home, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    for (Path above = home; above.getNameCount() > 1; above = above.getParent()) {
      if (above.startsWith(folder)) {
        Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    Files.writeString(home.resolve("users"), "\"postgres\" \"\"\n");
    Path settings = home.resolve("pgbouncer.ini");
    Files.writeString(
        settings,
        """
        [databases]
        postgres = host=127.0.0.1 port=%d dbname=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = %d
        unix_socket_dir =
        auth_type = trust
        auth_file = %s
        pool_mode = transaction
        default_pool_size = %d
        ignore_startup_parameters = extra_float_digits
        """
            .formatted(server, port, home.resolve("users"), most));
    List<String> command = new ArrayList<>(List.of(program.toString(), "-q"));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(settings.toString());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  /** Another client, as soon as it listens. */
  Connection connect() throws SQLException, IOException {
    while (true) {
      try {
        return DriverManager.getConnection(url() + "&assumeMinServerVersion=12");
      } catch (SQLException e) {
        if (!process.isAlive() || !"08001".equals(e.getSQLState())) {
          throw new SQLException(Files.readString(folder.resolve("log")), e);
        }
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
  }
}
