package flexdp.gateway;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Physical copies of a PostgreSQL, as a backup takes them. */
public final class PostgresCopies {
  private PostgresCopies() {}

  /** Ends transactions, so that numbers of them go on. */
  public static void burn(DataSource where, int transactions) throws SQLException {
    write(
        where,
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(transactions));
  }

  private static void write(DataSource where, String sql) throws SQLException {
    try (Connection connection = where.getConnection()) {
      OpenGateway.write(connection, sql);
    }
  }

  /** Waits until a standby has repeated everything that was written. */
  public static void await(EmbeddedPostgres server, EmbeddedPostgres standby) throws SQLException {
    write(server.getPostgresDatabase(), "SELECT pg_switch_wal()");
    long written = position(server, "pg_current_wal_lsn()");
    Await.until(() -> isAt(standby, written), "a standby repeats what was written");
  }

  private static boolean isAt(EmbeddedPostgres standby, long written) {
    try {
      return position(standby, "pg_last_wal_replay_lsn()") >= written;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long position(EmbeddedPostgres server, String function) throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT " + function + " - '0/0'::pg_lsn")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** A copy that is started, and follows the server or goes its own way. */
  public static EmbeddedPostgres of(EmbeddedPostgres server, Path to, boolean follows)
      throws SQLException, IOException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      Path from;
      try (ResultSet row = statement.executeQuery("SHOW data_directory")) {
        row.next();
        from = Path.of(row.getString(1));
      }
      statement.execute("SELECT pg_backup_start('copy', true)");
      copy(from, to);
      String label;
      try (ResultSet row = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
        row.next();
        label = row.getString(1);
      }
      copy(from.resolve("pg_wal"), to.resolve("pg_wal")); // what was written meanwhile
      Files.writeString(to.resolve("backup_label"), label);
    }
    Files.deleteIfExists(to.resolve("postmaster.pid"));
    Files.deleteIfExists(to.resolve("epg-lock"));
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(
        to.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=localhost port=" + server.getPort() + " user=postgres'");
    if (follows) {
      Files.createFile(to.resolve("standby.signal"));
    }
    return FreshPostgres.own().setDataDirectory(to).setCleanDataDirectory(false).start();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path at = to.resolve(from.relativize(file).toString());
        try {
          if (Files.isDirectory(file)) {
            Files.createDirectories(at);
          } else {
            Files.write(at, Files.readAllBytes(file));
          }
        } catch (NoSuchFileException e) {
          // a file that went away meanwhile is made again from the log
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
