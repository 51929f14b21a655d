package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Session;
import flexdp.policy.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A DuckDB file that is replaced, copied over or written to while a gateway has it open. */
class MovedFileTest {
  private static final String COUNT = "SELECT COUNT(*) FROM t";
  private static final Policy POLICY =
      OpenGateway.policy(
          """
          privacy: {epsilon: 10, delta: 1e-9, budget: {epsilon: 10000, delta: 1e-6}}
          tables:
            t: {columns: {id: {type: bigint}, k: {type: bigint}}}
          """);

  @TempDir Path folder;

  private String url() {
    return "jdbc:duckdb:" + folder.resolve("d.duckdb");
  }

  /** A file of so many rows. */
  private Path made(String name, int rows) throws SQLException {
    Path file = folder.resolve(name);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file)) {
      OpenGateway.write(
          connection,
          "CREATE TABLE t AS SELECT range AS id, range % 7 AS k FROM range(" + rows + ")");
    }
    return file;
  }

  private void replace(int rows) throws Exception {
    Path file = made("new.duckdb", rows);
    Files.move(file, folder.resolve("d.duckdb"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** In place, as cp does it: the same file with other contents. */
  private void copyOver(int rows) throws Exception {
    Path file = made("new.duckdb", rows);
    Files.write(folder.resolve("d.duckdb"), Files.readAllBytes(file));
    Files.delete(file);
  }

  private static void expectRefused(OpenGateway open) {
    String before = open.spent();
    DatabaseError error = assertThrows(DatabaseError.class, () -> open.ask(COUNT));
    assertTrue(error.message().contains("replaced or written to"), error.message());
    assertEquals(before, open.spent());
    assertTrue(!open.database.stands());
  }

  @Test
  void aFilePutInItsPlaceIsNotAnsweredFromTheOldOne() throws Exception {
    made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      assertEquals(1000, open.number(COUNT), 20);
      replace(5000);
      expectRefused(open);
      // Within this process DuckDB would give the old one again.
      DatabaseError error = assertThrows(DatabaseError.class, () -> Databases.readOnly(url()));
      assertTrue(error.message().contains("as it was before"), error.message());
    }
    try (OpenGateway open =
        new OpenGateway(url(), POLICY, Files.createTempDirectory(folder, "x"))) {
      assertEquals(5000, open.number(COUNT), 20);
    }
  }

  @Test
  void aFileThatIsCopiedOverIsNotRead() throws Exception {
    made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      assertEquals(1000, open.number(COUNT), 20);
      copyOver(1001);
      expectRefused(open);
    }
  }

  @Test
  void aLogThatAppearsBesideItIsNoticed() throws Exception {
    made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      Files.write(folder.resolve("d.duckdb.wal"), new byte[100]);
      expectRefused(open);
      Files.delete(folder.resolve("d.duckdb.wal"));
      assertEquals(1000, open.number(COUNT), 20);
    }
  }

  @Test
  void whatIsReadWhileTheFileIsReplacedIsNotUsed() throws Exception {
    made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder);
        Session session = open.database.session()) {
      session.run("SELECT 1", row -> {});
      assertThrows(
          DatabaseError.class,
          () ->
              session.run(
                  "SELECT 1",
                  row -> {
                    try {
                      replace(10);
                    } catch (Exception e) {
                      throw new AssertionError(e);
                    }
                  }));
    }
  }

  /** Who may read it, and what else it is called, are not its contents. */
  @Test
  void otherRightsAndNamesDoNotMatter() throws Exception {
    Path file = made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      Files.createLink(folder.resolve("backup.duckdb"), file);
      assertEquals(1000, open.number(COUNT), 20);
    }
  }

  @Test
  void aFileWrittenWhileItIsMeasuredHasNoMetrics() throws Exception {
    made("d.duckdb", 1000);
    try (Connection connection = Databases.readOnly(url())) {
      Connector connector = Connectors.of(connection);
      Optional<String> before = connector.version(connection);
      assertTrue(before.isPresent());
      replace(10);
      assertEquals(Optional.empty(), connector.version(connection));
      assertTrue(!connector.ground(connection).stands());
    }
    try (Connection connection = Databases.readOnly(url())) {
      Connector connector = Connectors.of(connection);
      assertNotEquals(Optional.empty(), connector.version(connection));
    }
  }

  /** Through a link, too, the log beside the file itself counts. */
  @Test
  void aFileBehindALinkHasItsLog() throws Exception {
    Path real = Files.createDirectory(folder.resolve("real")).resolve("d.duckdb");
    Process writer = writer(real, "CREATE TABLE t AS SELECT 1 AS id, 2 AS k", "CHECKPOINT", "die");
    assertEquals(3, writer.waitFor());
    assertTrue(Files.exists(real.resolveSibling("d.duckdb.wal")));
    Files.createSymbolicLink(folder.resolve("d.duckdb"), real);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      assertEquals(2, open.number(COUNT), 20);
      Files.delete(real.resolveSibling("d.duckdb.wal"));
      expectRefused(open);
    }
  }

  /** Nothing here opens the file beside DuckDB, which would end its lock. */
  @Test
  void anotherProcessCannotWriteToAFileThatIsOpen() throws Exception {
    Path file = made("d.duckdb", 1000);
    try (OpenGateway open = new OpenGateway(url(), POLICY, folder)) {
      open.ask(COUNT);
      Process writer = writer(file, "INSERT INTO t SELECT range, 7 FROM range(1000)", "CHECKPOINT");
      assertEquals(2, writer.waitFor());
      assertEquals(1000, open.number(COUNT), 20);
    }
    Process writer = writer(file, "INSERT INTO t SELECT range, 7 FROM range(1000)", "CHECKPOINT");
    assertEquals(0, writer.waitFor());
  }

  private static Process writer(Path file, String... statements) throws Exception {
    return writer("jdbc:duckdb:" + file, statements);
  }

  /** Another process that writes to a database. */
  static Process writer(String url, String... statements) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                url));
    command.addAll(List.of(statements));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  /**
   * Another process: ends with 2 when it may not open the file, with 3 after it died on purpose.
   */
  static final class Writer {
    private Writer() {}

    public static void main(String[] args) {
      try (Connection connection = DriverManager.getConnection(args[0]);
          Statement statement = connection.createStatement()) {
        for (int i = 1; i < args.length; i++) {
          if (args[i].equals("die")) {
            statement.execute("INSERT INTO t VALUES (3, 4)");
            Runtime.getRuntime().halt(3); // what was committed is in the log
          }
          statement.execute(args[i]);
        }
      } catch (SQLException e) {
        System.exit(2);
      }
    }
  }
}
