package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.ExactHistogram;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.noise.BitSource;
import flexdp.noise.Laplace;
import flexdp.noise.LaplaceCache;
import flexdp.noise.Noise;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.HistogramRelease;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two neighbouring databases, the same SQL, thousands of answers each: no event may be more than
 * e^ε times as probable on one as on the other. An estimate of the log ratio that is above ε by
 * more than five of its standard errors fails the audit, which happens to an honest gateway with
 * probability below 3·10⁻⁷ per event, and never at these fixed seeds.
 */
class NeighbourAuditTest {
  private static final BigDecimal ONE = BigDecimal.ONE;

  @TempDir Path folder;

  /** Numbers of one answer, or of one draw. */
  private interface Answers {
    List<BigDecimal> next();
  }

  /**
   * How far the estimated log ratio is above ε, in standard errors; the worst event in the worse
   * direction.
   */
  private static double excess(
      Answers one,
      Answers two,
      List<Predicate<List<BigDecimal>>> events,
      double epsilon,
      int times) {
    List<List<BigDecimal>> ones = Stream.generate(one::next).limit(times).toList();
    List<List<BigDecimal>> twos = Stream.generate(two::next).limit(times).toList();
    double worst = Double.NEGATIVE_INFINITY;
    for (Predicate<List<BigDecimal>> event : events) {
      double first = ones.stream().filter(event).count() + 1.0;
      double second = twos.stream().filter(event).count() + 1.0;
      double n = times + 2;
      double deviation = Math.sqrt((1 - first / n) / first + (1 - second / n) / second);
      worst = Math.max(worst, (Math.abs(Math.log(first / second)) - epsilon) / deviation);
    }
    return worst;
  }

