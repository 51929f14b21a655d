package flexdp.noise;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The Laplace distributions that were used lately, whose coins take longer to make than to flip.
 * Whoever answers many questions keeps one of these; threads may share it.
 */
public final class Distributions {
  private static final int REMEMBERED = 256;

  private final Map<Rational, DiscreteLaplace> recent = new LinkedHashMap<>(64, 0.75f, true);

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

  /** What a mechanism draws from: random bits, and distributions that were made before. */
  record Draws(BitSource bits, Distributions distributions) {
    DiscreteLaplace laplace(Rational scale) {
      return distributions.laplace(scale);
    }
  }
}
