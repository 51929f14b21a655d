package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.TimeBudget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is thought about a question before it is charged ends when whoever waits has enough. */
class PlanningStopsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              flexdp: 1
              privacy: {epsilon: 1, budget: {epsilon: 1000}}
              tables:
                t:
                  static: true
                  columns:
                    id: {type: bigint, nullable: false, unique: true}
                    x: {type: integer, range: [0, 100]}
                    s: {type: varchar, domain: [a, b]}
              """,
              ConfigurationError.Code.BAD_POLICY));

  /** Each level groups, joins, computes and filters. */
  private static String nested(int levels) {
    return "SELECT s, COUNT(*) AS n FROM "
        + "(SELECT q.id, q.s, CASE WHEN q.x + 1 > 3 THEN q.x * 2 ELSE q.x END AS x FROM "
            .repeat(levels)
        + "t q"
        + " JOIN t r ON q.id = r.id WHERE LOWER(q.s) || 'b' LIKE 'a%') q".repeat(levels)
        + " GROUP BY s";
  }

  @TempDir Path folder;

  private Connection writer;
  private JdbcDatabase database;
  private Ledger ledger;
  private QueryEngine engine;

  @BeforeEach
  void open() throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("t.duckdb");
    writer = DriverManager.getConnection(url);
    try (Statement statement = writer.createStatement()) {
      statement.execute("CREATE TABLE t (id BIGINT NOT NULL UNIQUE, x INTEGER, s VARCHAR)");
      statement.execute("INSERT INTO t VALUES (1, 2, 'a')");
    }
    writer.close();
    database = JdbcDatabase.open(url, POLICY, Duration.ofMinutes(1), (what, cause) -> {});
    ledger = LedgerOpening.file(folder.resolve("t.ledger"), Allowances.of(POLICY), false);
    LiveMetrics live = LiveMetrics.vouched(POLICY, Metrics.NONE);
    engine =
        new QueryEngine(
            POLICY, live, "s", database, ledger, (what, cause) -> {}, Clock.systemUTC());
  }

  @AfterEach
  void close() {
    ledger.close();
    database.close();
  }

  private static QueryRequest ask(String sql) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(BigDecimal.ONE), Optional.empty(), Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of());
  }

  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Explains and counts how often it is asked whether to go on; from some look on not to. */
  private int explained(String sql, int most, Set<String> rooms) {
    int[] looks = {0};
    Runnable look =
        () -> {
          for (StackTraceElement place : new Throwable().getStackTrace()) {
            rooms.add(place.getClassName().replaceFirst("\\.[^.]*$", ""));
          }
          if (++looks[0] > most) {
            throw new Enough();
          }
        };
    try (TimeBudget.Limit ignored = TimeBudget.limit(look)) {
      engine.explain(ask(sql));
    }
    return looks[0];
  }

  @Test
  void everyRoomThatAQuestionGoesThroughAsks() {
    Set<String> rooms = new TreeSet<>();
    for (int levels = 1; levels < 7; levels++) {
      explained(nested(levels), Integer.MAX_VALUE, rooms);
    }
    for (String room :
        List.of(
            "flexdp.sql.bind",
            "flexdp.properties",
            "flexdp.decompose",
            "flexdp.sensitivity",
            "flexdp.gateway.render")) {
      assertTrue(rooms.contains(room), room + " is not among " + rooms);
    }
  }

  @Test
  void nothingOnTheWayGoesOnAgainstTheWish() {
    int all = explained(nested(5), Integer.MAX_VALUE, new TreeSet<>());
    assertTrue(all > 20, "only " + all);
    for (int most = 0; most < all; most++) {
      String sql = nested(5).replace("'b'", "'b" + most + "'"); // what is planned is remembered
      int end = most;
      assertThrows(
          Enough.class, () -> explained(sql, end, new TreeSet<>()), "after " + most + " looks");
    }
  }

  @Test
  void planningHasTheTimeOfAStatement() {
    DatabaseError late =
        assertThrows(
            DatabaseError.class,
            () ->
                GuardedExecution.over(
                    "",
                    Duration.ZERO,
                    new CancellationToken(),
                    () -> engine.explain(ask(nested(6)))));
    assertEquals(DatabaseError.TOO_LATE, late.message());
  }

  /** Long enough for a thread of its own, which knows who waits. */
  @Test
  void whatIsCancelledWhilePlannedIsNotCharged() throws Exception {
    long before = Files.size(folder.resolve("t.ledger"));
    CancellationToken cancellation = new CancellationToken();
    cancellation.now();
    for (int levels : List.of(4, 30)) {
      DatabaseError cancelled =
          assertThrows(DatabaseError.class, () -> engine.ask(ask(nested(levels)), cancellation));
      assertEquals("The question was cancelled.", cancelled.message());
    }
    assertEquals(before, Files.size(folder.resolve("t.ledger")));
  }
}
