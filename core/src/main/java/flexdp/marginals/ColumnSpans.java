package flexdp.marginals;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import flexdp.properties.DateRanges;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Conditions on an ordered column, and labels of what is computed from it, as spans of its values.
 * Numbers stand for themselves, days for their number since 1970, moments for microseconds. Values
 * lie on a grid (whole numbers, cents, days), so a span that ends after a value ends before the
 * next one. Moments may be finer than we know, so their spans begin and end before a constant.
 *
 * @param column whose values they are
 */
record ColumnSpans(int column, Type type) {
  private static final LocalDateTime EPOCH = LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC);
  private static final BigDecimal DAY = BigDecimal.valueOf(86_400_000_000L);

  /**
   * Values from one on and below the other.
   *
   * @param from nothing where there is no lowest
   * @param to nothing where there is no highest
   */
  record Span(Optional<BigDecimal> from, Optional<BigDecimal> to) {
    boolean isEmpty() {
      return from.isPresent() && to.isPresent() && from.get().compareTo(to.get()) >= 0;
    }

    Span and(Span other) {
      return new Span(
          from.isEmpty() ? other.from : other.from.map(from.get()::max).or(() -> from),
          to.isEmpty() ? other.to : other.to.map(to.get()::min).or(() -> to));
    }
  }

  static final Span ALL = new Span(Optional.empty(), Optional.empty());

  static boolean isOrdered(Type type) {
    return type.isExact() || type.isDateTime() && type.kind() != Type.Kind.TIME;
  }

  /** The values for which a condition is true; nothing where it is no matter of spans. */
  Optional<List<Span>> of(Expr condition) {
    if (!(condition instanceof Expr.Call call)) {
      return Optional.empty();
    }
    return switch (call.function()) {
      case AND -> {
        List<Span> all = List.of(ALL);
        for (Expr part : call.arguments()) {
          Optional<List<Span>> own = of(part);
          if (own.isEmpty()) {
            yield own;
          }
          all = both(all, own.get());
        }
        yield Optional.of(all);
      }
      case OR, IN_LIST -> {
        List<Span> any = new ArrayList<>();
        boolean listed = call.function() == Function.IN_LIST;
        for (Expr part :
            listed ? call.arguments().subList(1, call.arguments().size()) : call.arguments()) {
          Optional<List<Span>> own =
              listed ? compared(Function.EQ, call.arguments().getFirst(), part) : of(part);
          if (own.isEmpty()) {
            yield own;
          }
          any.addAll(own.get());
        }
        yield Optional.of(any);
      }
      case EQ, LT, LE, GT, GE -> {
        Expr one = call.arguments().get(0);
        Expr two = call.arguments().get(1);
        yield one instanceof Expr.Literal
            ? compared(turned(call.function()), two, one)
            : compared(call.function(), one, two);
      }
      case IS_NOT_NULL ->
          isColumn(call.arguments().getFirst()) ? Optional.of(List.of(ALL)) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** What lies in some span of each. */
  static List<Span> both(List<Span> some, List<Span> others) {
    List<Span> both = new ArrayList<>();
    for (Span one : some) {
      for (Span two : others) {
        if (!one.and(two).isEmpty()) {
          both.add(one.and(two));
        }
      }
    }
    return both;
  }

  private static Function turned(Function comparison) {
    return switch (comparison) {
      case LT -> Function.GT;
      case LE -> Function.GE;
      case GT -> Function.LT;
      case GE -> Function.LE;
      default -> comparison;
    };
  }

  private boolean isColumn(Expr expr) {
    return Conversions.column(expr).filter(ref -> ref.column() == column).isPresent();
  }

  private Optional<List<Span>> compared(Function comparison, Expr left, Expr right) {
    if (!isColumn(left) || !(right instanceof Expr.Literal literal) || literal.isNull()) {
      return Optional.empty();
    }
    boolean fine = type.kind() == Type.Kind.TIMESTAMP;
    Optional<BigDecimal> at = position(literal.value());
    if (at.isEmpty() || fine && comparison != Function.LT && comparison != Function.GE) {
      return Optional.empty();
    }
    BigDecimal from = before(at.get());
    Span span =
        switch (comparison) {
          case LT -> new Span(Optional.empty(), Optional.of(from));
          case LE -> new Span(Optional.empty(), Optional.of(after(at.get())));
          case GT -> new Span(Optional.of(after(at.get())), Optional.empty());
          case GE -> new Span(Optional.of(from), Optional.empty());
          default -> new Span(Optional.of(from), Optional.of(after(at.get())));
        };
    return Optional.of(span.isEmpty() ? List.of() : List.of(span));
  }

  /** Where a value stands among those of the column, which may lie between two of them. */
  Optional<BigDecimal> position(Object value) {
    return switch (value) {
      case BigDecimal number when type.isExact() -> Optional.of(number);
      case LocalDate day when type.isDateTime() -> position(day.atStartOfDay());
      case LocalDateTime moment when type.isDateTime() -> {
        BigDecimal micros = BigDecimal.valueOf(ChronoUnit.MICROS.between(EPOCH, moment));
        yield type.kind() == Type.Kind.TIMESTAMP
            ? Optional.of(micros)
            : Optional.of(micros.divide(DAY, 12, RoundingMode.HALF_EVEN));
      }
      case null, default -> Optional.empty();
    };
  }

  private int digits() {
    return type.isExact() ? type.scale() : 0;
  }

  /** The first value of the column that is not below. */
  private BigDecimal before(BigDecimal position) {
    return position.setScale(digits(), RoundingMode.CEILING);
  }

  /** The first value of the column that is above. */
  private BigDecimal after(BigDecimal position) {
    return position
        .setScale(digits(), RoundingMode.FLOOR)
        .add(BigDecimal.ONE.movePointLeft(digits()));
  }

  /** Whether a key is computed from the column so that its labels are spans, in order. */
  boolean isMonotone(Expr key) {
    return switch (key) {
      case Expr.Ref ref -> ref.column() == column && type.kind() != Type.Kind.TIMESTAMP;
      case Expr.Cast cast ->
          isColumn(cast.operand())
              && cast.type().kind() == Type.Kind.DATE
              && type.kind() == Type.Kind.TIMESTAMP;
      case Expr.Call call ->
          switch (call.function()) {
            case DATE_TRUNC -> isColumn(call.arguments().get(1)) && type.isDateTime();
            case EXTRACT ->
                DateRanges.unit(call.arguments().getFirst()).equals("YEAR")
                    && isColumn(call.arguments().get(1))
                    && type.isDateTime();
            default -> false;
          };
      case Expr.Case ignored -> false;
      case Expr.Literal ignored -> false;
    };
  }

  /** The values of the column for which such a key has a label; nothing where none can be told. */
  Optional<Span> label(Expr key, Object label) {
    return switch (key) {
      case Expr.Ref ignored ->
          position(label).map(at -> new Span(Optional.of(before(at)), Optional.of(after(at))));
      case Expr.Cast ignored -> unit("DAY", label);
      case Expr.Call call ->
          call.function() == Function.EXTRACT
              ? year(label).flatMap(begin -> unit("YEAR", begin))
              : unit(DateRanges.unit(call.arguments().getFirst()), label);
      case Expr.Case ignored -> Optional.empty();
      case Expr.Literal ignored -> Optional.empty();
    };
  }

  /** Whether a value is the first for which such a key has some label. */
  boolean isBoundary(Expr key, BigDecimal position) {
    if (key instanceof Expr.Ref) {
      return true;
    }
    LocalDateTime begin =
        type.kind() == Type.Kind.TIMESTAMP
            ? EPOCH.plus(position.longValueExact(), ChronoUnit.MICROS)
            : LocalDate.ofEpochDay(position.longValueExact()).atStartOfDay();
    String unit =
        key instanceof Expr.Call call
            ? call.function() == Function.EXTRACT
                ? "YEAR"
                : DateRanges.unit(call.arguments().getFirst())
            : "DAY";
    return DateRanges.end(unit, begin).isPresent();
  }

  /** A value as a constant; nothing where databases might have no such value. */
  Optional<Expr.Literal> literal(BigDecimal position) {
    return switch (type.kind()) {
      case SMALLINT -> within(position, 1 << 15);
      case INTEGER -> within(position, 1L << 31);
      case BIGINT -> within(position, 1L << 62);
      case DECIMAL ->
          position.precision() - position.scale() <= type.precision() - type.scale()
              ? Optional.of(new Expr.Literal(position, type))
              : Optional.empty();
      case DATE ->
          within(position, 1 << 22)
              .map(ignored -> LocalDate.ofEpochDay(position.longValueExact()))
              .filter(day -> isPlain(day.getYear()))
              .map(day -> new Expr.Literal(day, type));
      case TIMESTAMP ->
          within(position, 1L << 58)
              .map(ignored -> EPOCH.plus(position.longValueExact(), ChronoUnit.MICROS))
              .filter(moment -> isPlain(moment.getYear()))
              .map(moment -> new Expr.Literal(moment, type));
      default -> Optional.empty();
    };
  }

  private Optional<Expr.Literal> within(BigDecimal position, long most) {
    return position.abs().compareTo(BigDecimal.valueOf(most)) < 0
        ? Optional.of(new Expr.Literal(position, type.isDateTime() ? Type.BIGINT : type))
        : Optional.empty();
  }

  private static boolean isPlain(int year) {
    return year >= 1 && year <= 9999;
  }

  private static Optional<LocalDate> year(Object label) {
    return label instanceof BigDecimal number
            && number.stripTrailingZeros().scale() <= 0
            && number.compareTo(BigDecimal.ONE) >= 0
            && number.compareTo(BigDecimal.valueOf(9998)) <= 0
        ? Optional.of(LocalDate.of(number.intValueExact(), 1, 1))
        : Optional.empty();
  }

  private Optional<Span> unit(String unit, Object label) {
    LocalDateTime begin =
        label instanceof LocalDate day
            ? day.atStartOfDay()
            : label instanceof LocalDateTime moment ? moment : null;
    if (begin == null) {
      return Optional.empty();
    }
    return DateRanges.end(unit, begin)
        .map(end -> new Span(position(begin).map(this::before), position(end).map(this::before)));
  }
}
