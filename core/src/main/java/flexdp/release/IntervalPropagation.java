package flexdp.release;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Linearity;
import flexdp.compute.ArithmeticEvaluation;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.plan.ErrorModel;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Interval arithmetic over noisy rows: from intervals that hold the measurements, one that holds
 * what an expression would be without noise. Every step rounds as {@link Evaluator} does, which
 * keeps the order of numbers, so the ends may be rounded like the value.
 */
final class IntervalPropagation {
  /** The span of an expression on a row. */
  @FunctionalInterface
  interface OnRow {
    ValueInterval on(List<Object> row);
  }

  /** How far the exact value of a measurement may lie below and above the noisy one. */
  private record Width(BigDecimal below, BigDecimal above) {
    ValueInterval around(BigDecimal n) {
      return ValueInterval.of(n.subtract(below), n.add(above));
    }
  }

  private interface Widths {
    Width on(List<Object> row);
  }

  private final List<Column> columns;
  private final ErrorModel errors;
  private final NoiseLineage lineage;
  private final Evaluator evaluator;
  private final boolean summed;
  private final int together;

  private IntervalPropagation(
      List<Column> columns, ErrorModel errors, NoiseLineage lineage, Expr argument) {
    this.columns = columns;
    this.errors = errors;
    this.lineage = lineage;
    this.evaluator = new Evaluator(columns, ends(errors, lineage));
    this.summed = AlgebraWalker.references(argument).stream().anyMatch(lineage::isWindow);
    this.together =
        summed
            ? sums(argument, new HashSet<>()).size()
            : (int) AlgebraWalker.references(argument).stream().filter(errors::measures).count();
  }

  /** Ends of error bars that come from these errors. */
  static Evaluator.Ends ends(ErrorModel errors) {
    return ends(errors, new NoiseLineage(errors));
  }

  /**
   * Ends of error bars, where windows may stand among the values.
   *
   * @param lineage which draws they are made of
   */
  static Evaluator.Ends ends(ErrorModel errors, NoiseLineage lineage) {
    return (call, columns) -> end(call, columns, errors, lineage);
  }

  /** An end of the interval of an expression, of the expression's own type; NULL: unbounded. */
  private static Evaluator.Value end(
      Expr.Call call, List<Column> columns, ErrorModel errors, NoiseLineage lineage) {
    Expr argument = call.arguments().getFirst();
    if (call.function() == Function.EXCEEDS_NOISE && counted(argument) instanceof Expr.Ref count) {
      return exceedsNoise(count, columns, errors, lineage.groups());
    }
    OnRow span = new IntervalPropagation(columns, errors, lineage, argument).compile(argument);
    if (call.function() == Function.EXCEEDS_NOISE) {
      Evaluator.Value value = new Evaluator(columns, ends(errors, lineage)).compile(argument);
      return row ->
          value.on(row) != null
              && ValueInterval.number(value.on(row)).filter(v -> v.signum() > 0).isPresent()
              && span.on(row).low().map(low -> low.signum() > 0).orElse(true);
    }
    boolean low = call.function() == Function.INTERVAL_LOW;
    return row -> {
      ValueInterval found = span.on(row);
      return (low ? found.low() : found.high())
          .map(end -> ValueConversion.to(call.type(), end))
          .orElse(null);
    };
  }

  private static Expr counted(Expr expr) {
    return expr instanceof Expr.Cast cast && cast.type().isInteger()
        ? counted(cast.operand())
        : expr;
  }

  /**
   * Of all groups that have no rows together, one is taken for one that has some with probability 5
   * % at most: half of that for each side. Where the noise is not public a count of at least one
   * has to do.
   */
  private static Evaluator.Value exceedsNoise(
      Expr.Ref count, List<Column> columns, ErrorModel errors, int groups) {
    int index = RowTable.index(columns, count.column());
    BigDecimal noise =
        errors.measures(count.column()) ? errors.below(count.column(), groups) : BigDecimal.ZERO;
    return row ->
        ValueInterval.number(row.get(index))
            .map(n -> n.compareTo(BigDecimal.ONE) >= 0 && n.compareTo(noise) > 0)
            .orElse(false);
  }

  private boolean isExact(Expr expr) {
    return Linearity.isExact(expr, lineage::isNoisy);
  }

  /** The largest parts of an expression whose noise is a sum: each has one interval. */
  private Set<Expr> sums(Expr expr, Set<Expr> found) {
    if (isExact(expr)) {
      return found;
    }
    if (Linearity.is(expr, lineage::isNoisy)) {
      found.add(expr);
    } else {
      expr.children().forEach(child -> sums(child, found));
    }
    return found;
  }

  /** Of a sum of draws, by their law. */
  private OnRow sum(Expr expr) {
    Evaluator.Value value = evaluator.compile(expr);
    NoiseCombiner.OnRow made = new NoiseCombiner(columns, lineage, evaluator).compile(expr);
    return row -> {
      NoiseCombination combination = made.on(row);
      return combination == null
          ? ValueInterval.UNKNOWN
          : ValueInterval.number(value.on(row))
              .flatMap(n -> lineage.span(n, combination, together))
              .map(span -> span.as(expr.type()))
              .orElse(ValueInterval.UNKNOWN);
    };
  }

