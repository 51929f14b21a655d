package flexdp.experiments.study;

import flexdp.failure.Rejection;
import java.util.Optional;

/**
 * What is said of one entry of a log.
 *
 * @param entry its place in the log, from 1
 * @param kind counting, statistical, raw or unreadable
 * @param code ACCEPTED, or that of the rejection
 * @param why the rejection, where one is to blame
 */
public record Verdict(long entry, String kind, String code, Optional<Rejection> why, String sql) {
  /** Takes verdicts in the order of the log. */
  @FunctionalInterface
  public interface Reader {
    void read(Verdict verdict);
  }

  public boolean isAccepted() {
    return code.equals(Success.ACCEPTED);
  }
}
