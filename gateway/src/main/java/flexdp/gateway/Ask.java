package flexdp.gateway;

import flexdp.AnalysisOptions;
import java.util.Set;

/**
 * A question and who asks it.
 *
 * @param options ε, δ, mechanism and labels
 */
public record Ask(String sql, AnalysisOptions options, String analyst, Set<String> roles) {
  public Ask {
    roles = Set.copyOf(roles);
  }

  public static Ask of(String sql, String analyst) {
    return new Ask(sql, AnalysisOptions.DEFAULT, analyst, Set.of());
  }
}
