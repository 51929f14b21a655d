package flexdp.noise;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * Bits from the platform's cryptographic generator, the only source that production code has.
 *
 * <p>They are fetched a buffer at a time because the generator's cost is mostly per call, and wiped
 * as they are used: a later look at the heap does not reveal the noise of an answer.
 */
public final class SecureBits extends BitSource {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int FIRST = 512;
  private static final int LARGEST = FIRST * 64;

  private final SecureRandom random = new SecureRandom();
  private byte[] buffer = new byte[FIRST];
  private int at = FIRST;
  private boolean filled;

  @Override
  protected long next() {
    if (at == buffer.length) {
      refill();
    }
    long word = (long) LONGS.get(buffer, at);
    LONGS.set(buffer, at, 0L);
    at += Long.BYTES;
    return word;
  }

  /** A single answer needs few bits and a histogram many, so the buffer grows with use. */
  private void refill() {
    if (filled && buffer.length < LARGEST) {
      buffer = new byte[buffer.length * 8];
    }
    random.nextBytes(buffer);
    filled = true;
    at = 0;
  }
}
