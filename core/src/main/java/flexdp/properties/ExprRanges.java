package flexdp.properties;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.failure.TimeBudget;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bounds of an expression from bounds of the columns it reads (interval arithmetic). */
public final class ExprRanges {
  private static final BigDecimal MICROS_PER_DAY = BigDecimal.valueOf(86_400_000_000L);

  private final Map<Integer, Interval> known;
  private final List<Column> columns;

  public ExprRanges(Map<Integer, Interval> known, List<Column> columns) {
    this.known = known;
    this.columns = columns;
  }

  public Interval of(Expr expr) {
    TimeBudget.step();
    return switch (expr) {
      case Expr.Ref ref -> known.getOrDefault(ref.column(), Interval.UNKNOWN);
      case Expr.Literal l -> literal(l);
      case Expr.Cast cast -> cast(cast);
      case Expr.Case c -> {
        Optional<Interval> all = c.otherwise().flatMap(this::value);
        for (Expr.Case.Branch branch : c.branches()) {
          all = union(all, value(branch.value()));
        }
        yield all.orElse(Interval.UNKNOWN);
      }
      case Expr.Call call -> call(call);
    };
  }

  /** Dates count as days, timestamps as microseconds, since 1970. */
  static Interval literal(Expr.Literal literal) {
    return switch (literal.value()) {
      case null -> Interval.UNKNOWN;
      case BigDecimal d -> Interval.point(d);
      case Double d when Double.isFinite(d) -> Interval.point(new BigDecimal(d));
      case LocalDate d -> Interval.point(BigDecimal.valueOf(d.toEpochDay()));
      case LocalDateTime t -> Interval.point(BigDecimal.valueOf(micros(t)));
      default -> Interval.UNKNOWN;
    };
  }

  private static long micros(LocalDateTime time) {
    return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
  }

  /** The bounds of a value; empty when it is always NULL and so contributes none. */
  private Optional<Interval> value(Expr expr) {
    return expr instanceof Expr.Literal l && l.isNull() ? Optional.empty() : Optional.of(of(expr));
  }

  private static Optional<Interval> union(Optional<Interval> a, Optional<Interval> b) {
    return a.isPresent() && b.isPresent() ? Optional.of(a.get().union(b.get())) : a.or(() -> b);
  }

  private Interval cast(Expr.Cast cast) {
    Type from = cast.operand().type();
    Type to = cast.type();
    if (from.kind() == Type.Kind.BOOLEAN && to.isNumeric()) {
      return Interval.of(0, 1);
    }
    Interval operand = of(cast.operand());
    if (from.isNumeric() && to.isNumeric()) {
      return to.kind() == Type.Kind.DOUBLE ? operand : rounded(operand, to.scale());
    }
    if (from.kind() == Type.Kind.TIMESTAMP && to.kind() == Type.Kind.DATE) {
      return new Interval(
          operand.low().map(v -> v.divide(MICROS_PER_DAY, 0, RoundingMode.FLOOR)),
          operand.high().map(v -> v.divide(MICROS_PER_DAY, 0, RoundingMode.FLOOR)));
    }
    if (from.kind() == Type.Kind.DATE && to.kind() == Type.Kind.TIMESTAMP) {
      return operand.times(Interval.point(MICROS_PER_DAY));
    }
    return from.equals(to) ? operand : Interval.UNKNOWN;
  }

  private static Interval rounded(Interval interval, int scale) {
    return new Interval(
        interval.low().map(v -> v.setScale(scale, RoundingMode.FLOOR)),
        interval.high().map(v -> v.setScale(scale, RoundingMode.CEILING)));
  }