  private static QueryRequest ask(String sql, String epsilon) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "auditor", Set.of());
  }

  private SmallRides rides(String name, long seed, String... changes) throws Exception {
    Path place = Files.createTempDirectory(folder, name);
    BitSource source = new SmallRides.Replayed(seed);
    return new SmallRides(place, () -> source, SmallRides.POLICY, List.of(changes));
  }

  private static Answers of(SmallRides rides, QueryRequest request) {
    return () -> {
      List<BigDecimal> numbers = new ArrayList<>();
      for (List<Object> row : rides.gateway.ask(request).rows()) {
        for (Object value : row) {
          if (value instanceof BigDecimal number) {
            numbers.add(number);
          }
        }
      }
      return numbers;
    };
  }

  /** The database without a trip is a neighbour of the database with it. */
  private double audit(
      String sql, String epsilon, int trip, List<Predicate<List<BigDecimal>>> events, int times)
      throws Exception {
    try (SmallRides one = rides("one", 11, "SELECT 1");
        SmallRides two = rides("two", 12, "DELETE FROM trips WHERE id = " + trip)) {
      return excess(of(one, ask(sql, epsilon)), of(two, ask(sql, epsilon)), events, 1, times);
    }
  }

  private static Predicate<List<BigDecimal>> atMost(int... limits) {
    return numbers -> {
      for (int i = 0; i < limits.length; i++) {
        if (numbers.get(i).compareTo(BigDecimal.valueOf(limits[i])) > 0) {
          return false;
        }
      }
      return true;
    };
  }

  @Test
  void aCountKeepsItsPromise() throws Exception {
    assertTrue(audit("SELECT COUNT(*) FROM trips", "1", 1, List.of(atMost(5)), 1000) < 5);
  }

  @Test
  void noiseScaledByFourFifthsIsNoticed() throws Exception {
    // Laplace noise for ε = 1.25 is that for ε = 1 scaled by 0.8.
    assertTrue(audit("SELECT COUNT(*) FROM trips", "1.25", 1, List.of(atMost(5)), 2000) > 5);
  }

  /** The scale of the noise follows the data here. */
  @Test
  @Tag("slow")
  void smoothNoiseKeepsItsPromise() throws Exception {
    String sql = "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id";
    assertTrue(
        audit(sql, "1", 1, List.of(atMost(-20), atMost(0), atMost(6), atMost(10), atMost(40)), 3000)
            < 5);
  }

  @Test
  @Tag("slow")
  void aHistogramKeepsItsPromise() throws Exception {
    String sql = "SELECT status, COUNT(*) FROM trips GROUP BY status HAVING status = 'completed'";
    List<Predicate<List<BigDecimal>>> events = List.of(atMost(0), atMost(1), atMost(2));
    assertTrue(audit(sql, "1", 1, events, 3000) < 5);
    assertTrue(audit(sql, "1.25", 1, events, 3000) > 5, "less noise is noticed");
  }

  @Test
  @Tag("slow")
  void severalAggregatesKeepTheirPromiseTogether() throws Exception {
    String sql = "SELECT COUNT(*), SUM(fare) FROM trips";
    assertTrue(
        audit(sql, "1", 3, List.of(atMost(3), atMost(5), atMost(5, 290), atMost(4, 0)), 3000) < 5);
  }

  /** The fourth trip is the only one of its driver. */
  @Test
  @Tag("slow")
  void aSemiJoinKeepsItsPromise() throws Exception {
    String sql =
        "SELECT COUNT(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE t.driver_id ="
            + " d.id)";
    assertTrue(audit(sql, "1", 4, List.of(atMost(0), atMost(2), atMost(4)), 3000) < 5);
  }

  /** What a gateway would say that gives the first of two counts the whole ε. */
  @Test
  @Tag("slow")
  void aGreedyGatewayIsNoticed() throws Exception {
    try (SmallRides one = rides("one", 13, "SELECT 1");
        SmallRides two = rides("two", 14, "DELETE FROM trips WHERE id = 1")) {
      assertTrue(excess(greedy(one), greedy(two), List.of(atMost(5, 5)), 1, 4000) > 5);
    }
  }

  private static Answers greedy(SmallRides rides) {
    Answers whole = of(rides, ask("SELECT COUNT(*) FROM trips", "1"));
    Answers half = of(rides, ask("SELECT COUNT(fare) FROM trips", "0.5"));
    return () -> {
      List<BigDecimal> numbers = new ArrayList<>(whole.next());
      numbers.addAll(half.next());
      return numbers;
    };
  }

  /** Two counts at ε/2 each are private at ε; one of them at the whole ε is not. */
  @Test
  void oneMeasurementWithTheWholeEpsilonIsNoticed() throws Exception {
    try (SmallRides rides = rides("plan", 1, "SELECT 1")) {
      Plan plan = rides.gateway.plan(ask("SELECT COUNT(*), COUNT(fare) FROM trips", "1"));
      List<PlannedMeasurement> honest = plan.measurements();
      List<PlannedMeasurement> greedy = new ArrayList<>(honest);
      PlannedMeasurement first = honest.get(0);
      greedy.set(
          0,
          new PlannedMeasurement(
              first.release(),
              first.measurement(),
              first.bound(),
              first.unit(),
              Optional.of(
                  new CalibratedMechanism.Additive(
                      Laplace.of(ONE),
                      first.noise().orElseThrow().sensitivity(),
                      Optional.empty()))));
      NoisyAggregate point = first.release();
      assertTrue(joint(point, honest) < 5);
      assertFalse(joint(point, greedy) < 5);
    }
  }

  private static double joint(NoisyAggregate point, List<PlannedMeasurement> planned) {
    BitSource bits = new SmallRides.Replayed(5);
    return excess(
        drawn(point, planned, 6, bits),
        drawn(point, planned, 5, bits),
        List.of(atMost(5, 5)),
        1,
        20_000);
  }

  private static Answers drawn(
      NoisyAggregate point, List<PlannedMeasurement> planned, long count, BitSource bits) {
    HistogramRelease release = new HistogramRelease(point, point, planned, Optional.empty());
    Noise noise = new Noise(bits, new LaplaceCache());
    return () -> {
      ExactHistogram histogram = ExactHistogram.of(point, List.of(List.of()));
      for (int m = 0; m < planned.size(); m++) {
        histogram.add(histogram.onlyGrouping(), List.of(), m, BigInteger.valueOf(count));
      }
      List<BigDecimal> numbers = new ArrayList<>();
      release
          .noisy(histogram, noise, Map.of())
          .rows()
          .get(0)
          .forEach(value -> numbers.add((BigDecimal) value));
      return numbers;
    };
  }
}
