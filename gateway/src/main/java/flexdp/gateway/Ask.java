package flexdp.gateway;

import flexdp.AnalysisOptions;
import java.util.Set;

/**
 * A question and who asks it.
 *
 * @param options ε, δ, mechanism and labels
 * @param roles beside those that the policy gives the analyst
 * @param fresh pays for a new answer even if one was released before
 */
public record Ask(
    String sql, AnalysisOptions options, String analyst, Set<String> roles, boolean fresh) {
  public Ask {
    roles = Set.copyOf(roles);
  }

  /** A question that pays for a new answer. */
  public Ask(String sql, AnalysisOptions options, String analyst, Set<String> roles) {
    this(sql, options, analyst, roles, true);
  }

  public static Ask of(String sql, String analyst) {
    return new Ask(sql, AnalysisOptions.DEFAULT, analyst, Set.of());
  }
}
