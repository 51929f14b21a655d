package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.json.AnswerJson;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where every account adds up squares, ε buys ρ = ε²/2 whatever the number of measurements. */
class SharedSquaresTest {
  private static final String SQUARES =
      SmallRides.POLICY.replace("composition: basic", "composition: adaptive");

  @TempDir Path folder;

  private static QueryRequest ask(String sql, String analyst) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        sql,
        new QueryOptions(d.mechanism(), Optional.of(BigDecimal.ONE), d.delta(), d.bins()),
        analyst,
        Set.of(),
        true);
  }

  private AnalystView answer(String policy, String sql, String analyst) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(9);
    try (SmallRides rides = new SmallRides(folder, () -> source, policy)) {
      AnalystView view = rides.gateway.ask(ask(sql, analyst));
      BigDecimal charged =
          rides.ledger.standings().stream()
              .filter(s -> s.account().toString().equals("table:trips"))
              .map(s -> s.spent().squares())
              .findFirst()
              .orElseThrow();
      assertTrue(charged.compareTo(BigDecimal.ONE) <= 0, "never more than the square of epsilon");
      return view;
    }
  }

  @Test
  void severalMeasurementsShareTheSquare() throws Exception {
    AnalystView view = answer(SQUARES, "SELECT COUNT(*), SUM(fare) FROM trips", "ann");
    assertEquals(1.41421356, view.epsilon().doubleValue(), 1e-6);
    assertEquals(0.5, view.rho().orElseThrow().doubleValue(), 1e-9);
    assertTrue(view.rho().orElseThrow().compareTo(new BigDecimal("0.5")) <= 0);
    assertTrue(AnswerJson.of(view, false).contains("\"rho\":"));
  }

  /** Sixteen numbers at ε = 1 are pure 4 in all, and that is what is booked. */
  @Test
  void sixteenMeasurementsAreFourTimesEpsilonInAll() throws Exception {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*)");
    for (int i = 1; i < 16; i++) {
      sql.append(", COUNT(*) FILTER (WHERE fare > ").append(i).append(")");
    }
    AnalystView view = answer(SQUARES, sql + " FROM trips", "ann");
    assertEquals(4, view.epsilon().doubleValue(), 1e-9);
    assertEquals(0.5, view.rho().orElseThrow().doubleValue(), 1e-9);
  }

  @Test
  void aCubeSharesItToo() throws Exception {
    AnalystView view =
        answer(
            SQUARES,
            "SELECT status, city_id, COUNT(*) FROM trips GROUP BY CUBE(status, city_id)",
            "ann");
    assertTrue(view.epsilon().compareTo(BigDecimal.ONE) > 0, view.epsilon() + " " + view.rho());
    assertTrue(view.rho().orElseThrow().compareTo(new BigDecimal("0.5")) <= 0);
    assertEquals(0.5, view.rho().orElseThrow().doubleValue(), 1e-5);
  }

  @Test
  void oneAccountThatAddsUpEpsilonKeepsTheEvenSplit() throws Exception {
    String policy =
        SQUARES.replace(
            "  neighbors: add-remove-one",
            "  neighbors: add-remove-one\n"
                + "  analysts: {ann: {budget: {epsilon: 100, composition: basic}}}");
    AnalystView view = answer(policy, "SELECT COUNT(*), SUM(fare) FROM trips", "ann");
    assertEquals(0, view.epsilon().compareTo(BigDecimal.ONE));
    assertTrue(view.rho().isEmpty());
  }

  @Test
  void aWorkloadSharesTheSquare() throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(10);
    try (SmallRides rides = new SmallRides(folder, () -> source, SQUARES)) {
      WorkloadView view =
          rides.gateway.ask(
              Workload.parse(
                  "SELECT COUNT(*) FROM trips; SELECT status, COUNT(*) FROM trips GROUP BY status;"
                      + "SELECT city_id, COUNT(*) FROM trips GROUP BY city_id;"
                      + "SELECT AVG(fare) FROM trips"),
              ask("", "ann"));
      assertEquals(4, view.answers().size());
      BigDecimal squares =
          rides.ledger.standings().stream()
              .filter(s -> s.account().toString().equals("table:trips"))
              .map(s -> s.spent().squares())
              .findFirst()
              .orElseThrow();
      assertTrue(squares.compareTo(BigDecimal.ONE) <= 0, "" + squares);
      assertTrue(squares.compareTo(new BigDecimal("0.99")) > 0, "" + squares);
    }
  }
}
