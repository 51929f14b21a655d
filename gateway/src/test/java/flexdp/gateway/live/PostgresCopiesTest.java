package flexdp.gateway.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One database measured and another one asked that is like it: standbys, copies, restored rows. */
class PostgresCopiesTest extends TriggeredTables {
  private static final String MANY =
      "INSERT INTO t(a) SELECT 3 FROM generate_series(1, 300) AS more";

  @TempDir Path elsewhere;

  @Test
  void noPositionIsTakenOnAStandbyWhereWritersAreNotListed() throws Exception {
    install();
    try (EmbeddedPostgres standby = copy(true);
        Connection writer = server.getPostgresDatabase().getConnection();
        Statement statement = writer.createStatement()) {
      writer.setAutoCommit(false);
      statement.execute(MANY);
      statement.execute("SELECT pg_current_xact_id()");
      write("INSERT INTO u VALUES (1000)");
      await(standby);
      collect(standby.getPostgresDatabase());
      writer.commit();
      await(standby);
      expectMeasuredAgain(asker(server.getPostgresDatabase()));
      expectMeasuredAgain(asker(standby.getPostgresDatabase()));
    }
  }

  @Test
  void whatWasMeasuredOnThePrimaryHoldsOnAStandbyThatHasTheMark() throws Exception {
    install();
    try (EmbeddedPostgres standby = copy(true)) {
      await(standby);
      write(standby.getPostgresDatabase(), "SELECT pg_wal_replay_pause()");
      write("INSERT INTO t(a) SELECT 3 FROM generate_series(1, 20)");
      collect(server.getPostgresDatabase());
      expectMeasuredAgain(asker(standby.getPostgresDatabase()));
      write(standby.getPostgresDatabase(), "SELECT pg_wal_replay_resume()");
      write(MANY);
      await(standby);
      Asker.Asked asked = asker(standby.getPostgresDatabase()).ask(JOIN, TRUTH);
      assertTrue(asked.usedNotes(), asked.statements().toString());
      assertEquals(BigInteger.valueOf(323), asked.bound());
      assertEquals(323, asked.truth());
    }
  }

  @Test
  void whatWasMeasuredOnACopyIsNotBelievedOnTheOriginal() throws Exception {
    install();
    try (EmbeddedPostgres copy = copy(false)) {
      burn(copy.getPostgresDatabase(), 50);
      write(MANY);
      burn(server.getPostgresDatabase(), 100);
      collect(copy.getPostgresDatabase());
      expectMeasuredAgain(asker(server.getPostgresDatabase()));
    }
  }

  @Test
  void aCopyThatWasMadeAfterwardsHasItsOwnNotes() throws Exception {
    install();
    collect(server.getPostgresDatabase());
    try (EmbeddedPostgres copy = copy(false)) {
      burn(server.getPostgresDatabase(), 50);
      write(copy.getPostgresDatabase(), MANY);
      Asker.Asked asked = asker(copy.getPostgresDatabase()).ask(JOIN, TRUTH);
      assertTrue(asked.usedNotes(), asked.statements().toString());
      assertEquals(303, asked.truth());
      assertEquals(BigInteger.valueOf(303), asked.bound());
    }
  }

  @Test
  void aDatabaseMadeFromThisOneIsToldApart() throws Exception {
    DataSource made = server.getDatabase("postgres", "made");
    DataSource beside = server.getDatabase("postgres", "template1");
    install();
    String make = "CREATE DATABASE made TEMPLATE postgres";
    String alone =
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'postgres'";
    write(beside, "DROP DATABASE IF EXISTS made WITH (FORCE)", alone, make);
    write(made, MANY);
    collect(server.getPostgresDatabase());
    expectMeasuredAgain(asker(made));
    write(beside, alone, "DROP DATABASE made WITH (FORCE)", make);
    write(made, MANY);
    Asker.Asked asked = asker(made).ask(JOIN, TRUTH);
    assertTrue(asked.usedNotes(), "made after the mark was left");
    assertEquals(BigInteger.valueOf(303), asked.bound());
    collect(made);
    expectMeasuredAgain(asker(server.getPostgresDatabase()));
    write(beside, "DROP DATABASE made WITH (FORCE)");
  }

  @Test
  void aMarkThatWasCopiedRowByRowIsNone() throws Exception {
    install();
    Asker asker = measured();
    assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
    write(
        "CREATE TABLE dump AS SELECT * FROM flexdp.marks",
        "DELETE FROM flexdp.marks",
        "INSERT INTO flexdp.marks SELECT * FROM dump");
    expectMeasuredAgain(asker);
  }

  @Test
  void marksAreKeptByVacuumAndFreezing() throws Exception {
    install();
    Asker asker = measured();
    write("VACUUM FREEZE flexdp.marks", "VACUUM FULL flexdp.marks", "ANALYZE flexdp.marks");
    assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
  }

  private static void burn(DataSource where, int transactions) throws SQLException {
    write(
        where,
        "DO $$ BEGIN FOR i IN 1..%d LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$"
            .formatted(transactions));
  }

  /** Waits until a standby has repeated everything that was written. */
  private static void await(EmbeddedPostgres standby) throws SQLException {
    write("SELECT pg_switch_wal()");
    long written = number("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn");
    try (Connection connection = standby.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (long replayed = 0; replayed < written; ) {
        try (ResultSet row =
            statement.executeQuery(
                "SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn FROM pg_sleep(0.05)")) {
          row.next();
          replayed = row.getLong(1);
        }
      }
    }
  }

  /** A physical copy of the server's files, as a backup takes it; it follows the server or not. */
  private EmbeddedPostgres copy(boolean follows) throws Exception {
    Path to = elsewhere.resolve("copy");
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
    return EmbeddedPostgres.builder()
        .setDataDirectory(to)
        .setCleanDataDirectory(false)
        .setPGStartupWait(Duration.ofMinutes(1))
        .start();
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
