package flexdp.plan;

import flexdp.noise.Flex;
import flexdp.noise.Lomax;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Calibrated mechanisms that were made before. Calibrating is certain arithmetic with hundreds of
 * digits; its result depends on public parameters only, so it can be kept.
 */
final class Calibrations {
  private static final int MOST = 10_000;
  private static final Map<Key, Object> KNOWN = new ConcurrentHashMap<>();

  private record Key(String kind, BigDecimal epsilon, BigDecimal delta, int outputs) {}

  private Calibrations() {}

  static Lomax lomax(BigDecimal epsilon, int outputs) {
    Key key = new Key("lomax", epsilon, BigDecimal.ZERO, outputs);
    return (Lomax) known(key, () -> Lomax.of(epsilon, outputs));
  }

  static Flex flex(BigDecimal epsilon, BigDecimal delta, int outputs) {
    Key key = new Key("flex", epsilon, delta, outputs);
    return (Flex) known(key, () -> Flex.of(epsilon, delta, outputs));
  }

  static Flex paper(BigDecimal epsilon, BigDecimal delta) {
    return (Flex) known(new Key("paper", epsilon, delta, 1), () -> Flex.paper(epsilon, delta));
  }

  private static Object known(Key key, Supplier<Object> make) {
    if (KNOWN.size() > MOST) {
      KNOWN.clear();
    }
    return KNOWN.computeIfAbsent(key, ignored -> make.get());
  }
}
