package flexdp.gateway.ask;

import flexdp.failure.ConfigurationError;
import java.math.BigDecimal;

/**
 * How much noise an answer may have, as a share of what it shows: 1 where the noise may be as large
 * as the answer. Whoever sets it is refused, and not charged, where released numbers foretell more.
 */
public record NoiseLimit(BigDecimal share) {
  private static final int LONGEST = 40;

  public NoiseLimit {
    if (share.signum() <= 0) {
      throw bad("a share must be above 0%");
    }
  }

  /**
   * Reads {@code 100%}.
   *
   * @throws ConfigurationError for anything else
   */
  public static NoiseLimit parse(String text) {
    String stripped = text.strip();
    if (stripped.length() > LONGEST || !stripped.matches("[0-9]*\\.?[0-9]+ *%")) {
      throw bad("it is a share, with a percent sign");
    }
    String digits = stripped.substring(0, stripped.length() - 1).strip();
    return new NoiseLimit(new BigDecimal(digits).movePointLeft(2));
  }

  private static ConfigurationError bad(String what) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE, "noise limit: " + what, "Write 100%, or 25%.");
  }
}
