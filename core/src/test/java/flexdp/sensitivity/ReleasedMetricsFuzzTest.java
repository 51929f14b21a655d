package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.PrivacyParameters;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.plan.MetricRelease;
import flexdp.plan.MetricRelease.Metric;
import flexdp.plan.MetricRelease.MetricStep;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Metrics that are released for a kind of people: all its tables move at once when one person comes
 * or goes. What their noise is made for is never exceeded, and wrong twins of it are.
 */
class ReleasedMetricsFuzzTest {
  private static final BigDecimal EPSILON = BigDecimal.ONE;

  /** Wrong ways to scale the noise of a release, and the right one. */
  private interface Twin {
    Rational scale(Metric metric, List<Metric> choice, PeopleDatabases databases);
  }

  private static BigInteger rows(PeopleDatabases databases, Metric metric) {
    return MetricStep.of(metric.table(), databases.policy).rows();
  }

  private static Rational right(Metric metric, List<Metric> choice, PeopleDatabases databases) {
    return MetricRelease.scales(choice, EPSILON, databases.policy).get(metric.table());
  }

  /** Wrong: as many as are chosen of the table, though those of others move as well. */
  private static Rational perTable(Metric metric, List<Metric> choice, PeopleDatabases databases) {
    long own = choice.stream().filter(m -> m.table().equals(metric.table())).count();
    return Rational.of(rows(databases, metric).multiply(BigInteger.valueOf(own)));
  }

  /** Wrong: a person moves each number by one. */
  private static Rational oneRow(Metric metric, List<Metric> choice, PeopleDatabases databases) {
    return right(metric, choice, databases).over(Rational.of(rows(databases, metric)));
  }

  private static BigInteger value(Metrics metrics, Metric metric) {
    TableMetrics table = metrics.table(metric.table());
    Optional<MaxFrequency> frequency =
        Optional.ofNullable(table.frequencies().get(metric.columns()));
    return switch (metric.kind()) {
      case ROWS -> table.rows().orElseThrow();
      case MAX_FREQUENCY -> frequency.flatMap(MaxFrequency::max).orElseThrow();
      case MAX_FREQUENCY_WITH_NULL -> frequency.flatMap(MaxFrequency::maxWithNull).orElseThrow();
    };
  }

  private static boolean exceeds(
      Metrics x, Metrics y, List<Metric> choice, PeopleDatabases databases, Twin twin) {
    Rational loss = Rational.ZERO;
    for (Metric metric : choice) {
      BigInteger moved = value(x, metric).subtract(value(y, metric)).abs();
      loss = loss.plus(Rational.of(moved).over(twin.scale(metric, choice, databases)));
    }
    return loss.compareTo(Rational.of(EPSILON)) > 0;
  }

  @Test
  void onePersonMovesAReleaseByNoMoreThanItsEpsilon() {
    Map<String, Integer> caught = new HashMap<>();
    for (long seed = 0; seed < 1_500; seed++) {
      Random random = new Random(seed);
      PeopleDatabases databases = new PeopleDatabases(random);
      PrivacyUnit unit = random.nextInt(6) == 0 ? PeopleDatabases.ROW : PeopleDatabases.PERSON;
      PeopleDatabases.Step step = databases.step(random, databases.random(random), unit);
      Metrics x = databases.measure(step.smaller(), false);
      Metrics y = databases.measure(step.larger(), false);
      List<Metric> choice = choice(random, x);
      assertTrue(!exceeds(x, y, choice, databases, ReleasedMetricsFuzzTest::right), "" + seed);
      if (exceeds(x, y, choice, databases, ReleasedMetricsFuzzTest::perTable)) {
        caught.merge("noise per table", 1, Integer::sum);
      }
      if (exceeds(x, y, choice, databases, ReleasedMetricsFuzzTest::oneRow)) {
        caught.merge("step of one row", 1, Integer::sum);
      }
      Metrics wholeX = databases.measure(step.smaller(), true);
      Metrics wholeY = databases.measure(step.larger(), true);
      if (exceeds(wholeX, wholeY, choice, databases, ReleasedMetricsFuzzTest::right)) {
        caught.merge("metrics of the whole table", 1, Integer::sum);
      }
    }
    assertEquals(3, caught.size(), caught.toString());
    caught.values().forEach(n -> assertTrue(n > 10, caught.toString()));
  }

  private static List<Metric> choice(Random random, Metrics metrics) {
    List<Metric> all = new ArrayList<>();
    for (String table : List.of("t", "v", "l", "h", "w")) {
      all.addAll(MetricRelease.measured(table, metrics.table(table)));
    }
    Collections.shuffle(all, random);
    return all.subList(0, 1 + random.nextInt(6));
  }

  @Test
  void whatIsReleasedSaysHowManyRowsOfEachPersonItIsOf() {
    PeopleDatabases databases = new PeopleDatabases(new Random(4));
    Metrics measured = databases.measure(databases.random(new Random(5)), false);
    List<Metric> choice = List.of(Metric.rows("t"), Metric.rows("l"), Metric.rows("w"));
    Metrics released =
        MetricRelease.release(
            measured,
            choice,
            new PrivacyParameters(EPSILON, new BigDecimal("1e-6")),
            databases.policy,
            new SeededBits(6));
    for (String table : List.of("t", "l", "w")) {
      assertEquals(
          databases.table(table).ownership().rowsPerPerson(),
          released.released(table).orElseThrow().values().rowsPerPerson(),
          table);
    }
    // Two numbers of the kind, each moved by its rows; one of the table whose rows stand alone.
    Map<String, Rational> scales = MetricRelease.scales(choice, EPSILON, databases.policy);
    assertEquals(Rational.ONE, scales.get("w"));
    assertEquals(
        Rational.of(
            BigInteger.TWO.multiply(databases.table("l").ownership().rowsPerPerson().get())),
        scales.get("l"));
  }

  @Test
  void whatNothingBoundsIsNotReleased() {
    Policy policy =
        PolicyReader.read(
            Map.of(
                "people",
                Map.of("p", Map.of("key", "t.o")),
                "tables",
                Map.of(
                    "t",
                    Map.of(
                        "columns",
                        Map.of("o", Map.of("type", "integer", "unique", true, "nullable", false)),
                        "owners",
                        Map.of("p", "o")))));
    ConfigurationError error =
        assertThrows(ConfigurationError.class, () -> MetricStep.of("t", policy));
    assertTrue(error.hint().contains("rowsPerPerson"), error.toString());
  }
}
