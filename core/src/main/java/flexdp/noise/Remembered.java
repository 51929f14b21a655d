package flexdp.noise;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Calibrated mechanisms that were made before. Calibrating is certain arithmetic with hundreds of
 * digits; its result depends on public parameters only, so it can be kept.
 */
final class Remembered<K, M extends Mechanism> {
  private static final int MOST = 4_000;

  private final Map<K, M> known = new ConcurrentHashMap<>();
  private final Function<K, M> make;

  Remembered(Function<K, M> make) {
    this.make = make;
  }

  M of(K parameters) {
    if (known.size() > MOST) {
      known.clear();
    }
    return known.computeIfAbsent(parameters, make);
  }
}
