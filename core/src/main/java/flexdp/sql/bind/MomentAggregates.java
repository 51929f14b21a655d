package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.Type;
import flexdp.sql.function.AggregateWord;
import flexdp.sql.function.OperatorFunctions;
import flexdp.sql.function.TypeRules;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Statistics of one or two columns, from sums over the rows where neither is NULL: each sum is
 * bounded by the ranges of the columns, and what is computed from them is computed from noisy
 * values.
 */
final class MomentAggregates {
  /** A sum, or the number of rows, over the rows that a condition leaves. */
  interface Summing {
    Expr of(Optional<Expr> what, Expr condition);
  }

  private final Expr y;
  private final Expr x;
  private final Expr both;
  private final Summing sums;
  private final Position at;

  MomentAggregates(Expr y, Expr x, Optional<Expr> filter, Summing sums, Position at) {
    this.y = TypeRules.requireNumber(y, at);
    this.x = TypeRules.requireNumber(x, at);
    Expr present =
        Exprs.and(
            List.of(
                Exprs.test(Function.IS_NOT_NULL, this.y),
                Exprs.test(Function.IS_NOT_NULL, this.x)));
    this.both = filter.map(f -> Exprs.test(Function.AND, f, present)).orElse(present);
    this.sums = sums;
    this.at = at;
  }

  /**
   * NULL where there is nothing, and where what is divided by says that a column is the same
   * everywhere, or cannot be told from that by its noise.
   */
  Expr of(AggregateWord word) {
    return switch (word) {
      case REGR_COUNT -> sums.of(Optional.empty(), both);
      case COVAR_POP -> where(covariance(n()), rows());
      case COVAR_SAMP -> where(covariance(minus(n(), one())), rows(), minus(n(), one()));
      case REGR_SLOPE -> where(slope(), rows(), spread(x, x));
      case REGR_INTERCEPT ->
          where(over(minus(sum(y), product(slope(), sum(x))), n()), rows(), spread(x, x));
      case CORR ->
          where(
              within(
                  over(
                      spread(y, x),
                      Exprs.call(Function.SQRT, Type.DOUBLE, product(spread(y, y), spread(x, x))))),
              rows(),
              spread(y, y),
              spread(x, x));
      case REGR_R2 -> where(determination(), rows(), spread(x, x));
      case REGR_AVGX -> where(over(sum(x), n()), rows());
      case REGR_AVGY -> where(over(sum(y), n()), rows());
      case REGR_SXX -> where(over(spread(x, x), n()), rows());
      case REGR_SYY -> where(over(spread(y, y), n()), rows());
      case REGR_SXY -> where(over(spread(y, x), n()), rows());
      case SKEWNESS ->
          where(
              product(
                  skewness(),
                  over(
                      Exprs.call(Function.SQRT, Type.DOUBLE, product(n(), minus(n(), one()))),
                      minus(n(), literal(2)))),
              rows(),
              minus(n(), literal(2)),
              spread(y, y));
      case SKEWNESS_POP -> where(skewness(), rows(), spread(y, y));
      default -> throw new IllegalArgumentException("no statistic of two columns: " + word);
    };
  }

  private Expr covariance(Expr rows) {
    return over(minus(sum(times(y, x)), over(product(sum(y), sum(x)), n())), rows);
  }

  private Expr rows() {
    return sums.of(Optional.empty(), both);
  }

  /** NULL unless all of these exceed their noise. */
  private static Expr where(Expr statistic, Expr... positive) {
    List<Expr> exceed =
        Arrays.stream(positive)
            .map(p -> Exprs.call(Function.EXCEEDS_NOISE, Type.BOOLEAN, p))
            .toList();
    return new Expr.Case(
        List.of(new Expr.Case.Branch(Exprs.and(exceed), statistic)),
        Optional.empty(),
        statistic.type());
  }

  /** 1 where y is the same everywhere and x is not, as in PostgreSQL. */
  private Expr determination() {
    Expr apart = over(product(spread(y, x), spread(y, x)), spread(x, x));
    Expr ratio = over(apart, spread(y, y));
    Expr flat = TypeRules.compare(Function.EQ, spread(y, y), literal(0), at);
    Expr steep = Exprs.test(Function.IS_NOT_NULL, apart);
    return new Expr.Case(
        List.of(new Expr.Case.Branch(Exprs.test(Function.AND, flat, steep), one())),
        Optional.of(within(ratio)),
        Type.DOUBLE);
  }

  /** (n²Σx³ − 3nΣxΣx² + 2(Σx)³) / (nΣx² − (Σx)²)^1.5. */
  private Expr skewness() {
    Expr cubes = sum(times(times(y, y), y));
    Expr squares = sum(times(y, y));
    Expr third =
        Exprs.call(
            Function.PLUS,
            Type.DOUBLE,
            minus(
                product(product(n(), n()), cubes),
                product(literal(3), product(n(), product(sum(y), squares)))),
            product(literal(2), product(sum(y), product(sum(y), sum(y)))));
    Expr spread = spread(y, y);
    return over(third, product(spread, Exprs.call(Function.SQRT, Type.DOUBLE, spread)));
  }

  private Expr slope() {
    return over(spread(y, x), spread(x, x));
  }

  /** n Σab − Σa Σb. */
  private Expr spread(Expr a, Expr b) {
    return minus(product(n(), sum(times(a, b))), product(sum(a), sum(b)));
  }

  /** Noise may take it beyond. */
  private static Expr within(Expr correlation) {
    Expr high = new Expr.Literal(1.0, Type.DOUBLE);
    Expr low = new Expr.Literal(-1.0, Type.DOUBLE);
    Expr clamped =
        Exprs.call(
            Function.GREATEST,
            Type.DOUBLE,
            Exprs.call(Function.LEAST, Type.DOUBLE, correlation, high),
            low);
    return new Expr.Case(
        List.of(new Expr.Case.Branch(Exprs.test(Function.IS_NOT_NULL, correlation), clamped)),
        Optional.empty(),
        Type.DOUBLE);
  }

  private Expr n() {
    return Exprs.as(sums.of(Optional.empty(), both), Type.DOUBLE);
  }

  private Expr sum(Expr of) {
    return Exprs.as(sums.of(Optional.of(of), both), Type.DOUBLE);
  }

  private Expr times(Expr a, Expr b) {
    return OperatorFunctions.times(a, b, at);
  }

  private static Expr one() {
    return literal(1);
  }

  private static Expr literal(double value) {
    return new Expr.Literal(value, Type.DOUBLE);
  }

  private static Expr product(Expr a, Expr b) {
    return Exprs.call(Function.TIMES, Type.DOUBLE, a, b);
  }

  private static Expr minus(Expr a, Expr b) {
    return Exprs.call(Function.MINUS, Type.DOUBLE, a, b);
  }

  private static Expr over(Expr a, Expr b) {
    return Exprs.call(Function.DIVIDE, Type.DOUBLE, a, b);
  }
}
