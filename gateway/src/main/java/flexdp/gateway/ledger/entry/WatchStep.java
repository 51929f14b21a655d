package flexdp.gateway.ledger.entry;

import java.util.Locale;

/** What is recorded of a watch. */
public enum WatchStep {
  /** Its threshold has been drawn. */
  ARMED,
  /** A turn is being looked at; when nothing follows, or the watch ends, it came to nothing. */
  BEGUN,
  HIT,
  MISS,
  /** The connection broke: neither hit nor miss. */
  LOST;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static WatchStep parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
