package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * Where a database may leave stored values as they are that have no form: NaN, infinities, days
 * beyond the calendar, bytes that are no text. Each must come out as NULL would, and saying so of
 * every value costs a look at every row. A new database begins with {@link #NOWHERE}, which is
 * always right: everything is brought into form where it is read.
 *
 * <p>What else is said here has to be proven, of all values that the database can store: wherever
 * such a place reads a value without a form, the statement's result is the one that it has with
 * NULL in its place. That holds also where several of these places meet in one expression.
 *
 * @param keeping functions of floats without a form where an argument has none, so that only the
 *     result of several of them is brought into form
 * @param absorbing functions of floats that are in form or NULL whatever their arguments are, and
 *     NULL where one of them has no form
 * @param equal types of which a stored value that equals a constant is that constant, which has a
 *     form
 * @param ordered types of which {@code edge} holds off all values without a form that are above or
 *     below a constant
 * @param columns types of which {@code edge} does so where two columns are compared
 * @param condition that a stored value has a form, where {@link TargetDialect#canonicalize} is all
 *     that reading it takes; what has one is finite, and in the database's own order everything
 *     between two values that have one has one
 * @param edge that a stored value is none of those without a form above all others, or below
 * @param clamping whether {@link TargetDialect#clamped} leaves out floats without a form, however
 *     they were computed
 * @param summed expressions of which it leaves out what is computed of stored values without a form
 */
public record NonCanonicalValues(
    Set<Function> keeping,
    Set<Function> absorbing,
    Set<Type.Kind> equal,
    Set<Type.Kind> ordered,
    Set<Type.Kind> columns,
    BiFunction<String, Type, Optional<String>> condition,
    Edge edge,
    boolean clamping,
    Predicate<Expr> summed) {
  /** The condition that a value is not beyond the last one, or not before the first. */
  @FunctionalInterface
  public interface Edge {
    Optional<String> of(String sql, Type type, boolean above);
  }

  /** Every value is brought into form. */
  public static final NonCanonicalValues NOWHERE =
      new NonCanonicalValues(
          Set.of(),
          Set.of(),
          Set.of(),
          Set.of(),
          Set.of(),
          (sql, type) -> Optional.empty(),
          (sql, type, above) -> Optional.empty(),
          false,
          expr -> false);

  boolean keeps(Expr.Call call) {
    return isDouble(call.type()) && keeping.contains(call.function());
  }

  boolean absorbs(Expr.Call call) {
    return isDouble(call.type()) && absorbing.contains(call.function());
  }

  /** Whether a column can be compared with a constant as it is. */
  boolean compares(Type type, boolean equality) {
    return (equality ? equal : ordered).contains(type.kind());
  }

  boolean comparesColumns(Type type) {
    return columns.contains(type.kind());
  }

  /** The condition that a value has a form; empty where reading takes more, or less. */
  public Optional<String> condition(String sql, Type type) {
    return condition.apply(sql, type);
  }

  Optional<String> edge(RenderedExpression stored, boolean above) {
    return edge.of(stored.sql(), stored.type(), above);
  }

  private static boolean isDouble(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** A stored float, perhaps moved by a constant: without a form, it has none afterwards. */
  public static boolean isShiftedFloat(Expr expr) {
    if (expr instanceof Expr.Call call
        && (call.function() == Function.PLUS || call.function() == Function.MINUS)
        && call.arguments().get(1) instanceof Expr.Literal) {
      return isShiftedFloat(call.arguments().get(0));
    }
    return expr instanceof Expr.Ref && isDouble(expr.type());
  }
}