  private Interval call(Expr.Call call) {
    List<Expr> a = call.arguments();
    return switch (call.function().range()) {
      case UNKNOWN -> Interval.UNKNOWN;
      case COUNT -> Interval.atLeast(BigDecimal.ZERO);
      case SUM -> of(a.get(0)).plus(of(a.get(1)));
      case DIFFERENCE -> of(a.get(0)).plus(of(a.get(1)).negate());
      case PRODUCT -> of(a.get(0)).times(of(a.get(1)));
      case QUOTIENT -> divide(call);
      case REMAINDER -> isHash(a.get(0)) ? block(of(a.get(1))) : modulo(of(a.get(0)), of(a.get(1)));
      case POWER -> power(a.get(0), a.get(1));
      case OPPOSITE -> of(a.get(0)).negate();
      case SIZE -> absolute(of(a.get(0)));
      case SIGN -> Interval.of(of(a.get(0)).isNotNegative() ? 0 : -1, 1);
      case WHOLE -> rounded(of(a.get(0)), 0);
      case ROUNDED -> round(a);
      case ROOT -> squareRoot(of(a.get(0)));
      case ANY -> any(a);
      case FIRST -> any(a.subList(0, 1));
      case LEAST -> least(a);
      case GREATEST -> greatest(a);
      case LATER -> shifted(call);
      case BOUNDARIES ->
          DateRanges.between(
              DateRanges.unit(a.get(0)), a.get(1).type(), of(a.get(1)), of(a.get(2)));
      case PART -> DateRanges.range(DateRanges.unit(a.get(0)), a.get(1).type(), of(a.get(1)));
    };
  }

  private Interval any(List<Expr> arguments) {
    Optional<Interval> all = Optional.empty();
    for (Expr argument : arguments) {
      all = union(all, value(argument));
    }
    return all.orElse(Interval.UNKNOWN);
  }

  private Interval divide(Expr.Call call) {
    Interval n = of(call.arguments().get(0));
    Interval d = of(call.arguments().get(1));
    if (!n.isBounded()) {
      return Interval.UNKNOWN;
    }
    BigDecimal nearest;
    if (d.low().isPresent() && d.low().get().signum() > 0) {
      nearest = d.low().get();
    } else if (d.high().isPresent() && d.high().get().signum() < 0) {
      nearest = d.high().get().negate();
    } else if (call.arguments().get(1).type().isInteger()) {
      nearest = BigDecimal.ONE; // x / 0 is NULL
    } else {
      return Interval.UNKNOWN;
    }
    BigDecimal most = n.low().get().abs().max(n.high().get().abs());
    BigDecimal bound = most.divide(nearest, new MathContext(30, RoundingMode.CEILING));
    boolean positive =
        n.low().get().signum() >= 0 && d.low().isPresent() && d.low().get().signum() >= 0;
    return Interval.of(positive ? least(n, d, call.type()) : bound.negate(), bound);
  }

  /** A day or moment so many days or microseconds later. */
  private Interval shifted(Expr.Call call) {
    Expr start = call.arguments().get(0);
    boolean days = start.type().kind() == Type.Kind.DATE;
    if (!start.type().equals(call.type())
        || !(call.arguments().get(1) instanceof Expr.Literal literal)
        || literal.type().kind() != Type.Kind.INTERVAL_MICROS
        || !(literal.value() instanceof Long micros)) {
      return Interval.UNKNOWN;
    }
    BigDecimal length = BigDecimal.valueOf(micros);
    return of(start)
        .plus(
            Interval.point(days ? length.divide(MICROS_PER_DAY, MathContext.DECIMAL128) : length));
  }

  /** The least quotient of numbers that are not negative: the least by the greatest. */
  private static BigDecimal least(Interval n, Interval d, Type type) {
    Optional<BigDecimal> most = d.high().filter(high -> high.signum() > 0);
    if (most.isEmpty()) {
      return BigDecimal.ZERO;
    }
    BigDecimal least = n.low().get().divide(most.get(), new MathContext(30, RoundingMode.FLOOR));
    return type.kind() == Type.Kind.DOUBLE
        ? least
        : least.setScale(type.scale(), RoundingMode.FLOOR);
  }

