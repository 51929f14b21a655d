package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.policy.Policy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables that somebody redefines under an open gateway: before a question, while it is charged, and
 * between two of its statements. What the answer rests on is proven where its rows are read.
 */
class MovingWorldTest {
  private static final String JOIN = "SELECT COUNT(*) FROM u JOIN t ON u.tid = t.id";
  private static final Policy ROWS =
      OpenGateway.policy(
          """
          privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 1000, delta: 1e-6}}
          tables:
            t: {columns: {id: {type: integer, nullable: false, unique: true}, g: {type: integer, nullable: false}}}
            u: {columns: {tid: {type: integer, nullable: false, unique: true}, city: {type: varchar, nullable: false, references: cities.name}}}
            cities: {public: true, columns: {id: {type: integer, nullable: false}, name: {type: varchar, nullable: false}}}
            secret: {columns: {id: {type: integer, nullable: false, unique: true}, name: {type: varchar, nullable: false}}}
          """);
  private static final Policy PEOPLE =
      OpenGateway.policy(
          """
          privacy: {neighbors: add-remove-one, epsilon: 1, delta: 1e-10, budget: {epsilon: 1000, delta: 1e-5}}
          people: {patient: {key: patients.id}}
          tables:
            patients: {owners: {patient: id}, columns: {id: {type: integer, nullable: false, unique: true}}}
            visits: {owners: {patient: patient_id}, columns: {id: {type: integer, nullable: false, unique: true}, patient_id: {type: integer, nullable: false, references: patients.id}}}
            t: {owners: {patient: visit_id.patient_id}, columns: {id: {type: integer, nullable: false, unique: true}, visit_id: {type: integer, nullable: false, references: visits.id}}}
          """);

  @TempDir Path folder;

  /** The databases that hold tables by locks. */
  enum Kind {
    POSTGRESQL,
    MARIADB
  }

  /** A database of its own, and what somebody else does in it. */
  private static final class World implements AutoCloseable {
    final Optional<FreshPostgres> fresh;
    final String url;
    final Connection other;
    final Deque<String> whileCharged = new ArrayDeque<>();
    final Deque<String> whileRead = new ArrayDeque<>();

    World(Kind kind, String name) throws SQLException {
      if (kind == Kind.POSTGRESQL) {
        fresh = Optional.of(FreshPostgres.create());
        url = fresh.get().url();
        other = fresh.get().connect();
      } else {
        fresh = Optional.empty();
        MariaDbServer.create(name);
        url = MariaDbServer.url(name) + "?user=root";
        other = MariaDbServer.writer(name);
      }
    }

    World(Kind kind, String name, String... statements) throws SQLException {
      this(kind, name);
      write(statements);
    }

    void write(String... statements) throws SQLException {
      OpenGateway.write(other, statements);
    }

    OpenGateway open(Policy policy, Path folder) throws Exception {
      return new OpenGateway(url, policy, folder, () -> next(whileCharged), () -> next(whileRead));
    }

    private void next(Deque<String> moves) throws SQLException {
      if (!moves.isEmpty()) {
        write(moves.remove().split("; "));
      }
    }

    @Override
    public void close() throws SQLException {
      other.close();
      if (fresh.isPresent()) {
        fresh.get().close();
      }
    }
  }

  private static World rows(Kind kind, String name) throws SQLException {
    return new World(
        kind,
        name,
        "CREATE TABLE t(id int NOT NULL, g int NOT NULL, CONSTRAINT t_key UNIQUE (id))",
        "CREATE TABLE t_new(id int NOT NULL, g int NOT NULL)",
        "CREATE TABLE t_like(id int NOT NULL, g int NOT NULL, UNIQUE (id))",
        "CREATE TABLE u(tid int NOT NULL, city varchar(20) NOT NULL, UNIQUE (tid))",
        "CREATE TABLE cities(id int NOT NULL, name varchar(20) NOT NULL)",
        "CREATE TABLE secret(id int NOT NULL, name varchar(20) NOT NULL, UNIQUE (id))",
        "INSERT INTO t VALUES (1, 0), (2, 0)",
        "INSERT INTO t_new VALUES (1, 0), (1, 0), (1, 0)",
        "INSERT INTO t_like VALUES (1, 0)",
        "INSERT INTO u VALUES (1, 'Rome'), (2, 'Oslo')",
        "INSERT INTO cities VALUES (1, 'Rome')",
        "INSERT INTO secret VALUES (1, 'alice')");
  }

