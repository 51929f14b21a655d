package flexdp.noise;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a mechanism draws from: random bits, and the Laplace distributions that were used lately,
 * whose coins take longer to make than to flip.
 */
final class Draws {
  private static final int REMEMBERED = 256;

  private final BitSource bits;
  private final Map<Rational, DiscreteLaplace> recent = new LinkedHashMap<>(64, 0.75f, true);

  Draws(BitSource bits) {
    this.bits = bits;
  }

  BitSource bits() {
    return bits;
  }

  /** The distribution of a scale, which may be one that was used before. */
  DiscreteLaplace laplace(Rational scale) {
    synchronized (recent) {
      DiscreteLaplace known = recent.get(scale);
      if (known != null) {
        return known;
      }
    }
    DiscreteLaplace made = new DiscreteLaplace(scale);
    synchronized (recent) {
      recent.put(scale, made);
      if (recent.size() > REMEMBERED) {
        recent.remove(recent.keySet().iterator().next());
      }
    }
    return made;
  }
}
