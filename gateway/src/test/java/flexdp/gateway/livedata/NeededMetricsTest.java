package flexdp.gateway.livedata;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.livedata.LiveMetrics.NeededMetrics;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Which metrics are measured again is the same for neighbours: it looks at no private value. */
class NeededMetricsTest {
  private static final ToLongFunction<Metrics> SMALLER_OF_BOTH =
      m -> Math.min(frequency(m, "a"), frequency(m, "b"));

  private static long frequency(Metrics metrics, String column) {
    return Optional.ofNullable(metrics.table("t").frequencies().get(Set.of(column)))
        .flatMap(MaxFrequency::max)
        .map(BigInteger::longValueExact)
        .orElse(Long.MAX_VALUE);
  }

  private static Metrics metrics(long a, long b, long c) {
    return new Metrics(
        Map.of(
            "t",
            new TableMetrics(
                Optional.empty(),
                Map.of(
                    Set.of("a"),
                    frequency(a),
                    Set.of("b"),
                    frequency(b),
                    Set.of("c"),
                    frequency(c)))),
        Map.of());
  }

  private static MaxFrequency frequency(long max) {
    return new MaxFrequency(Optional.of(BigInteger.valueOf(max)), Optional.empty());
  }

  private static Set<Set<String>> needed(Metrics metrics) {
    return NeededMetrics.of(
            metrics,
            Set.of("t"),
            table -> false,
            (one, two) -> SMALLER_OF_BOTH.applyAsLong(one) == SMALLER_OF_BOTH.applyAsLong(two))
        .table("t")
        .frequencies()
        .keySet();
  }

  @Test
  void bothOfTwoAreMeasuredWhicheverIsSmaller() {
    Set<Set<String>> both = Set.of(Set.of("a"), Set.of("b"));
    assertEquals(both, needed(metrics(1, 100, 5)));
    assertEquals(both, needed(metrics(100, 1, 5)));
    assertEquals(both, needed(metrics(7, 7, 1)));
  }
}