  @ParameterizedTest
  @EnumSource
  void aPublicTableThatBecomesAViewIsNoLongerRead(Kind kind) throws Exception {
    try (World world = rows(kind, "views");
        OpenGateway open = world.open(ROWS, folder)) {
      assertEquals(List.of(List.of("Rome")), open.ask("SELECT name FROM cities").rows());
      open.ask("SELECT city, COUNT(*) FROM u GROUP BY city");
      String with = kind == Kind.POSTGRESQL ? "" : "SQL SECURITY INVOKER ";
      world.write(
          "DROP TABLE cities", "CREATE " + with + "VIEW cities AS SELECT id, name FROM secret");
      for (String sql :
          List.of(
              "SELECT name FROM cities",
              "SELECT city, COUNT(*) FROM u GROUP BY city",
              "SELECT c.name, COUNT(*) FROM u JOIN cities c ON u.city = c.name GROUP BY c.name")) {
        assertTrue(open.refused(sql).contains("'cities'"), open.refused(sql));
      }
      assertThrows(
          ConfigurationError.class,
          () -> open.explain("SELECT city, COUNT(*) FROM u GROUP BY city"));
      open.ask("SELECT COUNT(*) FROM u"); // does not read it
    }
  }

  @Test
  void aPublicTableThatChangesPlacesWithAProtectedOneIsNoLongerRead() throws Exception {
    String swap =
        "ALTER TABLE cities RENAME TO x; ALTER TABLE secret RENAME TO cities; ALTER TABLE x RENAME"
            + " TO secret";
    String labels = "SELECT city, COUNT(*) FROM u GROUP BY city";
    try (World world = rows(Kind.POSTGRESQL, "places");
        OpenGateway open = world.open(ROWS, folder)) {
      world.write("ALTER TABLE cities ADD UNIQUE (id)"); // nothing else tells them apart
      assertEquals(List.of(List.of("Rome")), open.ask("SELECT name FROM cities").rows());
      world.whileCharged.add(swap);
      expectMoved(() -> open.ask(labels));
      for (String sql : List.of("SELECT name FROM cities", labels)) {
        assertTrue(open.refused(sql).contains("'cities'"), open.refused(sql));
      }
      assertThrows(ConfigurationError.class, () -> open.explain(labels));
      open.ask("SELECT COUNT(*) FROM u"); // does not read it
    }
  }

  @ParameterizedTest
  @EnumSource
  void theKeyOfATableOnTheWayToOwnersIsLookedAt(Kind kind) throws Exception {
    try (World world =
            new World(
                kind,
                "people",
                "CREATE TABLE patients(id int PRIMARY KEY)",
                "CREATE TABLE visits(id int NOT NULL, patient_id int NOT NULL, CONSTRAINT v_key"
                    + " UNIQUE (id))",
                "CREATE TABLE t(id int PRIMARY KEY, visit_id int NOT NULL)",
                "INSERT INTO patients VALUES (1), (2)",
                "INSERT INTO visits VALUES (1, 1), (2, 2)",
                "INSERT INTO t VALUES (1, 1), (2, 2)");
        OpenGateway open = world.open(PEOPLE, folder)) {
      open.ask("SELECT COUNT(*) FROM t");
      world.write(
          "ALTER TABLE visits DROP " + (kind == Kind.MARIADB ? "INDEX" : "CONSTRAINT") + " v_key",
          "INSERT INTO visits VALUES (1, 2)");
      assertTrue(open.refused("SELECT COUNT(*) FROM t").contains("'visits'"));
    }
  }

