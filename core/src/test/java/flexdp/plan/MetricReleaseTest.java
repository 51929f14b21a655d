package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.NoisyUpperBounds;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.plan.MetricRelease.Kind;
import flexdp.plan.MetricRelease.Metric;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricReleaseTest {
  private static final PrivacyParameters PRIVACY = privacy("1", "1e-6");
  private static final Set<String> DRIVER = Set.of("driver_id");
  private static final Set<String> KEY = Set.of("driver_id", "day");

  private static final Metrics METRICS =
      new Metrics(
          Map.of(
              "trips",
              new TableMetrics(
                  Optional.of(BigInteger.valueOf(100_000)),
                  Map.of(DRIVER, frequency(65, 70), KEY, frequency(4, 9))),
              "drivers",
              new TableMetrics(Optional.empty(), Map.of(Set.of("city"), frequency(1200, 1200)))),
          Map.of());

  private static PrivacyParameters privacy(String epsilon, String delta) {
    return new PrivacyParameters(new BigDecimal(epsilon), new BigDecimal(delta));
  }

  private static MaxFrequency frequency(long max, long withNull) {
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(max)), Optional.of(BigInteger.valueOf(withNull)));
  }

  private static List<Metric> everything() {
    List<Metric> all = new ArrayList<>();
    for (String table : List.of("trips", "drivers")) {
      all.addAll(MetricRelease.measured(table, METRICS.table(table)));
    }
    return all;
  }

  @Test
  void everythingMeasuredCanBeChosen() {
    assertEquals(
        List.of(
            "rows(trips)",
            "maxFrequency(trips[day, driver_id])",
            "maxFrequencyWithNull(trips[day, driver_id])",
            "maxFrequency(trips[driver_id])",
            "maxFrequencyWithNull(trips[driver_id])",
            "maxFrequency(drivers[city])",
            "maxFrequencyWithNull(drivers[city])"),
        everything().stream().map(Metric::toString).toList());
  }

  @Test
  void onlyWhatWasChosenIsReleasedAndPrivateValuesStay() {
    Metrics released =
        MetricRelease.release(
            METRICS,
            List.of(new Metric("trips", Kind.MAX_FREQUENCY, DRIVER)),
            PRIVACY,
            new SeededBits(1));
    assertEquals(METRICS.tables(), released.tables());
    assertEquals(Set.of("trips"), released.released().keySet());
    Metrics.Release trips = released.released("trips").orElseThrow();
    assertEquals(PRIVACY.epsilon(), trips.epsilon());
    assertEquals(PRIVACY.delta(), trips.delta());
    assertTrue(trips.values().rows().isEmpty());
    assertEquals(Set.of(DRIVER), trips.values().frequencies().keySet());
    assertTrue(trips.values().frequencies().get(DRIVER).maxWithNull().isEmpty());
  }

  @Test
  void noiseGrowsWithTheMetricsOfTheTableOnly() {
    // Centre of trips: q = 5 of Q = 7, so the margin is ⌈5·ln(7e6)⌉ = 79; of drivers ⌈2·ln(7e6)⌉ =
    // 32.
    int n = 1500;
    double trips = 0;
    double drivers = 0;
    double tripsSize = 0;
    double driversSize = 0;
    for (int i = 0; i < n; i++) {
      Metrics m = MetricRelease.release(METRICS, everything(), PRIVACY, new SeededBits(i));
      double t = bound(m, "trips", DRIVER) - 65;
      double d = bound(m, "drivers", Set.of("city")) - 1200;
      trips += t / n;
      drivers += d / n;
      tripsSize += Math.abs(t - 79) / n;
      driversSize += Math.abs(d - 32) / n;
    }
    assertEquals(79, trips, 1);
    assertEquals(32, drivers, 0.5);
    assertEquals(5, tripsSize, 0.8);
    assertEquals(2, driversSize, 0.3);
  }

  private static double bound(Metrics metrics, String table, Set<String> columns) {
    TableMetrics values = metrics.released(table).orElseThrow().values();
    return values.frequencies().get(columns).max().orElseThrow().doubleValue();
  }

  /** δ = 0.1, so that failures can be counted: at most one in ten releases has a bound too low. */
  @Test
  void allBoundsHoldTogetherButForDelta() {
    PrivacyParameters loose = privacy("0.5", "0.1");
    int n = 2000;
    int short_ = 0;
    for (int i = 0; i < n; i++) {
      Metrics m = MetricRelease.release(METRICS, everything(), loose, new SeededBits(i));
      short_ += isShort(m) ? 1 : 0;
    }
    assertTrue(short_ <= 0.1 * n, "too low: " + short_);
    assertTrue(short_ >= 0.02 * n, "a margin far too wide: " + short_);
  }

  private static boolean isShort(Metrics metrics) {
    return everything().stream()
        .anyMatch(
            m -> {
              TableMetrics exact = metrics.table(m.table());
              TableMetrics bound = metrics.released(m.table()).orElseThrow().values();
              return value(m, bound).compareTo(value(m, exact)) < 0;
            });
  }

  private static BigInteger value(Metric metric, TableMetrics table) {
    return switch (metric.kind()) {
      case ROWS -> table.rows().orElseThrow();
      case MAX_FREQUENCY -> table.frequencies().get(metric.columns()).max().orElseThrow();
      case MAX_FREQUENCY_WITH_NULL ->
          table.frequencies().get(metric.columns()).maxWithNull().orElseThrow();
    };
  }

  @Test
  void anEarlierReleaseOfAnotherTableStays() {
    Metrics first =
        MetricRelease.release(METRICS, List.of(Metric.rows("trips")), PRIVACY, new SeededBits(1));
    Metrics both =
        MetricRelease.release(
            first,
            List.of(new Metric("drivers", Kind.MAX_FREQUENCY, Set.of("city"))),
            PRIVACY,
            new SeededBits(2));
    assertEquals(first.released("trips"), both.released("trips"));
    assertTrue(both.released("drivers").isPresent());
  }

  @Test
  void aMetricThatWasNotMeasuredIsAnError() {
    List<Metric> missing = List.of(new Metric("trips", Kind.MAX_FREQUENCY, Set.of("fare")));
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> MetricRelease.release(METRICS, missing, PRIVACY, new SeededBits(1)));
    assertTrue(error.getMessage().contains("maxFrequency(trips[fare])"));
  }

  @Test
  void aReleaseNeedsADelta() {
    PrivacyParameters pure = PrivacyParameters.pure(BigDecimal.ONE);
    assertThrows(
        IllegalArgumentException.class,
        () -> MetricRelease.release(METRICS, everything(), pure, new SeededBits(1)));
  }

  @Test
  void boundsAreNeverNegativeAndMarginsRoundUp() {
    assertEquals(
        BigInteger.valueOf((long) Math.ceil(10 * Math.log(3e6))),
        NoisyUpperBounds.margin(Rational.of(10), 3, new BigDecimal("1e-6")));
    for (int i = 0; i < 200; i++) {
      BigInteger bound =
          NoisyUpperBounds.publish(
                  List.of(BigInteger.ZERO),
                  Rational.of(50),
                  1,
                  new BigDecimal("0.9"),
                  new SeededBits(i))
              .getFirst();
      assertFalse(bound.signum() < 0);
    }
  }
}
