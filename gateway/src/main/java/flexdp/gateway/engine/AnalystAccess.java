package flexdp.gateway.engine;

import flexdp.failure.ConfigurationError;
import flexdp.policy.Policy;
import java.util.TreeSet;

/** Who may ask. A policy that names analysts would limit nobody if others could take any name. */
public final class AnalystAccess {
  private AnalystAccess() {}

  /**
   * @throws ConfigurationError when it is none of them
   */
  public static void require(Policy policy, String analyst) {
    Policy.Accounts accounts = policy.privacy().accounts();
    if (!accounts.admits(analyst)) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "the policy does not list the analyst '"
              + analyst
              + "'; it lists "
              + String.join(", ", new TreeSet<>(accounts.analysts().keySet())),
          "Ask under one of these names, or have the owner add yours under privacy.analysts; with"
              + " '*' there everybody may ask.");
    }
  }
}