  /** What was enforced when it was measured stands in the metrics file. */
  @ParameterizedTest
  @EnumSource
  void aKeyThatWasDroppedIsMissedByWhoOpensTheDatabaseLater(Kind kind) throws Exception {
    try (World world = rows(kind, "later")) {
      Path file = folder.resolve("later.json");
      OpenGateway.collect(world.url, ROWS, file);
      opened(world, file);
      world.write(
          "ALTER TABLE t DROP " + (kind == Kind.MARIADB ? "INDEX" : "CONSTRAINT") + " t_key");
      ConfigurationError gone = assertThrows(ConfigurationError.class, () -> opened(world, file));
      assertTrue(gone.message().contains("t.(id)"), gone.message());
      world.write("ALTER TABLE t ADD PRIMARY KEY (id)"); // it need not be the same one
      opened(world, file);
    }
  }

  private static void opened(World world, Path file) {
    Duration timeout = Duration.ofMinutes(10);
    try (JdbcDatabase database = JdbcDatabase.open(world.url, ROWS, timeout, (what, cause) -> {})) {
      LiveMetrics.of(
          ROWS,
          MetricsFile.read(file, ROWS),
          database.vendor(),
          database.catalog(),
          database.version());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTableThatIsSwappedWhileTheQuestionIsChargedIsLookedAtAgain(Kind kind) throws Exception {
    try (World world = rows(kind, "swapped");
        OpenGateway open = world.open(ROWS, folder)) {
      open.ask(JOIN);
      world.whileCharged.add(swap(kind, "t_new"));
      expectMoved(() -> open.ask(JOIN));
      assertTrue(open.refused(JOIN).contains("no key (id) any more"), open.refused(JOIN));
      world.write(swap(kind, "t_new").split("; "));
      world.whileCharged.add(swap(kind, "t_like")); // nothing of it was held meanwhile
      if (kind == Kind.POSTGRESQL) {
        expectMoved(() -> open.ask(JOIN)); // its rows may have an account of their own
      }
      open.ask(JOIN);
      assertTrue(world.whileCharged.isEmpty());
    }
  }

  /**
   * Whoever owns one of the tables could else make every failure, which may hang on one row, one
   * that is not counted.
   */
  @Test
  void aFailureIsCountedWhateverSomebodyChangesMeanwhile() throws Exception {
    try (World world = rows(Kind.POSTGRESQL, "failing")) {
      world.write(
          "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET temp_file_limit = 100',"
              + " current_database()); EXECUTE format('ALTER DATABASE %I SET work_mem = 1024',"
              + " current_database()); END $$");
      try (OpenGateway open = world.open(ROWS, folder)) {
        world.write("INSERT INTO t SELECT i, i FROM generate_series(10, 200000) i", "ANALYZE t");
        for (int i = 0; i < 6; i++) {
          world.whileRead.add("GRANT SELECT ON u TO PUBLIC");
          world.whileRead.add("REVOKE SELECT ON u FROM PUBLIC");
        }
        DatabaseError failed =
            assertThrows(
                DatabaseError.class,
                () -> open.ask("SELECT COUNT(*) FROM (SELECT g FROM t UNION SELECT tid FROM u) x"));
        assertFalse(failed.isLost(), failed.message());
        assertTrue(world.whileRead.size() < 12);
      }
    }
  }

  /** It is not held against the question. */
  private static void expectMoved(Runnable ask) {
    DatabaseError moved = assertThrows(DatabaseError.class, ask::run);
    assertTrue(moved.message().contains("was redefined while it was asked"), moved.message());
    assertTrue(moved.isLost());
  }

  private static String swap(Kind kind, String table) {
    return kind == Kind.MARIADB
        ? "RENAME TABLE t TO t_x, %1$s TO t, t_x TO %1$s".formatted(table)
        : "ALTER TABLE t RENAME TO t_x; ALTER TABLE %1$s RENAME TO t; ALTER TABLE t_x RENAME TO %1$s"
            .formatted(table);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyRedefinesATableWhileItIsRead(Kind kind) throws Exception {
    try (World world = rows(kind, "held");
        OpenGateway open = world.open(ROWS, folder)) {
      world.write(
          kind == Kind.MARIADB ? "SET lock_wait_timeout = 1" : "SET lock_timeout = '100ms'");
      world.whileRead.add("ALTER TABLE t ADD COLUMN more int");
      assertThrows(DatabaseError.class, () -> open.ask(JOIN)); // the one who redefines waits
      assertThrows(SQLException.class, () -> world.write("ALTER TABLE t DROP COLUMN more"));
      world.whileRead.add("INSERT INTO t VALUES (3, 0)"); // writers do not wait
      open.ask("SELECT COUNT(*) FROM t");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsForATableThatIsBeingRedefinedIsRefusedAndNotCharged(Kind kind) throws Exception {
    try (World world = rows(kind, "busy");
        OpenGateway open = world.open(ROWS, folder)) {
      if (kind == Kind.POSTGRESQL) {
        world.write("BEGIN", "LOCK TABLE t IN ACCESS EXCLUSIVE MODE");
      } else {
        world.write("LOCK TABLES t WRITE");
      }
      String before = open.spent();
      DatabaseError busy = assertThrows(DatabaseError.class, () -> open.ask(JOIN));
      assertTrue(busy.message().contains("is being redefined"), busy.message());
      assertEquals(before, open.spent());
      world.write(kind == Kind.POSTGRESQL ? "ROLLBACK" : "UNLOCK TABLES");
      open.ask(JOIN);
    }
  }

  @Test
  void aKeyThatIsKeptByAHashFromNowOnIsNoKey() throws Exception {
    try (World world = rows(Kind.MARIADB, "hashed");
        OpenGateway open = world.open(ROWS, folder)) {
      open.ask(JOIN);
      world.write("ALTER TABLE t DROP INDEX t_key, ADD UNIQUE t_key (id) USING HASH");
      assertTrue(open.refused(JOIN).contains("no key (id) any more"), open.refused(JOIN));
    }
  }

  /** By the same expression, which from now on may fail on one row. */
  @Test
  void aStoredColumnThatIsComputedFromNowOnIsAnotherOne() throws Exception {
    try (World world = rows(Kind.MARIADB, "computed")) {
      world.write("ALTER TABLE t DROP COLUMN g, ADD COLUMN g int AS (id + id) STORED");
      try (OpenGateway open = world.open(ROWS, folder)) {
        open.ask(JOIN);
        world.write("ALTER TABLE t DROP COLUMN g, ADD COLUMN g int AS (id + id) VIRTUAL");
        assertTrue(open.refused(JOIN).contains("'g' is not what it was"), open.refused(JOIN));
      }
    }
  }

  @Test
  void rowsOfATableThatBeginsToInheritAreNotRead() throws Exception {
    try (World world = rows(Kind.POSTGRESQL, "inherits");
        OpenGateway open = world.open(ROWS, folder)) {
      world.write("INSERT INTO t_new SELECT 7, 0 FROM generate_series(1, 5000)");
      world.whileRead.add("ALTER TABLE t_new INHERIT t");
      assertTrue(open.number("SELECT COUNT(*) FROM t") < 1000);
      assertTrue(world.whileRead.isEmpty());
      assertTrue(open.refused("SELECT COUNT(*) FROM t").contains("others inherit from"));
    }
  }

  @Test
  void aReadingDuringWhichAPartIsAttachedIsThrownAway() throws Exception {
    try (World world =
            new World(
                Kind.POSTGRESQL,
                "attached",
                "CREATE TABLE t(id int NOT NULL) PARTITION BY RANGE (id)",
                "CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (10)",
                "CREATE TABLE t2(id int NOT NULL)",
                "CREATE TABLE t3(id int NOT NULL)",
                "INSERT INTO t2 SELECT 10 FROM generate_series(1, 5000)",
                "INSERT INTO t3 SELECT 20 FROM generate_series(1, 5000)");
        OpenGateway open =
            world.open(
                OpenGateway.policy(
                    """
                    privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
                    tables: {t: {columns: {id: {type: integer, nullable: false}}}}
                    """),
                folder)) {
      String count = "SELECT COUNT(*) FROM t";
      assertTrue(open.number(count) < 1000);
      world.whileRead.add("ALTER TABLE t ATTACH PARTITION t2 FOR VALUES FROM (10) TO (20)");
      expectMoved(() -> open.ask(count)); // what came after the charge may have paid elsewhere
      assertTrue(open.number(count) > 4000);
      world.whileRead.add("ALTER TABLE t DETACH PARTITION t2");
      world.write("SET lock_timeout = '100ms'");
      assertThrows(DatabaseError.class, () -> open.ask(count + " WHERE id > 0")); // it waits
      world.write("RESET lock_timeout", "ALTER TABLE t DETACH PARTITION t2");
      world.whileRead.add("ALTER TABLE t ATTACH PARTITION t2 FOR VALUES FROM (10) TO (20)");
      world.whileRead.add("ALTER TABLE t ATTACH PARTITION t3 FOR VALUES FROM (20) TO (30)");
      expectMoved(() -> open.ask(count));
    }
  }

  @Test
  void aReadingDuringWhichSchemasChangePlacesIsThrownAway() throws Exception {
    try (World world =
            new World(
                Kind.POSTGRESQL,
                "schemas",
                "CREATE SCHEMA a",
                "CREATE SCHEMA b",
                "CREATE TABLE a.t(id int NOT NULL, UNIQUE (id))",
                "CREATE TABLE b.t(id int NOT NULL)",
                "INSERT INTO b.t SELECT 7 FROM generate_series(1, 5000)");
        OpenGateway open =
            world.open(
                OpenGateway.policy(
                    """
                    privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
                    tables: {a.t: {columns: {id: {type: integer, nullable: false, unique: true}}}}
                    """),
                folder)) {
      String count = "SELECT COUNT(*) FROM a.t";
      assertTrue(open.number(count) < 1000);
      world.whileRead.add(
          "ALTER SCHEMA a RENAME TO c; ALTER SCHEMA b RENAME TO a; ALTER SCHEMA c RENAME TO b");
      expectMoved(() -> open.ask(count));
      assertTrue(world.whileRead.isEmpty());
    }
  }

  /**
   * A schema is renamed after the state was chosen and before the tables are looked at: what the
   * state knows by the names, keys and accounts, is of other tables than what they lead to now.
   */
  @Test
  void schemasThatChangePlacesBeforeTheLookAreNotTakenForWhatTheyWere() throws Exception {
    String swap =
        "ALTER SCHEMA public RENAME TO x; ALTER SCHEMA hidden RENAME TO public; ALTER SCHEMA x"
            + " RENAME TO hidden";
    Policy policy =
        OpenGateway.policy(
            """
            privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 1000, delta: 1e-6}}
            tables:
              t: {columns: {id: {type: integer, nullable: false, unique: true}}}
              cities: {public: true, columns: {name: {type: varchar, nullable: false}}}
              hidden.cities: {columns: {name: {type: varchar, nullable: false}}}
            """);
    String join = "SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id";
    try (World world =
            new World(
                Kind.POSTGRESQL,
                "places",
                "CREATE SCHEMA hidden",
                "CREATE TABLE t(id int NOT NULL, UNIQUE (id))",
                "CREATE TABLE cities(name varchar(20) NOT NULL)",
                "CREATE TABLE hidden.t(id int NOT NULL)",
                "CREATE TABLE hidden.cities(name varchar(20) NOT NULL)",
                "INSERT INTO t VALUES (1)",
                "INSERT INTO cities VALUES ('Rome')",
                "INSERT INTO hidden.t SELECT 1 FROM generate_series(1, 100)",
                "INSERT INTO hidden.cities VALUES ('alice')");
        OpenGateway open = world.open(policy, folder)) {
      assertEquals(List.of(List.of("Rome")), open.ask("SELECT name FROM cities").rows());
      open.ask(join);
      for (String sql : List.of("SELECT name FROM cities", join)) {
        Deque<String> moves = new ArrayDeque<>(List.of(swap));
        open.whileLooked =
            () -> {
              if (!moves.isEmpty()) {
                world.write(moves.remove().split("; "));
              }
            };
        for (int i = 0; i < 3; i++) {
          assertThrows(Failure.class, () -> open.ask(sql), sql);
        }
        assertTrue(moves.isEmpty());
        world.write(swap.split("; "));
        open.ask(sql);
      }
    }
  }

  /** What a statement fails with is no more than that its table is another one. */
  @Test
  void aStatementThatFailsBecauseItsTableMovedIsNotHeldAgainstTheQuestion() throws Exception {
    try (World world = rows(Kind.POSTGRESQL, "gone");
        OpenGateway open = world.open(ROWS, folder)) {
      open.ask(JOIN);
      for (int i = 0; i < 2; i++) {
        world.whileRead.add("CREATE SCHEMA IF NOT EXISTS x; ALTER SCHEMA public RENAME TO y");
        DatabaseError gone = assertThrows(DatabaseError.class, () -> open.ask(JOIN));
        assertTrue(gone.isLost(), gone.message());
        world.write("ALTER SCHEMA y RENAME TO public");
      }
      open.ask(JOIN);
    }
  }

  /** A ledger may be busy for long; DDL that waits for us blocks every writer. */
  @Test
  void noTableIsHeldWhileAccountsAreBound() throws Exception {
    try (World world = rows(Kind.POSTGRESQL, "bound");
        OpenGateway open = world.open(ROWS, folder)) {
      open.ask(JOIN);
      world.write(swap(Kind.POSTGRESQL, "t_like").split("; "));
      int[] bound = {0};
      open.whileBound =
          () -> {
            bound[0]++;
            world.write("SET lock_timeout = '5s'", "ALTER TABLE t ADD COLUMN IF NOT EXISTS x INT");
          };
      open.ask(JOIN);
      assertEquals(1, bound[0]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyRedefinesATableWhileItIsMeasured(Kind kind) throws Exception {
    try (World world = rows(kind, "measured");
        Connection connection = Databases.readOnly(world.url)) {
      world.write(
          kind == Kind.MARIADB
              ? "SET SESSION lock_wait_timeout = 1"
              : "SET lock_timeout = '100ms'");
      List<String> refused = new ArrayList<>();
      Progress moving =
          new Progress() {
            @Override
            public void begin(long rows) {
              for (String table : ROWS.tables().keySet()) {
                try {
                  world.write("ALTER TABLE " + table + " ADD COLUMN more int");
                } catch (SQLException e) {
                  refused.add(table);
                }
              }
            }

            @Override
            public void read(String table, long rows) {}
          };
      new Collector(ROWS, RequiredFrequencies.of(ROWS), moving, Clock.systemUTC())
          .collect(connection);
      assertEquals(List.copyOf(ROWS.tables().keySet()), refused);
      world.write("ALTER TABLE t ADD COLUMN more int");
    }
  }

  @Test
  void whatMustKeepWorkingKeepsWorking() throws Exception {
    try (World world = rows(Kind.POSTGRESQL, "everyday");
        OpenGateway open = world.open(ROWS, folder)) {
      for (String daily :
          List.of(
              "ANALYZE t",
              "CREATE INDEX more ON t(g)",
              "REINDEX TABLE CONCURRENTLY t",
              "REINDEX TABLE t",
              "VACUUM FULL t",
              "GRANT SELECT ON t TO PUBLIC",
              "ALTER TABLE t SET (fillfactor = 50)",
              "ALTER TABLE t ADD COLUMN later int",
              "CREATE TABLE t_next(LIKE t INCLUDING ALL)",
              "INSERT INTO t_next SELECT * FROM t",
              "ALTER TABLE t RENAME TO t_last",
              "ALTER TABLE t_next RENAME TO t")) {
        world.write(daily);
        if (!daily.endsWith("t_last")) {
          open.ask(JOIN);
        }
      }
      assertFalse(open.log.stream().anyMatch(line -> line.contains("failed")), open.log.toString());
    }
  }
}
