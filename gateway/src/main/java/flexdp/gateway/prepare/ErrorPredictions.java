package flexdp.gateway.prepare;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.decompose.QueryWithIntervals;
import flexdp.metrics.Metrics;
import flexdp.plan.ErrorModel;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** How wrong the columns of an answer will be, before anything is asked, from what is public. */
public final class ErrorPredictions {
  private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

  private final DpQuery query;

  /** By every column that shows one. */
  private final Map<Integer, Measurement> measurements;

  public ErrorPredictions(DpQuery query) {
    this.query = query;
    this.measurements = query.measurements();
  }

  /** The columns that noise makes wrong. */
  public List<Column> columns() {
    List<Column> noisy = new ArrayList<>();
    for (DpQuery.ResultColumn result : query.columns()) {
      boolean is =
          switch (result.kind()) {
            case AGGREGATE, DERIVED -> !QueryWithIntervals.isEnd(query.top(), result.column());
            case KEY, CONSTANT -> false;
          };
      if (is) {
        noisy.add(result.column());
      }
    }
    return noisy;
  }

  /** The result's columns in order, by id. */
  List<Integer> ids() {
    return query.columns().stream().map(c -> c.column().id()).toList();
  }

  /** What a column is made of; empty when it has no error bar whatever is released. */
  public Optional<Expr> definition(Column column) {
    return QueryWithIntervals.definition(query, column).filter(made -> !isChosen(made));
  }

  /** Whether a column shows a value that is chosen at random, and may have an interval then. */
  public boolean isChosen(Column column) {
    return QueryWithIntervals.definition(query, column).filter(this::isChosen).isPresent();
  }

  private boolean isChosen(Expr made) {
    return AlgebraWalker.references(made).stream()
        .anyMatch(id -> measurements.get(id) instanceof Measurement.Selected);
  }

  /** Whether the noise of all that a column is made of is public. */
  public boolean isPublic(Expr definition, ErrorModel errors) {
    return AlgebraWalker.references(definition).stream()
        .filter(measurements::containsKey)
        .allMatch(errors::measures);
  }

  /** The release points' columns of the measurements that a column is made of. */
  public Stream<Integer> measured(Expr definition) {
    return AlgebraWalker.references(definition).stream()
        .filter(measurements::containsKey)
        .map(id -> measurements.get(id).output().id());
  }

  private int together(Expr definition) {
    return (int)
        AlgebraWalker.references(definition).stream().filter(measurements::containsKey).count();
  }

  /**
   * Half the width of the 95 % interval of a sum of measurements, which is the same whatever the
   * answer is; empty for what is not such a sum.
   */
  public Optional<BigDecimal> error(Expr definition, ErrorModel errors) {
    return error(definition, errors, together(definition));
  }

  private Optional<BigDecimal> error(Expr expr, ErrorModel errors, int together) {
    if (AlgebraWalker.references(expr).stream().noneMatch(measurements::containsKey)) {
      return Optional.of(BigDecimal.ZERO);
    }
    return switch (expr) {
      case Expr.Ref ref -> Optional.of(errors.halfWidth(ref.column(), together));
      case Expr.Literal ignored -> Optional.of(BigDecimal.ZERO);
      case Expr.Cast cast ->
          error(cast.operand(), errors, together).map(e -> e.add(rounding(cast)));
      case Expr.Case ignored -> Optional.empty();
      case Expr.Call call -> {
        List<Expr> a = call.arguments();
        yield switch (call.function()) {
          case PLUS, MINUS ->
              error(a.get(0), errors, together)
                  .flatMap(x -> error(a.get(1), errors, together).map(x::add));
          case NEGATE -> error(a.get(0), errors, together);
          case TIMES ->
              scaled(a.get(0), a.get(1), errors, together)
                  .or(() -> scaled(a.get(1), a.get(0), errors, together));
          default -> Optional.empty();
        };
      }
    };
  }

  private Optional<BigDecimal> scaled(Expr factor, Expr other, ErrorModel errors, int together) {
    return factor instanceof Expr.Literal literal && literal.value() instanceof BigDecimal number
        ? error(other, errors, together).map(e -> e.multiply(number.abs()))
        : Optional.empty();
  }

  /** A conversion to fewer digits rounds both the noisy value and the exact one. */
  private static BigDecimal rounding(Expr.Cast cast) {
    Type from = cast.operand().type();
    Type to = cast.type();
    return to.isExact() && !(from.isExact() && from.scale() <= to.scale())
        ? BigDecimal.ONE.movePointLeft(to.scale())
        : BigDecimal.ZERO;
  }

  /** The parts of an average: of n rows its error is at most total/(n − rows). */
  public record Average(BigDecimal total, BigDecimal rows) {
    /** Empty when n is too small to say anything. */
    public Optional<BigDecimal> error(BigDecimal n) {
      BigDecimal certain = n.subtract(rows);
      return certain.signum() <= 0 ? Optional.empty() : Optional.of(total.divide(certain, UP));
    }
  }

  /**
   * For s/n with noise a on s and b on n: |(s+a)/(n+b) − s/n| = |a·n − s·b|/(n·(n+b)), and |s| is
   * at most n times the half range h, so it is at most (|a| + h·|b|)/(n − |b|).
   */
  public Optional<Average> average(Column column, Expr definition, ErrorModel errors) {
    boolean is =
        query.columns().stream()
            .anyMatch(c -> c.column().id() == column.id() && c.aggregate().equals("AVG"));
    List<Measurement> parts =
        AlgebraWalker.references(definition).stream()
            .filter(measurements::containsKey)
            .map(measurements::get)
            .toList();
    if (!is || parts.size() != 2) {
      return Optional.empty();
    }
    BigDecimal total = BigDecimal.ZERO;
    BigDecimal rows = BigDecimal.ZERO;
    BigDecimal half = BigDecimal.ZERO;
    for (Measurement part : parts) {
      if (!(part instanceof Measurement.Additive)) {
        return Optional.empty();
      }
      BigDecimal width = errors.halfWidth(part.output().id(), 2);
      if (part.clamping().isPresent()) {
        Range range = part.clamping().get().range();
        half = range.low().abs().max(range.high().abs());
        total = total.add(width);
      } else {
        rows = width;
      }
    }
    return Optional.of(new Average(total.add(half.multiply(rows)), rows));
  }

  /** The released row count of a table, for a column that counts all its rows. */
  public Optional<BigDecimal> rows(Expr definition, Metrics metrics) {
    if (!(definition instanceof Expr.Ref ref) || query.releases().size() != 1) {
      return Optional.empty();
    }
    NoisyAggregate point = query.releases().getFirst();
    Relation input = point.input();
    while (input instanceof Relation.Project project) {
      input = project.input();
    }
    return measurements.get(ref.column()) instanceof Measurement.Count count
            && count.isOfAllRows()
            && point.labels() instanceof Labels.None
            && input instanceof Relation.Scan scan
        ? metrics
            .released(scan.table().name())
            .flatMap(r -> r.values().rows())
            .map(BigDecimal::new)
            .or(
                () ->
                    metrics
                        .profile(scan.table().name(), Optional.empty())
                        .map(p -> new BigDecimal(Math.rint(p.total()))))
        : Optional.empty();
  }
}
