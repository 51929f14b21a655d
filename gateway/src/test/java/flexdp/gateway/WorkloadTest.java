package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.noise.BitSource;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many statements at one price. */
class WorkloadTest {
  private static final String DAY =
      """
      SELECT COUNT(*) FROM trips;
      SELECT status, COUNT(*) FROM trips GROUP BY status; -- by status; all of them
      SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) FROM trips GROUP BY EXTRACT(MONTH FROM day);
      SELECT COUNT(*) FROM trips WHERE status = 'completed';
      SELECT COUNT(*) FROM trips WHERE status IN ('completed', 'cancelled');
      SELECT COUNT(*) FROM trips WHERE fare > 8;
      SELECT status, COUNT(*) FROM trips WHERE fare > 8 GROUP BY status;
      SELECT COUNT(DISTINCT driver_id) FROM trips
      """;

  @TempDir Path folder;

  private static QueryRequest ask(String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        "",
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins()),
        "ann",
        Set.of(),
        false,
        true,
        Optional.empty());
  }

  private SmallRides rides(long seed) throws Exception {
    BitSource source = new SmallRides.Replayed(seed);
    return new SmallRides(folder, () -> source);
  }

  @Test
  void everyStatementIsAnsweredWithItsOwnRows() throws Exception {
    try (SmallRides rides = rides(1)) {
      WorkloadView view = rides.gateway.ask(Workload.parse(DAY), ask("5000"));
      assertEquals(8, view.answers().size());
      assertEquals(new BigDecimal(6), view.answers().get(0).rows().get(0).get(0));
      assertEquals(4, view.answers().get(1).rows().size());
      assertEquals(new BigDecimal(2), view.answers().get(3).rows().get(0).get(0));
      assertEquals(new BigDecimal(3), view.answers().get(4).rows().get(0).get(0));
      assertEquals(new BigDecimal(3), view.answers().get(5).rows().get(0).get(0));
      for (var row : view.answers().get(6).rows()) {
        BigDecimal expected =
            "completed".equals(row.get(0))
                ? new BigDecimal(2)
                : "cancelled".equals(row.get(0)) ? BigDecimal.ONE : BigDecimal.ZERO;
        assertEquals(expected, row.get(1), "" + row.get(0));
      }
      assertEquals(new BigDecimal(3), view.answers().get(7).rows().get(0).get(0));
    }
  }

  @Test
  void allOfItCostsOnce() throws Exception {
    try (SmallRides rides = rides(2)) {
      WorkloadView view = rides.gateway.ask(Workload.parse(DAY), ask("1"));
      assertTrue(view.epsilon().compareTo(BigDecimal.ONE) <= 0);
      assertTrue(view.epsilon().compareTo(new BigDecimal("0.999")) > 0);
      BigDecimal spent =
          rides.ledger.standings().stream()
              .filter(s -> s.account().toString().equals("table:trips"))
              .map(s -> s.spent().epsilon())
              .findFirst()
              .orElseThrow();
      assertEquals(0, spent.compareTo(view.epsilon()));
    }
  }

  @Test
  void publicRowsCostNothingAloneAndBesideOthers() throws Exception {
    String open =
        "SELECT COUNT(*) FROM cities;"
            + " SELECT name, COUNT(id) FROM cities GROUP BY name ORDER BY name";
    try (SmallRides rides = rides(2)) {
      WorkloadView alone = rides.gateway.ask(Workload.parse(open), ask("1"));
      assertEquals(0, alone.epsilon().signum());
      assertEquals(2, alone.answers().size());
      WorkloadView beside = rides.gateway.ask(Workload.parse(open + "; " + DAY), ask("1"));
      assertEquals(alone.answers().get(1).rows(), beside.answers().get(1).rows());
      assertEquals(10, beside.answers().size());
    }
  }

  @Test
  void noStatementIsPredictedWorseThanByItself() throws Exception {
    try (SmallRides rides = rides(3)) {
      WorkloadExplanation words = rides.gateway.explain(Workload.parse(DAY), ask("1"));
      assertEquals(1, words.frames().size());
      assertTrue(words.frames().getFirst().questions() >= 4, words.toString());
      for (WorkloadExplanation.Question question : words.questions()) {
        BigDecimal most = question.alone().orElseThrow().multiply(new BigDecimal("1.01"));
        assertTrue(
            question.error().orElseThrow().compareTo(most.add(BigDecimal.ONE)) <= 0,
            question.toString());
      }
    }
  }

  @Test
  void errorBarsHoldTheTruth() throws Exception {
    try (SmallRides rides = rides(4)) {
      int held = 0;
      int all = 0;
      WorkloadView truth = rides.gateway.ask(Workload.parse(DAY), ask("5000"));
      // Bars are whole numbers, and hold more often where they are of few steps.
      QueryRequest fresh =
          new QueryRequest("", ask("0.3").options(), "ann", Set.of(), true, true, Optional.empty());
      for (int i = 0; i < 150; i++) {
        WorkloadView view = rides.gateway.ask(Workload.parse(DAY), fresh);
        for (int s = 0; s < 8; s++) {
          AnalystView answer = view.answers().get(s);
          int column = answer.columns().size() - 1;
          AnalystView.Bar bar = answer.interval(0, column).orElseThrow();
          BigDecimal exact = (BigDecimal) truth.answers().get(s).rows().get(0).get(column);
          all++;
          held += bar.low().compareTo(exact) <= 0 && bar.high().compareTo(exact) >= 0 ? 1 : 0;
        }
      }
      assertTrue(held > 0.94 * all && held < 0.965 * all, held + " of " + all);
    }
  }

  @Test
  void oneBadStatementRefusesAllAndCostsNothing() throws Exception {
    try (SmallRides rides = rides(5)) {
      Workload bad = Workload.parse("SELECT COUNT(*) FROM trips;\n\n  SELECT COUNT(*) FROM tripz;");
      Rejection refusal = assertThrows(Rejection.class, () -> rides.gateway.ask(bad, ask("1")));
      assertEquals("UNKNOWN_TABLE", refusal.codeName());
      assertTrue(refusal.message().startsWith("Statement 2: "));
      assertEquals(new Position(3, 24), refusal.at().orElseThrow());
      assertTrue(
          rides.ledger.standings().stream().allMatch(s -> s.spent().epsilon().signum() == 0));
    }
  }

  @Test
  void nothingAndFarTooMuchAreRefused() {
    assertEquals(
        "WORKLOAD_EMPTY",
        assertThrows(Rejection.class, () -> Workload.parse(" ;; -- nothing\n; /* ; */ "))
            .codeName());
    assertEquals(
        "TOO_COMPLEX",
        assertThrows(
                Rejection.class,
                () -> Workload.parse("SELECT COUNT(*) FROM trips;\n".repeat(100_000)))
            .codeName());
  }

  /**
   * As a key of a frame, whether a driver is listed elsewhere would move all trips of hers from one
   * label to the other: a thousand trips by 2000, with one row. So it belongs to the rows.
   */
  @Test
  void conditionsWithSubqueriesAreNoKeys() throws Exception {
    try (SmallRides rides = rides(9)) {
      String some = "driver_id IN (SELECT d.id FROM drivers d WHERE d.city_id = 1)";
      WorkloadExplanation plan =
          rides.gateway.explain(
              Workload.parse(
                  "SELECT COUNT(*) FROM trips; SELECT status, COUNT(*) FROM trips GROUP BY status;"
                      + "SELECT COUNT(*) FROM trips WHERE "
                      + some
                      + "; SELECT status, COUNT(*) FROM trips WHERE status <> 'x' GROUP BY status"),
              ask("1"));
      assertEquals(0, plan.questions().get(2).frame(), "" + plan);
      assertTrue(
          plan.frames().stream()
              .flatMap(f -> f.cuboids().stream())
              .flatMap(c -> c.keys().stream())
              .noneMatch(key -> key.contains("driver")),
          "" + plan);
    }
  }

  /** What that would be, counted: one row of drivers moves the cells of such a key by 2000. */
  @Test
  void asAKeyOneRowElsewhereMovesTwoThousand() throws Exception {
    String cells =
        "SELECT COUNT(*) FILTER (WHERE k), COUNT(*) FILTER (WHERE NOT k) FROM (SELECT driver_id IN"
            + " (SELECT b.id FROM bans b) AS k FROM trips)";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE trips AS SELECT i AS id, 7 AS driver_id FROM range(1000) r(i)");
      statement.execute("CREATE TABLE bans(id INTEGER)");
      long[][] counts = new long[2][2];
      for (int side = 0; side < 2; side++) {
        try (ResultSet found = statement.executeQuery(cells)) {
          found.next();
          counts[side] = new long[] {found.getLong(1), found.getLong(2)};
        }
        statement.execute("INSERT INTO bans VALUES (7)");
      }
      assertEquals(
          2_000, Math.abs(counts[0][0] - counts[1][0]) + Math.abs(counts[0][1] - counts[1][1]));
    }
  }

  @Test
  void semicolonsInQuotesAndCommentsEndNothing() {
    Workload workload =
        Workload.parse("SELECT ';' -- ; weight\n, \";\" FROM t; /* ; */ SELECT 1 -- weight: 3\n");
    assertEquals(2, workload.statements().size());
    assertEquals(1, workload.statements().get(0).weight());
    assertEquals(3, workload.statements().get(1).weight());
  }
}
