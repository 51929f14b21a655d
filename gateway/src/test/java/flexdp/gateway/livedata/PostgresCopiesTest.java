package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.PostgresCopies;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

  private EmbeddedPostgres copy(boolean follows) throws Exception {
    return PostgresCopies.of(server, elsewhere.resolve("copy"), follows);
  }

  private static void burn(DataSource where, int transactions) throws SQLException {
    PostgresCopies.burn(where, transactions);
  }

  private static void await(EmbeddedPostgres standby) throws SQLException {
    PostgresCopies.await(server, standby);
  }
}
