package flexdp.release;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Linearity;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From draws of columns to draws of an expression that noise goes through ({@link Linearity}). */
final class NoiseCombiner {
  /** The draws of an expression on a row; null for NULL. */
  @FunctionalInterface
  interface OnRow {
    NoiseCombination on(List<Object> row);
  }

  /** A floating-point number holds any scale. */
  private static final int ANY_SCALE = 1_000;

  private final List<Column> columns;
  private final NoiseLineage lineage;
  private final Evaluator evaluator;

  NoiseCombiner(List<Column> columns, NoiseLineage lineage, Evaluator evaluator) {
    this.columns = columns;
    this.lineage = lineage;
    this.evaluator = evaluator;
  }

  OnRow compile(Expr expr) {
    if (Linearity.isExact(expr, lineage::isNoisy)) {
      Evaluator.Value value = evaluator.compile(expr);
      return row -> value.on(row) == null ? null : NoiseCombination.EXACT;
    }
    return switch (expr) {
      case Expr.Ref ref -> lineage.of(ref.column(), columns);
      case Expr.Literal literal -> row -> literal.isNull() ? null : NoiseCombination.EXACT;
      case Expr.Cast cast ->
          rounded(compile(cast.operand()), expr, !holds(cast.type(), scale(cast.operand())));
      case Expr.Case choice -> choice(choice);
      case Expr.Call call -> call(call);
    };
  }

  private OnRow choice(Expr.Case choice) {
    List<Evaluator.Value> conditions = new ArrayList<>();
    List<OnRow> values = new ArrayList<>();
    boolean lossy = choice.otherwise().map(o -> !holds(choice.type(), scale(o))).orElse(false);
    for (Expr.Case.Branch branch : choice.branches()) {
      conditions.add(evaluator.compile(branch.condition()));
      values.add(compile(branch.value()));
      lossy |= !holds(choice.type(), scale(branch.value()));
    }
    Optional<OnRow> otherwise = choice.otherwise().map(this::compile);
    OnRow chosen =
        row -> {
          for (int i = 0; i < values.size(); i++) {
            if (Evaluator.isTrue(conditions.get(i).on(row))) {
              return values.get(i).on(row);
            }
          }
          return otherwise.map(o -> o.on(row)).orElse(null);
        };
    return rounded(chosen, choice, lossy);
  }

  private OnRow call(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    Type type = call.type();
    return switch (call.function()) {
      case NEGATE -> negated(compile(arguments.get(0)));
      case PLUS ->
          rounded(
              sum(arguments, 1),
              call,
              !holds(type, Math.max(scale(arguments.get(0)), scale(arguments.get(1)))));
      case MINUS ->
          rounded(
              sum(arguments, -1),
              call,
              !holds(type, Math.max(scale(arguments.get(0)), scale(arguments.get(1)))));
      case TIMES ->
          rounded(
              product(arguments),
              call,
              !holds(type, scale(arguments.get(0)) + scale(arguments.get(1))));
      case DIVIDE -> rounded(scaled(arguments.get(0), arguments.get(1), true), call, true);
      case COALESCE -> first(call);
      default -> throw new IllegalArgumentException("noise does not go through " + call.function());
    };
  }

  private static OnRow negated(OnRow operand) {
    return row -> {
      NoiseCombination made = operand.on(row);
      return made == null ? null : made.times(-1);
    };
  }

  private OnRow sum(List<Expr> arguments, int sign) {
    OnRow left = compile(arguments.get(0));
    OnRow right = compile(arguments.get(1));
    return row -> {
      NoiseCombination one = left.on(row);
      NoiseCombination two = right.on(row);
      return one == null || two == null ? null : one.plus(sign == 1 ? two : two.times(sign));
    };
  }

  private OnRow product(List<Expr> arguments) {
    return Linearity.isExact(arguments.get(1), lineage::isNoisy)
        ? scaled(arguments.get(0), arguments.get(1), false)
        : scaled(arguments.get(1), arguments.get(0), false);
  }

  private OnRow scaled(Expr noisy, Expr factor, boolean inverse) {
    OnRow operand = compile(noisy);
    Evaluator.Value by = evaluator.compile(factor);
    return row -> {
      NoiseCombination made = operand.on(row);
      Optional<Double> number = ValueInterval.number(by.on(row)).map(Number::doubleValue);
      return made == null || number.isEmpty() || inverse && number.get() == 0
          ? null
          : made.times(inverse ? 1 / number.get() : number.get());
    };
  }

  private OnRow first(Expr.Call call) {
    List<OnRow> parts = call.arguments().stream().map(this::compile).toList();
    boolean lossy = call.arguments().stream().anyMatch(a -> !holds(call.type(), scale(a)));
    OnRow found =
        row -> {
          for (OnRow part : parts) {
            NoiseCombination made = part.on(row);
            if (made != null) {
              return made;
            }
          }
          return null;
        };
    return rounded(found, call, lossy);
  }

  /** With what the rounding of an expression to its type may add to the error. */
  private OnRow rounded(OnRow made, Expr expr, boolean lossy) {
    if (!lossy) {
      return made;
    }
    double most = Linearity.rounding(expr.type());
    if (!isReal(expr.type())) {
      return row -> {
        NoiseCombination combination = made.on(row);
        return combination == null ? null : combination.rounded(most);
      };
    }
    List<Evaluator.Value> sizes = new ArrayList<>();
    sizes.add(evaluator.compile(expr));
    expr.children().stream()
        .filter(child -> child.type().isNumeric())
        .forEach(child -> sizes.add(evaluator.compile(child)));
    return row -> {
      NoiseCombination combination = made.on(row);
      if (combination == null) {
        return null;
      }
      double size =
          sizes.stream()
              .mapToDouble(
                  s ->
                      ValueInterval.number(s.on(row))
                          .map(n -> Math.abs(n.doubleValue()))
                          .orElse(0.0))
              .sum();
      return combination.rounded(most * (1 + size));
    };
  }

  private static boolean isReal(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** Whether values with so many digits after the point are not rounded. */
  static boolean holds(Type type, int scale) {
    return switch (type.kind()) {
      case DECIMAL -> scale <= type.scale();
      case DOUBLE -> false;
      default -> scale == 0;
    };
  }

  static int scale(Expr expr) {
    return switch (expr.type().kind()) {
      case DECIMAL -> expr.type().scale();
      case SMALLINT, INTEGER, BIGINT -> 0;
      default -> ANY_SCALE;
    };
  }
}
