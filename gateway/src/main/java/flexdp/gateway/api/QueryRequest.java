package flexdp.gateway.api;

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
public record QueryRequest(
    String sql,
    QueryOptions options,
    String analyst,
    Set<String> roles,
    boolean fresh,
    boolean intervals,
    Optional<ErrorTarget> within,
    Optional<ParameterSubstitution> bound) {
  public QueryRequest {
    roles = Set.copyOf(roles);
  }

  /** A question whose text has no parameters. */
  public QueryRequest(
      String sql,
      QueryOptions options,
      String analyst,
      Set<String> roles,
      boolean fresh,
      boolean intervals,
      Optional<ErrorTarget> within) {
    this(sql, options, analyst, roles, fresh, intervals, within, Optional.empty());
  }

  /** A question by its ε, without error bars. */
  public QueryRequest(
      String sql, QueryOptions options, String analyst, Set<String> roles, boolean fresh) {
    this(sql, options, analyst, roles, fresh, false, Optional.empty());
  }

  /** A question that pays for a new answer. */
  public QueryRequest(String sql, QueryOptions options, String analyst, Set<String> roles) {
    this(sql, options, analyst, roles, true);
  }

  /** A question by its text alone, which pays for a new answer. */
  public static QueryRequest of(String sql, String analyst) {
    return new QueryRequest(sql, QueryOptions.DEFAULT, analyst, Set.of());
  }

  /** Another question, asked in the same way. */
  public QueryRequest about(String other) {
    return new QueryRequest(
        other, options, analyst, roles, fresh, intervals, within, Optional.empty());
  }

  /** This question with error bars. */
  public QueryRequest withIntervals(boolean wanted) {
    return new QueryRequest(sql, options, analyst, roles, fresh, wanted, within, bound);
  }

  /** This question, to be answered within an error. */
  public QueryRequest within(ErrorTarget error) {
    return new QueryRequest(
        sql, options, analyst, roles, fresh, intervals, Optional.of(error), bound);
  }

  /** This question at this ε. */
  public QueryRequest at(BigDecimal epsilon) {
    return new QueryRequest(
        sql, options.at(epsilon), analyst, roles, fresh, intervals, Optional.empty(), bound);
  }

  /** This question with this δ. */
  public QueryRequest withDelta(BigDecimal delta) {
    return new QueryRequest(
        sql, options.with(delta), analyst, roles, fresh, intervals, within, bound);
  }

  /** This question, for which an answer that was released before will do. */
  public QueryRequest orRepeat() {
    return new QueryRequest(sql, options, analyst, roles, false, intervals, within, bound);
  }

  /**
   * The question with values in place of its parameters: the one that has them written out as
   * constants. {@link FlexDp#prepare} finds out which values are wanted, and checks them.
   *
   * @param value of a parameter by its name, or its number as text: null, Boolean, a number,
   *     String, LocalDate, LocalTime, LocalDateTime or UUID
   * @param dialect the policy's, by which the text will be read
   */
  public QueryRequest with(Function<String, Object> value, InputDialect dialect) {
    ParameterSubstitution text = ParameterSubstitution.of(SqlParameters.of(sql, dialect), value);
    return new QueryRequest(
        text.sql(), options, analyst, roles, fresh, intervals, within, Optional.of(text));
  }

  /** A refusal of the question, at the place in the text that was written with parameters. */
  public Rejection placed(Rejection refusal) {
    Optional<Position> at = refusal.at().flatMap(p -> bound.map(text -> text.original(p)));
    return at.map(refusal::movedTo).orElse(refusal);
  }
}
