package flexdp.gateway.ask;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.policy.InputDialect;
import flexdp.sql.parse.ParameterSubstitution;
import flexdp.sql.parse.SqlParameters;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A question and who asks it.
 *
 * @param options ε, δ, mechanism and labels
 * @param roles beside those that the policy gives the analyst
 * @param fresh pays for a new answer even if one was released before
 * @param intervals wants error bars
 * @param within wants an error instead of an ε
 * @param bound how values came into the text, when it had parameters
 */
public record Ask(
    String sql,
    AskOptions options,
    String analyst,
    Set<String> roles,
    boolean fresh,
    boolean intervals,
    Optional<Within> within,
    Optional<ParameterSubstitution> bound) {
  public Ask {
    roles = Set.copyOf(roles);
  }

  /** A question whose text has no parameters. */
  public Ask(
      String sql,
      AskOptions options,
      String analyst,
      Set<String> roles,
      boolean fresh,
      boolean intervals,
      Optional<Within> within) {
    this(sql, options, analyst, roles, fresh, intervals, within, Optional.empty());
  }

  /** A question by its ε, without error bars. */
  public Ask(String sql, AskOptions options, String analyst, Set<String> roles, boolean fresh) {
    this(sql, options, analyst, roles, fresh, false, Optional.empty());
  }

  /** A question that pays for a new answer. */
  public Ask(String sql, AskOptions options, String analyst, Set<String> roles) {
    this(sql, options, analyst, roles, true);
  }

  /** A question by its text alone, which pays for a new answer. */
  public static Ask of(String sql, String analyst) {
    return new Ask(sql, AskOptions.DEFAULT, analyst, Set.of());
  }

  /** Another question, asked in the same way. */
  public Ask about(String other) {
    return new Ask(other, options, analyst, roles, fresh, intervals, within, Optional.empty());
  }

  /** This question with error bars. */
  public Ask withIntervals(boolean wanted) {
    return new Ask(sql, options, analyst, roles, fresh, wanted, within, bound);
  }

  /** This question, to be answered within an error. */
  public Ask within(Within error) {
    return new Ask(sql, options, analyst, roles, fresh, intervals, Optional.of(error), bound);
  }

  /** This question at this ε. */
  public Ask at(BigDecimal epsilon) {
    return new Ask(
        sql, options.at(epsilon), analyst, roles, fresh, intervals, Optional.empty(), bound);
  }

  /** This question with this δ. */
  public Ask withDelta(BigDecimal delta) {
    return new Ask(sql, options.with(delta), analyst, roles, fresh, intervals, within, bound);
  }

  /** This question, for which an answer that was released before will do. */
  public Ask orRepeat() {
    return new Ask(sql, options, analyst, roles, false, intervals, within, bound);
  }

  /**
   * The question with values in place of its parameters: the one that has them written out as
   * constants. {@link FlexDp#prepare} finds out which values are wanted, and checks them.
   *
   * @param value of a parameter by its name, or its number as text: null, Boolean, a number,
   *     String, LocalDate, LocalTime, LocalDateTime or UUID
   * @param dialect the policy's, by which the text will be read
   */
  public Ask with(Function<String, Object> value, InputDialect dialect) {
    ParameterSubstitution text = ParameterSubstitution.of(SqlParameters.of(sql, dialect), value);
    return new Ask(
        text.sql(), options, analyst, roles, fresh, intervals, within, Optional.of(text));
  }

  /** A refusal of the question, at the place in the text that was written with parameters. */
  public Rejection placed(Rejection refusal) {
    Optional<Position> at = refusal.at().flatMap(p -> bound.map(text -> text.original(p)));
    return at.map(refusal::movedTo).orElse(refusal);
  }
}
