package flexdp.algebra;

import flexdp.policy.Type;
import java.util.function.IntPredicate;

/**
 * Whether noise goes through an expression as it is, but for constant factors: then the error of
 * its value is a sum of errors, whatever the values are. Rounding is no obstacle, since it is
 * bounded. Which branch is taken, and what is NULL, must not depend on noise.
 */
public final class Linearity {
  private Linearity() {}

  /**
   * @param noisy which columns have noise; they are NULL or not whatever it is
   */
  public static boolean is(Expr expr, IntPredicate noisy) {
    if (isExact(expr, noisy)) {
      return true;
    }
    if (!expr.type().isNumeric()) {
      return false;
    }
    return switch (expr) {
      case Expr.Ref ignored -> true;
      case Expr.Literal ignored -> true;
      case Expr.Cast cast -> is(cast.operand(), noisy);
      case Expr.Case choice ->
          choice.branches().stream()
                  .allMatch(b -> isExact(b.condition(), noisy) && is(b.value(), noisy))
              && choice.otherwise().map(o -> is(o, noisy)).orElse(true);
      case Expr.Call call -> is(call, noisy);
    };
  }

  private static boolean is(Expr.Call call, IntPredicate noisy) {
    return switch (call.function()) {
      case PLUS, MINUS, NEGATE, COALESCE -> call.arguments().stream().allMatch(a -> is(a, noisy));
      case TIMES ->
          is(call.arguments().get(0), noisy) && isExact(call.arguments().get(1), noisy)
              || isExact(call.arguments().get(0), noisy) && is(call.arguments().get(1), noisy);
      // A quotient of whole numbers is cut, which is more than rounded.
      case DIVIDE ->
          !call.type().isInteger()
              && is(call.arguments().get(0), noisy)
              && isExact(call.arguments().get(1), noisy);
      default -> false;
    };
  }

  /** Whether no noise reaches it. */
  public static boolean isExact(Expr expr, IntPredicate noisy) {
    return AlgebraWalker.references(expr).stream().noneMatch(noisy::test);
  }

  /**
   * How far rounding to a type may move two values apart, at most; of doubles, in parts of them.
   */
  public static double rounding(Type type) {
    return switch (type.kind()) {
      case DECIMAL -> Math.pow(10, -type.scale());
      case DOUBLE -> 0x1p-50;
      default -> 1;
    };
  }
}