  private static boolean isReal(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** Floating-point parts of an exact value round halves in a way of their own. */
  private static boolean isMixed(Type type, List<Expr> parts) {
    return !isReal(type) && parts.stream().anyMatch(part -> isReal(part.type()));
  }

  private OnRow compile(Expr expr) {
    if (isExact(expr)) {
      Evaluator.Value value = evaluator.compile(expr);
      return row -> ValueInterval.point(value.on(row));
    }
    if (summed && Linearity.is(expr, lineage::isNoisy)) {
      return sum(expr);
    }
    return switch (expr) {
      case Expr.Ref ref -> measured(ref);
      case Expr.Literal literal -> row -> ValueInterval.point(literal.value());
      case Expr.Cast cast -> {
        OnRow operand = compile(cast.operand());
        boolean real = isReal(cast.operand().type());
        yield row -> real ? operand.on(row).fromReal(cast.type()) : operand.on(row).as(cast.type());
      }
      case Expr.Case choice -> choice(choice);
      case Expr.Call call -> call(call);
    };
  }

  private OnRow measured(Expr.Ref ref) {
    int index = RowTable.index(columns, ref.column());
    boolean real = isReal(ref.type());
    Widths widths = widths(ref.column());
    return row ->
        ValueInterval.number(row.get(index))
            .map(n -> widths.on(row).around(n))
            .map(span -> real ? outwards(span) : span)
            .orElse(ValueInterval.UNKNOWN);
  }

  /** Where rows say of which set or label they are, each has the error of its own. */
  private Widths widths(int column) {
    List<Integer> telling = errors.places(column);
    boolean told = telling.stream().allMatch(id -> columns.stream().anyMatch(c -> c.id() == id));
    if (!telling.isEmpty() && told) {
      List<Integer> places = telling.stream().map(id -> RowTable.index(columns, id)).toList();
      return row -> {
        List<Object> values = new ArrayList<>();
        places.forEach(place -> values.add(row.get(place)));
        List<Object> named = ValueOrdering.canonical(values);
        return new Width(
            errors.below(column, together, named), errors.above(column, together, named));
      };
    }
    Width width = new Width(errors.below(column, together), errors.above(column, together));
    return row -> width;
  }

  /** Sums of floating-point numbers are exact until they are shown; so one step further. */
  private static ValueInterval outwards(ValueInterval span) {
    return new ValueInterval(
        span.low().map(n -> new BigDecimal(Math.nextDown(n.doubleValue()))),
        span.high().map(n -> new BigDecimal(Math.nextUp(n.doubleValue()))),
        span.orNull());
  }

  /** Branches up to the first that is taken for certain; noisy conditions may go either way. */
  private OnRow choice(Expr.Case choice) {
    List<Expr> parts = new ArrayList<>(choice.otherwise().stream().toList());
    choice.branches().forEach(branch -> parts.add(branch.value()));
    if (isMixed(choice.type(), parts)) {
      return row -> ValueInterval.UNKNOWN;
    }
    List<Optional<Evaluator.Value>> conditions = new ArrayList<>();
    List<Optional<OnRow>> values = new ArrayList<>();
    for (Expr.Case.Branch branch : choice.branches()) {
      conditions.add(
          isExact(branch.condition())
              ? Optional.of(evaluator.compile(branch.condition()))
              : Optional.empty());
      values.add(value(branch.value()));
    }
    Optional<OnRow> otherwise = choice.otherwise().flatMap(this::value);
    return row -> {
      List<Optional<ValueInterval>> taken = new ArrayList<>();
      boolean certain = false;
      for (int i = 0; i < values.size() && !certain; i++) {
        certain = conditions.get(i).isPresent();
        if (!certain || Evaluator.isTrue(conditions.get(i).get().on(row))) {
          taken.add(values.get(i).map(v -> v.on(row)));
        } else {
          certain = false;
        }
      }
      if (!certain) {
        taken.add(otherwise.map(v -> v.on(row)));
      }
      return union(taken).as(choice.type());
    };
  }

  /** Nothing for a bare NULL. */
  private Optional<OnRow> value(Expr expr) {
    return expr instanceof Expr.Literal literal && literal.isNull()
        ? Optional.empty()
        : Optional.of(compile(expr));
  }

  /** An absent one is NULL, and adds no number. */
  private static ValueInterval union(List<Optional<ValueInterval>> spans) {
    boolean orNull = spans.stream().anyMatch(Optional::isEmpty);
    ValueInterval all =
        spans.stream()
            .flatMap(Optional::stream)
            .reduce(ValueInterval::union)
            .orElse(ValueInterval.UNKNOWN);
    return orNull ? all.nullable() : all;
  }

  private OnRow call(Expr.Call call) {
    List<Optional<OnRow>> parts = call.arguments().stream().map(this::value).toList();
    Type type = call.type();
    Function function = call.function();
    if (isMixed(type, call.arguments())) {
      return row -> ValueInterval.UNKNOWN;
    }
    if (function == Function.TIMES && call.arguments().get(0).equals(call.arguments().get(1))) {
      OnRow side = parts.get(0).orElseThrow();
      return row -> operand(side.on(row), type).square().as(type);
    }
    return switch (function) {
      case COALESCE -> row -> coalesce(parts, row).as(type);
      case NULLIF ->
          row -> parts.get(0).map(p -> p.on(row)).orElse(ValueInterval.UNKNOWN).nullable().as(type);
      case LEAST -> row -> extreme(parts, row, true).as(type);
      case GREATEST -> row -> extreme(parts, row, false).as(type);
      default -> row -> arithmetic(function, call.arguments(), parts, row, type);
    };
  }

  private static ValueInterval operand(ValueInterval span, Type type) {
    return isReal(type) ? span.as(Type.DOUBLE) : span;
  }

  private static ValueInterval arithmetic(
      Function function,
      List<Expr> arguments,
      List<Optional<OnRow>> parts,
      List<Object> row,
      Type type) {
    List<ValueInterval> spans = new ArrayList<>();
    for (Optional<OnRow> part : parts) {
      if (part.isEmpty()) {
        return ValueInterval.UNKNOWN;
      }
      spans.add(operand(part.get().on(row), type));
    }
    ValueInterval x = spans.get(0);
    return switch (function) {
      case PLUS -> x.plus(spans.get(1)).as(type);
      case MINUS -> x.plus(spans.get(1).negate()).as(type);
      case TIMES -> x.times(spans.get(1)).as(type);
      case DIVIDE -> divided(x.over(spans.get(1)), type);
      case NEGATE -> x.negate().as(type);
      case ABS -> x.abs().as(type);
      case SQRT -> atLeastZero(x, function, type);
      case SIGN, FLOOR, CEIL, ROUND, LN, LOG10, EXP ->
          x.monotone(end -> applied(function, end, arguments, spans, type)).as(type);
      default -> ValueInterval.UNKNOWN;
    };
  }

  private static ValueInterval divided(ValueInterval quotient, Type type) {
    return type.isInteger()
        ? quotient.monotone(end -> end.setScale(0, RoundingMode.DOWN)).as(type)
        : quotient.as(type);
  }

  /** The root of what may be negative is NULL there and at least zero elsewhere. */
  private static ValueInterval atLeastZero(ValueInterval x, Function function, Type type) {
    boolean below = x.low().map(low -> low.signum() < 0).orElse(true);
    ValueInterval kept =
        below ? new ValueInterval(Optional.of(BigDecimal.ZERO), x.high(), true) : x;
    return kept.monotone(
            end -> applied(function, end.max(BigDecimal.ZERO), List.of(), List.of(), type))
        .as(type);
  }

  /** The function as rows are computed; null where it has no value. */
  private static BigDecimal applied(
      Function function,
      BigDecimal end,
      List<Expr> arguments,
      List<ValueInterval> spans,
      Type type) {
    boolean real = isReal(type);
    List<Object> values = new ArrayList<>();
    values.add(real ? (Object) end.doubleValue() : end);
    for (int i = 1; i < arguments.size(); i++) {
      // The digits of ROUND: a constant.
      values.add(spans.get(i).low().orElse(BigDecimal.ZERO));
    }
    return ValueInterval.number(ArithmeticEvaluation.of(function, values, type)).orElse(null);
  }

  private static ValueInterval coalesce(List<Optional<OnRow>> parts, List<Object> row) {
    List<Optional<ValueInterval>> taken = new ArrayList<>();
    for (Optional<OnRow> part : parts) {
      Optional<ValueInterval> span = part.map(p -> p.on(row));
      span.ifPresent(s -> taken.add(span));
      if (span.isPresent() && !span.get().orNull()) {
        ValueInterval all = union(taken);
        return new ValueInterval(all.low(), all.high(), false);
      }
    }
    return union(taken).nullable();
  }

  /** NULLs are passed over: only what is never NULL caps LEAST, but anything may be the least. */
  private static ValueInterval extreme(
      List<Optional<OnRow>> parts, List<Object> row, boolean least) {
    List<ValueInterval> spans =
        parts.stream()
            .flatMap(Optional::stream)
            .map(p -> p.on(row))
            .map(s -> least ? s : s.negate())
            .toList();
    ValueInterval all = spans.stream().reduce(ValueInterval::union).orElse(ValueInterval.UNKNOWN);
    Optional<BigDecimal> cap =
        spans.stream()
            .filter(s -> !s.orNull())
            .flatMap(s -> s.high().stream())
            .min(BigDecimal::compareTo);
    boolean orNull = spans.stream().allMatch(ValueInterval::orNull);
    ValueInterval found = new ValueInterval(all.low(), cap.or(all::high), orNull);
    return least ? found : found.negate();
  }
}
