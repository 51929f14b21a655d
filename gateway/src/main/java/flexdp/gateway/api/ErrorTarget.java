package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * How wrong an answer may be: by so much, with probability 95 %, in every noisy cell or in those of
 * one column.
 *
 * @param error in the answer's own units, or a share of it
 * @param relative whether {@code error} is a share: 0.05 for 5 %
 */
public record ErrorTarget(Optional<String> column, BigDecimal error, boolean relative) {
  private static final String HINT = "Write --within 100, --within 5% or --within trips=100.";

  /**
   * Reads {@code 100}, {@code 5%} or {@code column=100}.
   *
   * @throws ConfigurationError for anything else
   */
  public static ErrorTarget parse(String text) {
    int equals = text.lastIndexOf('=');
    Optional<String> column =
        equals < 0 ? Optional.empty() : Optional.of(text.substring(0, equals).strip());
    String number = text.substring(equals + 1).strip();
    boolean relative = number.endsWith("%");
    String digits = relative ? number.substring(0, number.length() - 1).strip() : number;
    if (digits.length() > 40 || !digits.matches("[0-9]*\\.?[0-9]+([eE][+-]?[0-9]{1,2})?")) {
      throw bad("within: '" + shortened(text) + "' is no error.");
    }
    BigDecimal error = new BigDecimal(digits);
    if (error.signum() <= 0) {
      throw bad("within: an error must be above 0.");
    }
    return new ErrorTarget(column, relative ? error.movePointLeft(2) : error, relative);
  }

  private static String shortened(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }

  private static ConfigurationError bad(String message) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_USAGE, message, HINT);
  }
}
