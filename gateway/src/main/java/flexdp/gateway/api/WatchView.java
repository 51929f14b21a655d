package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A watch as its analyst may see it.
 *
 * @param order nothing when its state is lost
 * @param turns what it found, the oldest first
 * @param note what the reader should know; empty when there is nothing
 */
public record WatchView(
    String name,
    String analyst,
    String sql,
    State state,
    Optional<WatchOrder> order,
    BigDecimal epsilon,
    Instant armed,
    List<Turn> turns,
    String note) {
  /** Whether it watches. */
  public enum State {
    ARMED,
    CLOSED,
    /** What its threshold was shifted by is gone. It is closed; nothing is drawn again. */
    LOST;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What it found. */
  public enum Verdict {
    HIT,
    MISS,
    /** Neither hit nor miss. */
    FAILED,
    /** Neither hit nor miss: it is being looked at, or the gateway died meanwhile. */
    UNFINISHED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One period.
   *
   * @param from its beginning, as ISO text
   * @param gap of a hit: about how far above the threshold, more often too far than not
   */
  public record Turn(String from, Verdict verdict, Optional<BigDecimal> gap) {}

  public WatchView {
    turns = List.copyOf(turns);
  }

  /** This watch with a note. */
  public WatchView noted(String other) {
    return new WatchView(name, analyst, sql, state, order, epsilon, armed, turns, other);
  }

  public Optional<Turn> last() {
    return turns.isEmpty() ? Optional.empty() : Optional.of(turns.getLast());
  }

  /**
   * What is to be watched.
   *
   * @param sql a question that shows one number; {@code :now} in it is the beginning of the period
   * @param period how often it looks
   */
  public record WatchOrder(String name, String sql, ThresholdQuery above, WatchPeriod period) {
    public WatchOrder {
      if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
        throw ConfigurationError.of(
            Code.BAD_REQUEST,
            "the name of a watch has 1 to 64 letters, digits, dots, dashes and underscores");
      }
    }
  }
}
