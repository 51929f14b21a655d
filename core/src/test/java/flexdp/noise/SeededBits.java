package flexdp.noise;

import java.util.SplittableRandom;

/** Repeatable bits for tests; not part of the product. */
public final class SeededBits extends BitSource {
  private final SplittableRandom random;

  public SeededBits(long seed) {
    this.random = new SplittableRandom(seed);
  }

  @Override
  protected long next() {
    return random.nextLong();
  }
}
