package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** S-SEMI and S-ANTI rest on predicates that a subquery's outcome can turn one way only. */
class MonotoneTest {
  private static final Expr EXISTS = new Expr.Ref(7, Type.BOOLEAN);
  private static final Expr OTHER = new Expr.Ref(8, Type.BOOLEAN);

  private static Expr call(Function function, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), Type.BOOLEAN);
  }

  private static boolean isMonotone(Expr predicate) {
    return SubqueryRule.isMonotone(predicate, 7);
  }

  @Test
  void conjunctionsAndAlternativesAre() {
    assertTrue(isMonotone(EXISTS));
    assertTrue(isMonotone(call(Function.AND, EXISTS, OTHER)));
    assertTrue(isMonotone(call(Function.OR, call(Function.AND, EXISTS, OTHER), EXISTS)));
    assertTrue(isMonotone(call(Function.AND, EXISTS, call(Function.NOT, OTHER))));
  }

  @Test
  void whateverElseReadsTheOutcomeIsNot() {
    assertFalse(isMonotone(call(Function.NOT, EXISTS)));
    assertFalse(isMonotone(call(Function.OR, OTHER, call(Function.NOT, EXISTS))));
    assertFalse(isMonotone(call(Function.IS_NOT_TRUE, EXISTS)));
    assertFalse(
        isMonotone(
            new Expr.Case(
                List.of(new Expr.Case.Branch(EXISTS, OTHER)), Optional.empty(), Type.BOOLEAN)));
  }
}