  /** A power with a whole exponent of a number that is not negative grows with it. */
  private Interval power(Expr base, Expr exponent) {
    Interval x = of(base);
    boolean known =
        exponent instanceof Expr.Literal
            || exponent instanceof Expr.Cast c && c.operand() instanceof Expr.Literal;
    Optional<BigDecimal> p = known ? of(exponent).low() : Optional.empty();
    boolean whole =
        p.isPresent()
            && p.get().signum() > 0
            && p.get().compareTo(BigDecimal.TEN) <= 0
            && p.get().stripTrailingZeros().scale() <= 0;
    if (!whole || x.low().isEmpty() || x.low().get().signum() < 0) {
      return Interval.UNKNOWN;
    }
    int times = p.get().intValueExact();
    return new Interval(
        x.low().map(v -> v.pow(times, new MathContext(30, RoundingMode.FLOOR))),
        x.high().map(v -> v.pow(times, new MathContext(30, RoundingMode.CEILING))));
  }

  private static boolean isHash(Expr value) {
    return value instanceof Expr.Call call && call.function() == Function.HASH;
  }

  /** What a hash leaves when it is divided by a whole number: hashes are whole and not negative. */
  private static Interval block(Interval count) {
    return count.low().filter(low -> low.signum() > 0).isPresent() && count.isBounded()
        ? Interval.of(BigDecimal.ZERO, count.high().get().subtract(BigDecimal.ONE))
        : Interval.UNKNOWN;
  }

  private static Interval modulo(Interval n, Interval d) {
    if (!d.isBounded()) {
      return Interval.UNKNOWN;
    }
    BigDecimal most = d.low().get().abs().max(d.high().get().abs());
    boolean positive = n.low().isPresent() && n.low().get().signum() >= 0;
    return Interval.of(positive ? BigDecimal.ZERO : most.negate(), most);
  }

  private static Interval absolute(Interval x) {
    if (!x.isBounded()) {
      return Interval.atLeast(BigDecimal.ZERO);
    }
    BigDecimal most = x.low().get().abs().max(x.high().get().abs());
    boolean crosses = x.low().get().signum() < 0 && x.high().get().signum() > 0;
    return Interval.of(
        crosses ? BigDecimal.ZERO : x.low().get().abs().min(x.high().get().abs()), most);
  }

  private Interval round(List<Expr> arguments) {
    Interval x = of(arguments.get(0));
    if (arguments.size() == 1) {
      return rounded(x, 0);
    }
    return arguments.get(1) instanceof Expr.Literal l && l.value() instanceof BigDecimal digits
        ? rounded(x, Math.clamp(digits.longValue(), -30, 30))
        : Interval.UNKNOWN;
  }

  private static Interval squareRoot(Interval x) {
    MathContext up = new MathContext(30, RoundingMode.UP);
    return new Interval(
        Optional.of(BigDecimal.ZERO),
        x.high()
            .map(
                v ->
                    v.max(BigDecimal.ZERO)
                        .sqrt(new MathContext(25))
                        .add(new BigDecimal("1e-20"), up)));
  }

  /**
   * LEAST is at most each argument that is never NULL; databases differ on the others, so they only
   * count when nothing better is known.
   */
  private Interval least(List<Expr> arguments) {
    Optional<Interval> all = Optional.empty();
    Optional<BigDecimal> cap = Optional.empty();
    for (Expr argument : arguments) {
      Interval one = of(argument);
      all = union(all, value(argument));
      if (!NullRejection.possible(argument, columns) && one.high().isPresent()) {
        BigDecimal high = one.high().get();
        cap = Optional.of(cap.map(high::min).orElse(high));
      }
    }
    Interval union = all.orElse(Interval.UNKNOWN);
    return cap.map(c -> new Interval(union.low(), Optional.of(c))).orElse(union);
  }

  private Interval greatest(List<Expr> arguments) {
    Optional<Interval> all = Optional.empty();
    Optional<BigDecimal> floor = Optional.empty();
    for (Expr argument : arguments) {
      Interval one = of(argument);
      all = union(all, value(argument));
      if (!NullRejection.possible(argument, columns) && one.low().isPresent()) {
        BigDecimal low = one.low().get();
        floor = Optional.of(floor.map(low::max).orElse(low));
      }
    }
    Interval union = all.orElse(Interval.UNKNOWN);
    return floor.map(f -> new Interval(Optional.of(f), union.high())).orElse(union);
  }
}
