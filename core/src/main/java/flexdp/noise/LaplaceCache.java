package flexdp.noise;

import flexdp.cache.LruCache;

/**
 * The Laplace distributions that were used lately, whose coins take longer to make than to flip.
 * Whoever answers many questions keeps one of these; threads may share it.
 */
public final class LaplaceCache {
  private static final int REMEMBERED = 256;

  private final LruCache<Rational, DiscreteLaplace> recent = new LruCache<>(REMEMBERED);

  /** The distribution of a scale, which may be one that was used before. */
  DiscreteLaplace laplace(Rational scale) {
    return recent.of(scale, () -> new DiscreteLaplace(scale));
  }

  /** What a mechanism draws from: random bits, and distributions that were made before. */
  record Draws(BitSource bits, LaplaceCache distributions) {
    DiscreteLaplace laplace(Rational scale) {
      return distributions.laplace(scale);
    }
  }
}
