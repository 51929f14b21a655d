package flexdp.forecast;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.Metrics;
import flexdp.properties.Lineage;
import flexdp.query.Measurement;
import java.util.Optional;
import java.util.function.DoubleBinaryOperator;

/**
 * How large the values of a sum are on average. Where no profile says it they are taken to be as
 * large as they may be, so that a warning holds whatever they are; but of differences nobody
 * declares how large they are, and what follows from two ranges is far more than most of them.
 */
final class ValueEstimates {
  /** Which part of what it may be a difference is taken to be. */
  private static final double OF_DIFFERENCES = 0.1;

  private final Metrics metrics;
  private final Relation over;

  ValueEstimates(Metrics metrics, Relation over) {
    this.metrics = metrics;
    this.over = over;
  }

  /** With their sign, as far as it is known. */
  double mean(Measurement.Sum sum) {
    double low = sum.clamp().range().low().doubleValue();
    double high = sum.clamp().range().high().doubleValue();
    // Averages are of values less the middle of their range.
    double centre =
        sum.value() instanceof Expr.Call call
                && call.function() == Function.MINUS
                && call.arguments().get(1) instanceof Expr.Literal literal
                && literal.value() instanceof Number middle
            ? middle.doubleValue()
            : 0;
    double most = Math.abs(high + centre) >= Math.abs(low + centre) ? high + centre : low + centre;
    double guessed = most * (isDifference(sum.value()) ? OF_DIFFERENCES : 1);
    return Math.max(low, Math.min(high, mean(sum.value()).orElse(guessed - centre)));
  }

  /** Regardless of their sign. */
  double size(Measurement.Sum sum) {
    return Math.abs(mean(sum));
  }

  /** Whether something is made of how far two values are apart. */
  private boolean isDifference(Expr expr) {
    if (expr instanceof Expr.Ref ref) {
      return CardinalityEstimator.column(over, ref)
          .flatMap(this::made)
          .map(Made::isDifference)
          .orElse(false);
    }
    return expr instanceof Expr.Call call
            && (call.function() == Function.DATE_DIFF
                || call.function() == Function.MINUS
                    && call.arguments().stream().noneMatch(Expr.Literal.class::isInstance))
        || expr.children().stream().anyMatch(this::isDifference);
  }

  /** What a projection below makes a column of. */
  private Optional<Made> made(Lineage column) {
    return column.relation() instanceof Relation.Project project
        ? project.outputs().stream()
            .filter(o -> o.column().id() == column.column().id())
            .findFirst()
            .map(o -> new Made(new ValueEstimates(metrics, project.input()), o.expr()))
        : Optional.empty();
  }

  private record Made(ValueEstimates over, Expr expr) {
    boolean isDifference() {
      return over.isDifference(expr);
    }

    Optional<Double> mean() {
      return over.mean(expr);
    }
  }

  private Optional<Double> mean(Expr expr) {
    return switch (expr) {
      case Expr.Literal literal ->
          Optional.of(literal.value() instanceof Number n ? n.doubleValue() : 0.0)
              .filter(n -> literal.isNull() || literal.value() instanceof Number);
      case Expr.Cast cast -> mean(cast.operand());
      case Expr.Ref ref -> released(ref);
      case Expr.Case choice -> chosen(choice);
      case Expr.Call call ->
          switch (call.function()) {
            case COALESCE, ROUND, FLOOR, CEIL -> mean(call.arguments().getFirst());
            case NEGATE -> mean(call.arguments().getFirst()).map(x -> -x);
            case ABS -> mean(call.arguments().getFirst()).map(Math::abs);
            case PLUS -> of(call, Double::sum);
            case MINUS -> of(call, (x, y) -> x - y);
            case TIMES -> literal(call).flatMap(n -> of(call, (x, y) -> x * y));
            case DIVIDE -> literal(call).flatMap(n -> of(call, (x, y) -> x / y));
            case LEAST, GREATEST ->
                call.arguments().stream()
                    .filter(a -> !(a instanceof Expr.Literal))
                    .findFirst()
                    .flatMap(this::mean);
            default -> Optional.empty();
          };
    };
  }

  private Optional<Double> of(Expr.Call call, DoubleBinaryOperator function) {
    return mean(call.arguments().get(0))
        .flatMap(x -> mean(call.arguments().get(1)).map(y -> function.applyAsDouble(x, y)))
        .filter(Double::isFinite);
  }

  /** The mean of a product is that of the factors where one of them is a constant. */
  private static Optional<Expr> literal(Expr.Call call) {
    return call.arguments().stream().filter(Expr.Literal.class::isInstance).findFirst();
  }

  private Optional<Double> released(Expr.Ref ref) {
    Optional<Lineage> column = CardinalityEstimator.column(over, ref);
    Optional<Made> below = column.flatMap(this::made);
    if (below.isPresent()) {
      return below.get().mean();
    }
    if (column.isEmpty() || !(column.get().relation() instanceof Relation.Scan scan)) {
      return Optional.empty();
    }
    String table = scan.table().name();
    Optional<ContributionProfile> sums =
        metrics.profile(table, Optional.of(column.get().column().name()));
    Optional<ContributionProfile> rows = metrics.profile(table, Optional.empty());
    return sums.flatMap(s -> rows.map(r -> s.total() / r.total()))
        .filter(mean -> Double.isFinite(mean) && mean > 0);
  }

  private Optional<Double> chosen(Expr.Case choice) {
    Selectivity shares = Selectivity.ofShares(over);
    double sum = 0;
    double left = 1;
    for (Expr.Case.Branch branch : choice.branches()) {
      Optional<Double> value = mean(branch.value());
      if (value.isEmpty()) {
        return Optional.empty();
      }
      double share = Math.min(left, shares.of(branch.condition()));
      sum += share * value.get();
      left -= share;
    }
    Optional<Double> rest = choice.otherwise().map(this::mean).orElse(Optional.of(0.0));
    double before = sum;
    double remaining = left;
    return rest.map(value -> before + remaining * value);
  }
}
