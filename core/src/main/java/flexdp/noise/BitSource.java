package flexdp.noise;

/**
 * Fair coin flips. Every sampler takes one, so tests can replay noise; production code has {@link
 * SecureBits} and nothing else.
 *
 * <p>A class and not an interface: no lambda can stand in for it, so the list of its subclasses is
 * the list of all sources, which an architecture test reads.
 *
 * <p>Not safe for use by several threads at once.
 */
public abstract class BitSource {
  private long pool;
  private int pooled;

  /** Sixty-four independent fair bits. */
  protected abstract long next();

  /** The next bits as the lowest of a long; count is from 0 to 64. */
  public final long bits(int count) {
    if (count < 0 || count > Long.SIZE) {
      throw new IllegalArgumentException("from 0 to 64 bits at a time: " + count);
    }
    if (count == 0) {
      return 0;
    }
    if (count <= pooled) {
      return take(count);
    }
    int missing = count - pooled;
    long high = pooled == 0 ? 0 : take(pooled);
    pool = next();
    pooled = Long.SIZE;
    long low = take(missing);
    return missing == Long.SIZE ? low : (high << missing) | low;
  }

  public final boolean bit() {
    return bits(1) != 0;
  }

  /** Hands out the pool's lowest bits and forgets them. */
  private long take(int count) {
    pooled -= count;
    if (count == Long.SIZE) {
      long all = pool;
      pool = 0;
      return all;
    }
    long taken = pool & ((1L << count) - 1);
    pool >>>= count;
    return taken;
  }
}
