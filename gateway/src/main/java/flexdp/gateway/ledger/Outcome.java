package flexdp.gateway.ledger;

import java.util.Locale;

/** How a reserved question ended. None of them gives the charge back. */
public enum Outcome {
  RELEASED,
  FAILED,
  TIMED_OUT,
  CANCELLED;

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Outcome parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
