package flexdp.gateway;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;

/**
 * A question and who asks it.
 *
 * @param options ε, δ, mechanism and labels
 * @param roles beside those that the policy gives the analyst
 * @param fresh pays for a new answer even if one was released before
 * @param intervals wants error bars
 * @param within wants an error instead of an ε
 */
public record Ask(
    String sql,
    AskOptions options,
    String analyst,
    Set<String> roles,
    boolean fresh,
    boolean intervals,
    Optional<Within> within) {
  public Ask {
    roles = Set.copyOf(roles);
  }

  /** A question by its ε, without error bars. */
  public Ask(String sql, AskOptions options, String analyst, Set<String> roles, boolean fresh) {
    this(sql, options, analyst, roles, fresh, false, Optional.empty());
  }

  /** A question that pays for a new answer. */
  public Ask(String sql, AskOptions options, String analyst, Set<String> roles) {
    this(sql, options, analyst, roles, true);
  }

  public static Ask of(String sql, String analyst) {
    return new Ask(sql, AskOptions.DEFAULT, analyst, Set.of());
  }

  /** The same question with error bars. */
  public Ask withIntervals(boolean wanted) {
    return new Ask(sql, options, analyst, roles, fresh, wanted, within);
  }

  /** The same question, to be answered within an error. */
  public Ask within(Within error) {
    return new Ask(sql, options, analyst, roles, fresh, intervals, Optional.of(error));
  }

  /** The same question at this ε. */
  public Ask at(BigDecimal epsilon) {
    return new Ask(sql, options.at(epsilon), analyst, roles, fresh, intervals, Optional.empty());
  }

  /** The same question, for which an answer that was released before will do. */
  Ask orRepeat() {
    return new Ask(sql, options, analyst, roles, false, intervals, within);
  }
}
