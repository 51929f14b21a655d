package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Connectors;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Triggers that note changes, on a real PostgreSQL with others writing. */
class PostgresTriggersTest extends TriggeredTables {
  @Test
  void everyBoundHoldsWhileOthersWrite() throws Exception {
    install();
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      List<String> names =
          Connectors.of(connection).tables(connection).stream().map(x -> x.policyName()).toList();
      assertEquals(List.of("t", "u"), names, "our own tables are not offered to anybody");
    }
    Asker asker = measured();
    ExecutorService writers = Executors.newFixedThreadPool(3);
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int seed = i;
      work.add(writers.submit(() -> changes(seed, 60)));
    }
    int asked = 0;
    while (asked < 10 || work.stream().anyMatch(w -> !w.isDone())) {
      Asker.Asked one = asker.ask(JOIN, TRUTH);
      assertTrue(one.usedNotes(), one.statements().toString());
      assertTrue(
          one.bound().compareTo(BigInteger.valueOf(one.truth())) >= 0,
          one.bound() + " is below " + one.truth());
      asked++;
    }
    for (Future<?> one : work) {
      one.get();
    }
    writers.close();
    assertTrue(asker.ask(JOIN, TRUTH).truth() > 6, "the data changed a lot");
  }

  /** Random transactions that prefer a few keys; some are undone, wholly or in part. */
  private static Void changes(int seed, int transactions) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      if (seed == 2) {
        statement.execute("SET session_replication_role = replica");
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < transactions; i++) {
        int statements = 1 + random.nextInt(3);
        for (int j = 0; j < statements; j++) {
          int a = random.nextInt(4);
          switch (random.nextInt(6)) {
            case 0 -> statement.execute("INSERT INTO t(a, b) VALUES (%d, 'y')".formatted(a));
            case 1 ->
                statement.execute(
                    "INSERT INTO t(a) SELECT %d FROM generate_series(1, 5)".formatted(a));
            case 2 ->
                statement.execute(
                    "INSERT INTO t(id, a) SELECT id, a FROM t WHERE a = 7 LIMIT 1"
                        + " ON CONFLICT (id) DO UPDATE SET a = "
                        + a);
            case 3 -> statement.execute("DELETE FROM t WHERE id % 17 = " + random.nextInt(17));
            case 4 ->
                statement.execute(
                    "UPDATE t SET a = %d WHERE id IN (SELECT id FROM t WHERE a > 8 LIMIT 2 FOR"
                            .formatted(a)
                        + " UPDATE SKIP LOCKED)");
            default -> {
              statement.execute("SAVEPOINT s");
              statement.execute("INSERT INTO t(a) VALUES (1), (2), (NULL)");
              statement.execute(random.nextBoolean() ? "ROLLBACK TO s" : "RELEASE s");
            }
          }
        }
        if (random.nextInt(5) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
      }
    } catch (SQLException e) {
      if (!e.getSQLState().startsWith("40")) { // a deadlock of our own making
        throw e;
      }
    }
    return null;
  }

  /** TRUNCATE shows in every state: it must not come between the look and the reading. */
  @Test
  void notesThatWereLookedAtCannotBeEmptied() throws Exception {
    install();
    measured();
    try (Connection reading = server.getPostgresDatabase().getConnection();
        Connection other = server.getPostgresDatabase().getConnection();
        Statement statement = other.createStatement()) {
      Connector connector = Connectors.of(reading);
      PhysicalTable table =
          connector.tables(reading).stream()
              .filter(t -> t.name().equals("t"))
              .findFirst()
              .orElseThrow();
      List<String> logs = new ArrayList<>();
      StatementRunner.over(other)
          .run(
              "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'log\\_%'",
              row -> logs.add(row.getString(1)));
      connector.beginSnapshot(reading);
      connector.changeLog().orElseThrow().stamp(StatementRunner.over(reading), table, List.of("a"));
      statement.execute("SET lock_timeout = '100ms'");
      int refused = 0;
      for (String log : logs) {
        try {
          statement.execute("TRUNCATE flexdp." + log);
        } catch (SQLException e) {
          assertEquals("55P03", e.getSQLState());
          refused++;
        }
      }
      assertEquals(1, refused, "the notes of t");
      assertThrows(SQLException.class, () -> statement.execute("TRUNCATE flexdp.marks"));
      connector.endSnapshot(reading);
    }
  }

  @Test
  void withoutATriggerTheNotesAreTooFewAndNotBelieved() throws Exception {
    install();
    Asker asker = measured();
    write(
        "DROP TRIGGER flexdp_inserted ON t",
        "INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)");
    assertTrue(3 + noted() < 53, "the notes alone would give a bound that is too small");
    expectMeasuredAgain(asker);
  }

  @Test
  void aRowLeavesOneNoteWhateverTheReplicationRoleIs() throws Exception {
    install();
    Asker asker = measured();
    for (String role : List.of("origin", "local", "replica")) {
      long before = noted();
      write(
          "SET session_replication_role = " + role,
          "INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)",
          "INSERT INTO t(id, a) SELECT min(id) - 1, 3 FROM t ON CONFLICT (id) DO NOTHING",
          "UPDATE t SET a = 3 WHERE id = (SELECT min(id) FROM t WHERE a = 4)");
      assertEquals(before + 52, noted(), role);
      Asker.Asked asked = asker.ask(JOIN, TRUTH);
      assertTrue(asked.usedNotes(), role);
      assertEquals(BigInteger.valueOf(asked.truth()), asked.bound(), role);
    }
  }

  /** Whoever owns the schema could exchange what our triggers write to, and act as we. */
  @Test
  void aSchemaOfOthersIsNotInstalledInto() throws Exception {
    write("DROP ROLE IF EXISTS mallory", "CREATE ROLE mallory");
    List<List<String>> strange =
        List.of(
            List.of("CREATE SCHEMA flexdp AUTHORIZATION mallory"),
            List.of("CREATE SCHEMA flexdp", "GRANT CREATE ON SCHEMA flexdp TO mallory"),
            List.of("CREATE SCHEMA flexdp", "GRANT CREATE ON SCHEMA flexdp TO PUBLIC"),
            List.of(
                "CREATE SCHEMA flexdp",
                "CREATE TABLE flexdp.marks(mark text, xid xid8)",
                "ALTER TABLE flexdp.marks OWNER TO mallory"),
            List.of(
                "CREATE SCHEMA flexdp",
                "CREATE FUNCTION flexdp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
                "ALTER FUNCTION flexdp.f() OWNER TO mallory"));
    for (List<String> made : strange) {
      write("DROP SCHEMA IF EXISTS flexdp CASCADE");
      write(made.toArray(String[]::new));
      DatabaseError refused = assertThrows(DatabaseError.class, this::install, made.toString());
      assertTrue(refused.message().contains("schema flexdp"), refused.message());
      assertEquals(0, number("SELECT COUNT(*) FROM pg_trigger WHERE tgname LIKE 'flexdp%'"));
    }
    write("DROP SCHEMA flexdp CASCADE", "CREATE SCHEMA flexdp");
    install();
    assertTrue(measured().ask(JOIN, TRUTH).usedNotes(), "one of our own");
    write("GRANT CREATE ON SCHEMA flexdp TO mallory");
    expectMeasuredAgain(measured());
    write("DROP OWNED BY mallory", "DROP ROLE mallory");
  }

  @Test
  void aTriggerThatWasOffForAWhileIsNoticed() throws Exception {
    install();
    Asker asker = measured();
    write(
        "ALTER TABLE t DISABLE TRIGGER flexdp_inserted",
        "INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)",
        "ALTER TABLE t ENABLE ALWAYS TRIGGER flexdp_inserted");
    expectMeasuredAgain(asker);
  }

  @Test
  void aTableMadeAnewOrRewrittenIsNoticed() throws Exception {
    install();
    Asker asker = measured();
    write("ALTER TABLE t ALTER b TYPE integer USING 1");
    expectMeasuredAgain(asker);
    write(
        "ALTER TABLE t RENAME TO old",
        "CREATE TABLE t AS SELECT i AS id, 3 AS a, 'x' AS b FROM generate_series(1, 9) i");
    expectMeasuredAgain(asker);
  }

  @Test
  void aColumnPutInTheOldOnesPlaceIsNoticed() throws Exception {
    install();
    Asker asker = measured();
    write("ALTER TABLE t DROP COLUMN a CASCADE", "ALTER TABLE t ADD COLUMN a integer DEFAULT 3");
    expectMeasuredAgain(asker);
  }

  @Test
  void notesThatSomebodyTakesAwayAreNoticed() throws Exception {
    install();
    String log = "flexdp." + log();
    Asker asker = measured();
    write("INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)");
    for (String by : List.of("DELETE FROM " + log, "UPDATE " + log + " SET a = 5")) {
      SQLException refused =
          assertThrows(
              SQLException.class, () -> write("SET session_replication_role = replica", by));
      assertTrue(refused.getMessage().contains("only ever added"), refused.getMessage());
    }
    Asker.Asked asked = asker.ask(JOIN, TRUTH);
    assertTrue(asked.usedNotes());
    assertEquals(BigInteger.valueOf(53), asked.bound());
    write(
        "ALTER TABLE " + log + " DISABLE TRIGGER ALL",
        "DELETE FROM " + log,
        "ALTER TABLE " + log + " ENABLE ALWAYS TRIGGER flexdp_kept");
    expectMeasuredAgain(asker);
    install();
    Asker another = measured();
    write("INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)", "TRUNCATE " + log);
    expectMeasuredAgain(another);
  }

  /**
   * What somebody puts on the table of notes and takes away again; each line stands for a way to
   * lose notes, with rows written meanwhile.
   */
  @Test
  void whatWasPutOnTheNotesAndTakenAwayAgainIsNoticed() throws Exception {
    String rows = "INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)";
    String nothing =
        "CREATE OR REPLACE FUNCTION public.nothing() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NULL; END'";
    String other =
        "CREATE OR REPLACE FUNCTION public.other() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN NEW.a := 77; RETURN NEW; END'";
    List<List<String>> attacks =
        List.of(
            List.of(
                nothing,
                "CREATE TRIGGER a BEFORE INSERT ON {log} FOR EACH ROW EXECUTE FUNCTION nothing()",
                rows,
                "DROP TRIGGER a ON {log}"),
            List.of(
                other,
                "CREATE TRIGGER a BEFORE INSERT ON {log} FOR EACH ROW EXECUTE FUNCTION other()",
                rows,
                "DROP TRIGGER a ON {log}"),
            List.of(
                other,
                "CREATE TRIGGER a BEFORE INSERT ON {log} FOR EACH ROW EXECUTE FUNCTION other()",
                "UPDATE t SET a = 3",
                "DROP TRIGGER a ON {log}"),
            List.of(
                "CREATE RULE r AS ON INSERT TO {log} DO INSTEAD NOTHING",
                rows,
                "DROP RULE r ON {log}"),
            List.of(
                "CREATE TABLE away (LIKE {log})",
                "CREATE RULE r AS ON INSERT TO {log} DO INSTEAD INSERT INTO away VALUES (NEW.*)",
                rows,
                "DROP RULE r ON {log}"),
            List.of(
                "ALTER TABLE {log} RENAME TO kept",
                "CREATE TABLE {log} (LIKE flexdp.kept)",
                rows,
                "DROP TABLE {log}",
                "ALTER TABLE flexdp.kept RENAME TO {name}"),
            List.of(
                "ALTER SCHEMA flexdp RENAME TO away",
                "CREATE SCHEMA flexdp",
                "CREATE TABLE {log} (LIKE away.{name})",
                "CREATE FUNCTION flexdp.whole_{id}() RETURNS void LANGUAGE sql AS 'SELECT'",
                rows,
                "DROP SCHEMA flexdp CASCADE",
                "ALTER SCHEMA away RENAME TO flexdp"),
            List.of("ALTER TABLE {log} SET UNLOGGED", rows, "ALTER TABLE {log} SET LOGGED"),
            List.of("ALTER TABLE {log} ENABLE ROW LEVEL SECURITY", rows),
            List.of("CREATE TABLE more () INHERITS ({log})", rows),
            List.of(rows, "TRUNCATE {log}"),
            List.of("TRUNCATE {log}", rows, "TRUNCATE {log}", "INSERT INTO t(a) VALUES (1)"));
    for (List<String> attack : attacks) {
      create();
      install();
      String name = log();
      Asker asker = measured();
      assertTrue(asker.ask(JOIN, TRUTH).usedNotes());
      write( // in one session, whose plans were made before
          Stream.concat(Stream.of("INSERT INTO t(a) VALUES (30)"), attack.stream())
              .map(
                  sql ->
                      sql.replace("{log}", "flexdp." + name)
                          .replace("{name}", name)
                          .replace("{id}", name.substring("log_".length())))
              .toArray(String[]::new));
      expectMeasuredAgain(asker);
    }
  }

  /**
   * A writer whose snapshot is older than the trigger does not see it, but counts what it wrote.
   */
  @Test
  void aWriterThatCannotSeeTheTriggerStillMissesItsNotes() throws Exception {
    install();
    Asker asker = measured();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      statement.execute("SELECT 1 FROM u");
      write("CREATE RULE r AS ON INSERT TO flexdp." + log() + " DO INSTEAD NOTHING");
      statement.execute("INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)");
      connection.commit();
    }
    write("DROP RULE r ON flexdp." + log());
    expectMeasuredAgain(asker);
  }

  @Test
  void writersAreNotHeldUpByWhatSomebodyPutOnTheNotes() throws Exception {
    install();
    write("CREATE RULE r AS ON INSERT TO flexdp." + log() + " DO INSTEAD NOTHING");
    ExecutorService writers = Executors.newFixedThreadPool(4);
    List<Future<?>> work = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      work.add(
          writers.submit(
              () -> {
                write("INSERT INTO t(a) VALUES (1)", "INSERT INTO t(a) VALUES (2)");
                return null;
              }));
    }
    for (Future<?> one : work) {
      one.get();
    }
    writers.close();
    assertEquals(68, number("SELECT COUNT(*) FROM t"));
  }

  private static String log() throws SQLException {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'log\\_%' AND"
                    + " relkind = 'r'")) {
      row.next();
      return row.getString(1);
    }
  }

  @Test
  void removedTriggersLeaveNothingBehind() throws Exception {
    install();
    Asker asker = measured();
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      watched(connection).remove(POLICY, connection);
    }
    assertEquals(0, number("SELECT COUNT(*) FROM pg_class WHERE relname LIKE 'log\\_%'"), "tables");
    assertEquals(0, number("SELECT COUNT(*) FROM pg_namespace WHERE nspname = 'flexdp'"));
    write("INSERT INTO t(a) SELECT 3 FROM generate_series(1, 50)");
    expectMeasuredAgain(asker);
  }

  @Test
  void partitionedTablesAreLeftAlone() throws Exception {
    write(
        "DROP TABLE t",
        "CREATE TABLE t(id bigint, a integer, b text) PARTITION BY RANGE (id)",
        "CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (100)");
    try (Connection connection = server.getPostgresDatabase().getConnection()) {
      Map<String, String> without =
          watched(connection).install(POLICY, RequiredFrequencies.of(POLICY), connection);
      assertEquals(Set.of("t", "u"), without.keySet());
    }
  }
}
