package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.ledger.Balance;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gaussian noise through the whole gateway: charged by ρ, and only where ρ is what adds up. */
class GaussianAnswersTest {
  private static final String ZCDP =
      SmallRides.POLICY.replace("composition: basic", "composition: zcdp");
  private static final String CUBE =
      "SELECT status, city_id, COUNT(*) FROM trips GROUP BY CUBE(status, city_id)";

  @TempDir Path folder;

  private static QueryRequest ask(String sql, boolean fresh) {
    return new QueryRequest(
        sql,
        new QueryOptions(
            MechanismChoice.GAUSSIAN,
            Optional.of(BigDecimal.ONE),
            Optional.empty(),
            Optional.empty()),
        "ann",
        Set.of(),
        fresh,
        true,
        Optional.empty());
  }

  private SmallRides rides(String policy) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(3);
    return new SmallRides(folder, () -> source, policy);
  }

  private static Balance trips(SmallRides rides) {
    return rides.ledger.standings().stream()
        .filter(s -> s.account().toString().equals("table:trips"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void oneNumberCostsHalfTheSquareAndWhatThatMeans() throws Exception {
    try (SmallRides rides = rides(ZCDP)) {
      AnalystView view = rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", true));
      assertEquals("gaussian", view.mechanism());
      assertEquals(0, view.rho().orElseThrow().compareTo(new BigDecimal("0.5")));
      assertEquals(0, trips(rides).spent().rho().compareTo(new BigDecimal("0.5")));
      assertEquals(0.5 + 2 * Math.sqrt(0.5 * Math.log(1e9)), view.epsilon().doubleValue(), 1e-9);
      assertEquals(0, view.delta().compareTo(new BigDecimal("1e-9")));
      // σ = 1 at ε = 1, and bars of a single number are up to the grid.
      AnalystView.Bar bar = view.interval(0, 0).orElseThrow();
      assertEquals(3, bar.high().subtract(bar.low()).doubleValue() / 2, 1e-9);
    }
  }

  @Test
  void cubesAndWorkloadsShareRho() throws Exception {
    try (SmallRides rides = rides(ZCDP)) {
      AnalystView view = rides.gateway.ask(ask(CUBE, true));
      assertEquals("gaussian", view.mechanism());
      assertTrue(view.rho().orElseThrow().compareTo(new BigDecimal("0.5")) <= 0);
      assertEquals(0.5, view.rho().orElseThrow().doubleValue(), 1e-5);
      assertTrue(view.delta().compareTo(new BigDecimal("1e-9")) <= 0);
      WorkloadView many =
          rides.gateway.ask(
              Workload.parse(
                  "SELECT COUNT(*) FROM trips; SELECT status, COUNT(*) FROM trips GROUP BY status;"
                      + "SELECT city_id, COUNT(*) FROM trips GROUP BY city_id;"
                      + "SELECT MEDIAN(fare) FROM trips"),
              ask("", true));
      assertEquals("gaussian", many.answers().getFirst().mechanism());
      assertTrue(many.rho().orElseThrow().compareTo(new BigDecimal("0.5")) <= 0);
      assertTrue(many.rho().orElseThrow().compareTo(new BigDecimal("0.49")) > 0);
      assertTrue(many.delta().compareTo(new BigDecimal("1e-9")) <= 0);
      assertEquals(1, trips(rides).spent().rho().doubleValue(), 0.011);
    }
  }

  @Test
  void whatIsShownAgainHasItsOwnBars() throws Exception {
    try (SmallRides rides = rides(ZCDP)) {
      for (String sql : List.of("SELECT COUNT(*), SUM(fare) FROM trips", CUBE)) {
        AnalystView first = rides.gateway.ask(ask(sql, true));
        AnalystView again = rides.gateway.ask(ask(sql, false));
        assertTrue(again.repeat());
        assertEquals(first.rows(), again.rows());
        for (int row = 0; row < first.rows().size(); row++) {
          for (int column = 0; column < first.columns().size(); column++) {
            assertEquals(first.interval(row, column), again.interval(row, column));
          }
        }
      }
    }
  }

  @Test
  void sumsOfBinsFollowWithBars() throws Exception {
    try (SmallRides rides = rides(ZCDP)) {
      rides.gateway.ask(ask("SELECT status, COUNT(*) FROM trips GROUP BY status", true));
      AnalystView sum =
          rides.gateway.ask(
              ask("SELECT COUNT(*) FROM trips WHERE status IN ('completed', 'cancelled')", false));
      assertTrue(sum.repeat());
      AnalystView.Bar bar = sum.interval(0, 0).orElseThrow();
      // √2 · 1.96, up to the grid, and one step.
      assertEquals(4, bar.high().subtract(bar.low()).doubleValue() / 2, 1e-9);
    }
  }

  @Test
  void oneAccountThatAddsUpOtherwiseRefusesIt() throws Exception {
    String analyst =
        ZCDP.replace(
            "  neighbors: add-remove-one",
            "  neighbors: add-remove-one\n"
                + "  analysts: {ann: {budget: {epsilon: 100, delta: 1e-3, composition:"
                + " adaptive}}}");
    for (String policy : List.of(SmallRides.POLICY, analyst)) {
      try (SmallRides rides = rides(policy)) {
        for (String sql : List.of("SELECT COUNT(*) FROM trips", CUBE)) {
          Rejection refused =
              assertThrows(Rejection.class, () -> rides.gateway.ask(ask(sql, true)));
          assertEquals(RejectionCode.MECHANISM_UNSUITABLE, refused.code());
        }
        assertThrows(
            Rejection.class,
            () -> rides.gateway.ask(Workload.parse("SELECT COUNT(*) FROM trips"), ask("", true)));
        assertTrue(rides.ledger.standings().stream().allMatch(s -> s.spent().answers() == 0));
      }
    }
  }
}
