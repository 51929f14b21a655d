package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueOrdering;
import flexdp.noise.Laplace;
import flexdp.plan.ErrorModel;
import flexdp.plan.PublicNoise;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Intervals of computed columns hold whatever the exact measurements may make of them. */
class IntervalPropagationTest {
  private static final Column COUNT = new Column(1, "count", Type.BIGINT, false);
  private static final Column SUM = new Column(2, "sum", Type.decimal(38, 2), false);
  private static final Column REAL = new Column(3, "real", Type.DOUBLE, false);
  private static final Column KEY = new Column(4, "key", Type.INTEGER, true);
  private static final List<Column> COLUMNS = List.of(COUNT, SUM, REAL, KEY);
  private static final List<Type> TYPES =
      List.of(Type.BIGINT, Type.INTEGER, Type.decimal(38, 4), Type.decimal(9, 1), Type.DOUBLE);
  private static final ErrorModel ERRORS =
      new ErrorModel(Map.of(1, noise("1"), 2, noise("0.01"), 3, noise("0.25")));

  private static PublicNoise noise(String grid) {
    return new PublicNoise(
        Laplace.of(BigDecimal.ONE), BigDecimal.ONE, new BigDecimal(grid), BigDecimal.ZERO);
  }

  private static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }

  private static Object end(Function end, Expr expr, List<Object> row) {
    Expr interval = call(end, expr.type(), expr);
    return new Evaluator(COLUMNS, IntervalPropagation.ends(ERRORS)).compile(interval).on(row);
  }

  private static Object low(Expr expr, List<Object> row) {
    return end(Function.INTERVAL_LOW, expr, row);
  }

  private static Object high(Expr expr, List<Object> row) {
    return end(Function.INTERVAL_HIGH, expr, row);
  }

  private static List<Object> row(long count, String sum, double real, Object key) {
    List<Object> row = new ArrayList<>();
    row.add(BigDecimal.valueOf(count));
    row.add(new BigDecimal(sum));
    row.add(real);
    row.add(key);
    return row;
  }

  @Test
  void oneMeasurementHasItsOwnWidthAndTwoShareTheRisk() {
    List<Object> row = row(100, "5.00", 1, null);
    BigDecimal alone = ERRORS.halfWidth(1, 1);
    assertEquals(BigDecimal.valueOf(100).subtract(alone), low(COUNT.ref(), row));
    assertEquals(BigDecimal.valueOf(100).add(alone), high(COUNT.ref(), row));
    Expr twice = call(Function.PLUS, Type.BIGINT, COUNT.ref(), COUNT.ref());
    assertEquals(BigDecimal.valueOf(200).add(alone.multiply(BigDecimal.TWO)), high(twice, row));
    Expr both = call(Function.PLUS, Type.decimal(38, 2), COUNT.ref(), SUM.ref());
    BigDecimal wider = ERRORS.halfWidth(1, 2).add(ERRORS.halfWidth(2, 2));
    assertEquals(0, new BigDecimal("105").add(wider).compareTo((BigDecimal) high(both, row)));
  }

  @Test
  void divisionByWhatMayBeZeroIsOpen() {
    Expr ratio = call(Function.DIVIDE, Type.DOUBLE, SUM.ref(), COUNT.ref());
    assertNull(low(ratio, row(1, "5.00", 1, null)));
    assertTrue((Double) low(ratio, row(1000, "5.00", 1, null)) < 0.005);
  }

  @Test
  void aSquareIsNeverNegative() {
    Expr square = call(Function.TIMES, Type.BIGINT, COUNT.ref(), COUNT.ref());
    assertEquals(0, ((BigDecimal) low(square, row(0, "0", 0, null))).signum());
  }

  @Test
  void whatExactMeasurementsGiveLiesInTheInterval() {
    Random random = new Random(11);
    int bounded = 0;
    for (int i = 0; i < 4_000; i++) {
      Expr expr = expr(random, 4);
      List<Object> shown = noisy(random);
      Object low = low(expr, shown);
      Object high = high(expr, shown);
      bounded += low != null && high != null ? 1 : 0;
      for (int j = 0; j < 12; j++) {
        List<Object> exact = exact(shown, random);
        Object value = new Evaluator(COLUMNS).compile(expr).on(exact);
        if (value != null) {
          String what = expr + " of " + exact + " shown as " + shown + " in " + low + ", " + high;
          assertTrue(low == null || ValueOrdering.compare(low, value) <= 0, what);
          assertTrue(high == null || ValueOrdering.compare(high, value) >= 0, what);
        }
      }
    }
    assertTrue(bounded > 1_000, "only " + bounded + " intervals have both ends");
  }

  private static List<Object> noisy(Random random) {
    return row(
        random.nextInt(200) - 20,
        BigDecimal.valueOf(random.nextInt(200_000) - 50_000, 2).toString(),
        (random.nextInt(4_000) - 1_000) / 4.0,
        random.nextInt(4) == 0 ? null : BigDecimal.valueOf(random.nextInt(5) - 1));
  }

  /** Values within the width that four measurements together would have, often at its ends. */
  private static List<Object> exact(List<Object> shown, Random random) {
    BigDecimal count = moved((BigDecimal) shown.get(0), 1, random);
    BigDecimal sum = moved((BigDecimal) shown.get(1), 2, random);
    BigDecimal real = moved(new BigDecimal((Double) shown.get(2)), 3, random);
    return row(count.longValue(), sum.toString(), real.doubleValue(), shown.get(3));
  }

  private static BigDecimal moved(BigDecimal value, int column, Random random) {
    BigDecimal grid = ERRORS.noise().get(column).grid();
    // The narrowest interval that an expression may use.
    int steps = ERRORS.halfWidth(column, 1).divide(grid).intValue();
    int by = random.nextInt(3) == 0 ? steps : random.nextInt(steps + 1);
    return value.add(grid.multiply(BigDecimal.valueOf(random.nextBoolean() ? by : -by)));
  }

  private static Expr expr(Random random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return switch (random.nextInt(6)) {
        case 0, 1 -> COUNT.ref();
        case 2 -> SUM.ref();
        case 3 -> REAL.ref();
        case 4 -> KEY.ref();
        default ->
            new Expr.Literal(BigDecimal.valueOf(random.nextInt(400) - 100, 1), Type.decimal(9, 1));
      };
    }
    Type type = TYPES.get(random.nextInt(TYPES.size()));
    Expr x = expr(random, depth - 1);
    Expr y = expr(random, depth - 1);
    return switch (random.nextInt(18)) {
      case 0, 1 -> call(Function.PLUS, type, x, y);
      case 2 -> call(Function.MINUS, type, x, y);
      case 3 -> call(Function.TIMES, type, x, y);
      case 4 -> call(Function.TIMES, type, x, x);
      case 5, 6 -> call(Function.DIVIDE, type, x, y);
      case 7 -> call(Function.NEGATE, type, x);
      case 8 -> call(Function.ABS, type, x);
      case 9 -> new Expr.Cast(x, type);
      case 10 -> call(Function.LEAST, type, x, y);
      case 11 -> call(Function.GREATEST, type, x, y);
      case 12 -> call(Function.COALESCE, type, x, y);
      case 13 -> call(Function.NULLIF, type, x, y);
      case 14 ->
          new Expr.Case(
              List.of(new Expr.Case.Branch(call(Function.GT, Type.BOOLEAN, y, KEY.ref()), x)),
              random.nextBoolean() ? Optional.of(y) : Optional.empty(),
              type);
      case 15 -> call(Function.SQRT, Type.DOUBLE, x);
      case 16 ->
          call(
              List.of(Function.FLOOR, Function.CEIL, Function.SIGN, Function.ROUND)
                  .get(random.nextInt(4)),
              type,
              x);
      default ->
          call(
              List.of(Function.LN, Function.LOG10, Function.EXP).get(random.nextInt(3)),
              Type.DOUBLE,
              x);
    };
  }
}
