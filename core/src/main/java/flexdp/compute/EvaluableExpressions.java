package flexdp.compute;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;

/**
 * What the {@link Evaluator} has a rule for. It knows lengths of time only as what is added to a
 * moment: databases disagree about all else, such as how many seconds a month has.
 */
public final class EvaluableExpressions {
  private EvaluableExpressions() {}

  public static boolean is(Expr expr) {
    return switch (expr) {
      case Expr.Literal ignored -> true;
      case Expr.Ref ref -> !ref.type().isInterval();
      case Expr.Cast cast -> !cast.operand().type().isInterval() && is(cast.operand());
      case Expr.Case c ->
          c.branches().stream().allMatch(b -> is(b.condition()) && is(b.value()))
              && c.otherwise().map(EvaluableExpressions::is).orElse(true);
      case Expr.Call call ->
          call.arguments().stream().allMatch(EvaluableExpressions::is)
              && (call.function() == Function.DATE_ADD
                  || isLength(call)
                  || !isAboutIntervals(call));
    };
  }

  /**
   * Whether a call is a number times a constant length: how a noisy number becomes a moment again.
   */
  private static boolean isLength(Expr.Call call) {
    return call.function() == Function.TIMES
        && call.arguments().getFirst() instanceof Expr.Literal
        && call.arguments().getLast().type().isNumeric();
  }

  private static boolean isAboutIntervals(Expr.Call call) {
    return call.type().isInterval()
        || call.arguments().stream().anyMatch(a -> a.type().isInterval());
  }
}
