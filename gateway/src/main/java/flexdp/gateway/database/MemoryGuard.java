package flexdp.gateway.database;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;

/**
 * About how much memory rows take while they are gathered. Rows of public tables alone come as they
 * are, so that a product of a few of them would not fit into any.
 */
public final class MemoryGuard {
  /**
   * The part of the memory of one question: as many as there are connections take a quarter at
   * most.
   */
  private static final long SHARES = 32;

  private static final long OBJECT = 32;

  private final long most;
  private long sum;

  private MemoryGuard(long most) {
    this.most = most;
  }

  /** Of one question's rows. */
  public static MemoryGuard ofQuestion() {
    return new MemoryGuard(Runtime.getRuntime().maxMemory() / SHARES);
  }

  /** About how many bytes a row takes. */
  public static long of(List<?> row) {
    long bytes = OBJECT;
    for (Object value : row) {
      bytes +=
          switch (value) {
            case String text -> OBJECT + text.length();
            case List<?> list -> of(list);
            case null, default -> OBJECT;
          };
    }
    return bytes;
  }

  /**
   * Adds a row.
   *
   * @throws Rejection when they are too many
   */
  public void add(List<Object> row) {
    sum += of(row);
    if (sum > most) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The answer has more rows of public tables than fit into memory.",
          "Ask for fewer: with LIMIT, a condition, or an aggregate.");
    }
  }
}
