package flexdp.gateway.ask;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;

/**
 * What is to be watched.
 *
 * @param sql a question that shows one number; {@code :now} in it is the beginning of the period
 * @param every how often it looks
 */
public record WatchOrder(String name, String sql, Above above, Every every) {
  public WatchOrder {
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST,
          "the name of a watch has 1 to 64 letters, digits, dots, dashes and underscores");
    }
  }
}
