package flexdp.gateway.ledger.entry;

import java.util.Locale;

/** How a reserved question ended. None of them gives the charge back. */
public enum ChargeOutcome {
  RELEASED,
  FAILED,
  TIMED_OUT,
  CANCELLED,
  /** The connection to the database broke. */
  LOST;

  /** Whether it may depend on the data: such a question is not run again. */
  public boolean isFailure() {
    return this == FAILED || this == TIMED_OUT;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ChargeOutcome parse(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
