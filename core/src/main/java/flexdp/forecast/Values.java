package flexdp.forecast;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.facts.Lineage;
import flexdp.metrics.Metrics;
import flexdp.metrics.Profile;
import flexdp.question.Measurement;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * How large the values of a sum are on average, regardless of their sign. Where no profile says it
 * they are taken to be as large as they may be, so that a warning holds whatever they are.
 */
final class Values {
  private final Metrics metrics;
  private final Relation over;

  Values(Metrics metrics, Relation over) {
    this.metrics = metrics;
    this.over = over;
  }

  double mean(Measurement.Sum sum) {
    Measurement.Clamp clamp = sum.clamp();
    double most = clamp.mostAdded().max(clamp.mostTaken()).doubleValue();
    return Math.min(most, mean(sum.value()).orElse(most));
  }

  private Optional<Double> mean(Expr expr) {
    return switch (expr) {
      case Expr.Literal literal ->
          Optional.of(literal.value() instanceof BigDecimal n ? n.abs().doubleValue() : 0.0)
              .filter(n -> literal.isNull() || literal.value() instanceof BigDecimal);
      case Expr.Cast cast -> mean(cast.operand());
      case Expr.Ref ref -> released(ref);
      case Expr.Case choice -> chosen(choice);
      case Expr.Call call ->
          switch (call.function()) {
            case NEGATE, ABS, COALESCE, ROUND, FLOOR, CEIL -> mean(call.arguments().getFirst());
            case LEAST, GREATEST ->
                call.arguments().stream()
                    .filter(a -> !(a instanceof Expr.Literal))
                    .findFirst()
                    .flatMap(this::mean);
            default -> Optional.empty();
          };
    };
  }

  private Optional<Double> released(Expr.Ref ref) {
    Optional<Lineage> column = Crowds.column(over, ref);
    if (column.isPresent() && column.get().relation() instanceof Relation.Project made) {
      Values below = new Values(metrics, made.input());
      return made.outputs().stream()
          .filter(o -> o.column().id() == column.get().column().id())
          .findFirst()
          .flatMap(o -> below.mean(o.expr()));
    }
    if (column.isEmpty() || !(column.get().relation() instanceof Relation.Scan scan)) {
      return Optional.empty();
    }
    String table = scan.table().name();
    Optional<Profile> sums = metrics.profile(table, Optional.of(column.get().column().name()));
    Optional<Profile> rows = metrics.profile(table, Optional.empty());
    return sums.flatMap(s -> rows.map(r -> s.total() / r.total()))
        .filter(mean -> Double.isFinite(mean) && mean > 0);
  }

  private Optional<Double> chosen(Expr.Case choice) {
    Selectivity shares = new Selectivity(over);
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
