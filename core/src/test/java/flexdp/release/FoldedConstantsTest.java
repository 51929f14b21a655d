package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import flexdp.sql.function.ConstantFolding;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Constants are computed as the evaluator of noisy values computes them, or not at all. */
class FoldedConstantsTest {
  private final Random random = new Random(20_260_301);

  @Test
  void whatIsFoldedIsWhatTheEvaluatorSays() {
    int folded = 0;
    for (int i = 0; i < 20_000; i++) {
      Expr expr = call();
      Expr constant = ConstantFolding.of(expr);
      if (constant instanceof Expr.Literal literal) {
        folded++;
        assertEquals(value(expr), value(literal), () -> expr + " became " + literal);
        assertEquals(expr.type(), literal.type());
      } else {
        assertEquals(expr, constant);
      }
    }
    assertTrue(folded > 10_000, folded + " folded");
  }

  @Test
  void whatDatabasesMayReadDifferentlyStays() {
    for (Expr expr :
        List.of(
            Exprs.call(Function.LOWER, Type.VARCHAR, Exprs.text("Größe")),
            Exprs.call(Function.TRIM, Type.VARCHAR, Exprs.text("\ta ")),
            Exprs.call(Function.DIVIDE, Type.INTEGER, Exprs.integer(1), Exprs.integer(0)),
            Exprs.call(Function.LOWER, Type.VARCHAR, Exprs.nullOf(Type.VARCHAR)))) {
      assertEquals(expr, ConstantFolding.of(expr));
    }
  }

  private static Object value(Expr expr) {
    return new Evaluator(List.of()).compile(expr).on(List.of());
  }

  private Expr call() {
    return switch (random.nextInt(7)) {
      case 0 -> {
        List<Expr> parts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
          parts.add(random.nextBoolean() ? text() : new Expr.Cast(number(), Type.VARCHAR));
        }
        yield new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
      }
      case 1 -> Exprs.call(pick(Function.LOWER, Function.UPPER), Type.VARCHAR, text());
      case 2 ->
          Exprs.call(
              pick(Function.TRIM, Function.LTRIM, Function.RTRIM, Function.REVERSE),
              Type.VARCHAR,
              text());
      case 3 -> Exprs.call(pick(Function.LEFT, Function.RIGHT), Type.VARCHAR, text(), number());
      case 4 -> Exprs.call(pick(Function.DIVIDE, Function.MOD), Type.INTEGER, number(), number());
      case 5 ->
          Exprs.call(
              Function.EXTRACT,
              Type.BIGINT,
              Exprs.text(pick("YEAR", "QUARTER", "MONTH", "DAY", "DOY", "DOW", "WEEK")),
              day());
      default -> Exprs.call(Function.DATE_DIFF, Type.BIGINT, Exprs.text("DAY"), day(), day());
    };
  }

  private Expr text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(8); i > 0; i--) {
      text.append(
          " aZ%_'9~é\t"
              .charAt(random.nextInt(20) == 0 ? 8 + random.nextInt(2) : random.nextInt(8)));
    }
    return Exprs.text(text.toString());
  }

  private Expr number() {
    return Exprs.integer(random.nextInt(21) - 10);
  }

  private Expr day() {
    return new Expr.Literal(LocalDate.ofEpochDay(random.nextInt(60_000) - 30_000), Type.DATE);
  }

  @SafeVarargs
  private <T> T pick(T... all) {
    return all[random.nextInt(all.length)];
  }
}
