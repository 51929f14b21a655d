package flexdp.server.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that connections may take for what they send, keep and have not read yet, all
 * together. Nobody may hold more than is left afterwards: however many are greedy, there is room
 * for somebody who wants little. Whoever finds no room is refused, and everybody else goes on.
 */
public final class MemoryPool {
  private static final long SHARES = 5;

  private final long size;
  private final AtomicLong taken = new AtomicLong();

  public MemoryPool(long size) {
    this.size = size;
  }

  /** A share of this process's memory. */
  public static MemoryPool ofProcess() {
    return new MemoryPool(Runtime.getRuntime().maxMemory() / SHARES);
  }

  /** What one connection holds of it. */
  public final class Part implements AutoCloseable {
    private long held;

    /** Whether there was room to hold so much. Less than before always is. */
    public boolean hold(long bytes) {
      long more = bytes - held;
      long before = taken.get();
      while (more <= 0 || bytes <= size - before - more) {
        if (taken.compareAndSet(before, before + more)) {
          held = bytes;
          return true;
        }
        before = taken.get();
      }
      return false;
    }

    public long held() {
      return held;
    }

    @Override
    public void close() {
      hold(0);
    }
  }

  public Part part() {
    return new Part();
  }

  /** How much is held by all of them. */
  public long taken() {
    return taken.get();
  }
}
