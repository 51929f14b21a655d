package flexdp.footprint;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.footprint.PartSet.NumberedParts;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts in which a condition can be true, or can be false, whatever the other columns hold.
 * What has no rule here can be both in all of them.
 */
final class PartCondition {
  private final PartKey key;
  private final PartComparison comparison;

  PartCondition(PartKey key) {
    this.key = key;
    this.comparison = new PartComparison(key);
  }

  PartSet whenTrue(Expr condition) {
    return switch (condition) {
      case Expr.Ref ref -> isKey(ref) ? key.named(true) : key.all();
      case Expr.Literal literal -> Boolean.TRUE.equals(literal.value()) ? key.all() : key.none();
      case Expr.Cast ignored -> key.all();
      case Expr.Case ignored -> key.all();
      case Expr.Call call -> whenTrue(call);
    };
  }

  PartSet whenFalse(Expr condition) {
    return switch (condition) {
      case Expr.Ref ref -> isKey(ref) ? key.named(false) : key.all();
      case Expr.Literal literal -> Boolean.FALSE.equals(literal.value()) ? key.all() : key.none();
      case Expr.Cast ignored -> key.all();
      case Expr.Case ignored -> key.all();
      case Expr.Call call -> whenFalse(call);
    };
  }

  /** A column of truth values that is itself the condition. */
  private boolean isKey(Expr expr) {
    return expr instanceof Expr.Ref ref
        && ref.column() == key.column()
        && ref.type().kind() == Type.Kind.BOOLEAN;
  }

  private PartSet whenTrue(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    Expr first = arguments.getFirst();
    return switch (call.function()) {
      case AND -> every(arguments, this::whenTrue);
      case OR -> any(arguments, this::whenTrue);
      case NOT, IS_FALSE -> whenFalse(first);
      case IS_TRUE -> whenTrue(first);
      case IS_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
      case IS_NOT_NULL -> comparison.reads(first) ? key.notNull() : key.all();
      case EQ, NE, LT, LE, GT, GE ->
          comparison.of(call.function(), first, arguments.get(1)).orElse(key.all());
      case IS_NOT_DISTINCT -> same(first, arguments.get(1));
      case IN_LIST -> listed(first, arguments.subList(1, arguments.size()));
      default -> key.all();
    };
  }

  private PartSet whenFalse(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    Expr first = arguments.getFirst();
    return switch (call.function()) {
      case AND -> any(arguments, this::whenFalse);
      case OR -> every(arguments, this::whenFalse);
      case NOT, IS_NOT_TRUE -> whenTrue(first);
      case IS_NOT_FALSE -> whenFalse(first);
      case IS_NOT_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
      case IS_NULL -> comparison.reads(first) ? key.notNull() : key.all();
      case EQ, NE, LT, LE, GT, GE -> {
        Function opposite = call.function().opposite().orElseThrow();
        yield comparison.of(opposite, first, arguments.get(1)).orElse(key.all());
      }
      case IS_DISTINCT -> same(first, arguments.get(1));
      default -> key.all();
    };
  }

  private PartSet every(List<Expr> terms, java.util.function.Function<Expr, PartSet> each) {
    PartSet all = key.all();
    for (Expr term : terms) {
      all = all.and(each.apply(term));
    }
    return all;
  }

  private PartSet any(List<Expr> terms, java.util.function.Function<Expr, PartSet> each) {
    return key.none().or(terms.stream().map(each).toList());
  }

  /** IS NOT DISTINCT FROM a constant. */
  private PartSet same(Expr one, Expr other) {
    if (isNull(one) || isNull(other)) {
      return comparison.isColumn(isNull(one) ? other : one) ? key.onlyNull() : key.all();
    }
    return comparison.of(Function.EQ, one, other).orElse(key.all());
  }

  private static boolean isNull(Expr expr) {
    return expr instanceof Expr.Literal literal && literal.isNull();
  }

  private PartSet listed(Expr value, List<Expr> list) {
    List<PartSet> sets =
        list.stream()
            .filter(one -> !isNull(one))
            .map(one -> comparison.of(Function.EQ, value, one).orElse(key.all()))
            .toList();
    return key.none().or(sets);
  }

  /**
   * Comparisons of a partition's column with constants: of the column itself, of a moment cut to
   * its day, month or year, and of its year or month as numbers.
   */
  private static final class PartComparison {
    private static final BigDecimal FARTHEST_YEAR = BigDecimal.valueOf(100_000);
    private static final int MONTHS = 12;

    private final PartKey key;

    PartComparison(PartKey key) {
      this.key = key;
    }

    boolean isColumn(Expr expr) {
      return expr instanceof Expr.Ref ref && ref.column() == key.column();
    }

    /** Whether an expression has a value only where the column has one. */
    boolean reads(Expr expr) {
      return switch (expr) {
        case Expr.Ref ignored -> isColumn(expr);
        case Expr.Cast cast -> reads(cast.operand());
        case Expr.Call call ->
            switch (call.function()) {
              case DATE_TRUNC, EXTRACT -> reads(call.arguments().get(1));
              default -> false;
            };
        case Expr.Literal ignored -> false;
        case Expr.Case ignored -> false;
      };
    }

    /** The parts in which a comparison can be true; nothing where there is no rule. */
    Optional<PartSet> of(Function comparison, Expr one, Expr other) {
      if (other instanceof Expr.Literal constant && reads(one)) {
        return with(comparison, one, constant);
      }
      return one instanceof Expr.Literal constant && reads(other)
          ? with(comparison.mirrored().orElseThrow(), other, constant)
          : Optional.empty();
    }

    private Optional<PartSet> with(Function comparison, Expr value, Expr.Literal constant) {
      if (constant.isNull()) {
        return Optional.of(key.none());
      }
      if (comparison == Function.NE) {
        return Optional.of(key.notNull());
      }
      Expr plain = uncast(value);
      return switch (constant.value()) {
        case BigDecimal n when key.partition().type().isInteger() && isColumn(plain) ->
            Optional.of(numbers(comparison, n));
        case BigDecimal n -> calendar(comparison, plain, n);
        case LocalDate day -> moments(comparison, value, day.atStartOfDay());
        case LocalDateTime moment -> moments(comparison, value, moment);
        case String text -> named(comparison, value, text);
        case Boolean truth -> named(comparison, value, truth);
        default -> Optional.empty();
      };
    }

    /** Without conversions between exact numbers, which keep a whole number or make it NULL. */
    private static Expr uncast(Expr value) {
      return value instanceof Expr.Cast cast
              && cast.type().isExact()
              && cast.operand().type().isInteger()
          ? uncast(cast.operand())
          : value;
    }

    private Optional<PartSet> named(Function comparison, Expr value, Object constant) {
      boolean applies =
          isColumn(value) && !key.isNumbered() && value.type().equals(key.partition().type());
      return applies && comparison == Function.EQ
          ? Optional.of(key.named(constant))
          : Optional.empty();
    }

    private PartSet numbers(Function comparison, BigDecimal n) {
      Optional<BigDecimal> end = Optional.of(n);
      return switch (comparison) {
        case LT -> key.numbers(Optional.empty(), Optional.of(beyond(n, -1)));
        case LE -> key.numbers(Optional.empty(), end);
        case GT -> key.numbers(Optional.of(beyond(n, 1)), Optional.empty());
        case GE -> key.numbers(end, Optional.empty());
        case EQ -> key.numbers(end, end);
        default -> key.all();
      };
    }

    /** The next whole number of a whole number; any other one lies between two of them anyhow. */
    private static BigDecimal beyond(BigDecimal n, int step) {
      return n.signum() == 0 || n.stripTrailingZeros().scale() <= 0
          ? n.add(BigDecimal.valueOf(step))
          : n;
    }

    private Optional<PartSet> moments(Function comparison, Expr value, LocalDateTime constant) {
      Optional<LocalDateTime> at = Optional.of(constant);
      try {
        Optional<LocalDateTime> after = Optional.of(constant.plusNanos(1));
        return switch (comparison) {
          case LT -> within(value, Optional.empty(), at);
          case LE -> within(value, Optional.empty(), after);
          case GT, GE -> within(value, at, Optional.empty());
          case EQ -> within(value, at, after);
          default -> Optional.empty();
        };
      } catch (DateTimeException e) {
        return Optional.empty(); // the calendar ends there
      }
    }

    /** The parts in which a moment, however cut, lies from one on and before another. */
    private Optional<PartSet> within(
        Expr value, Optional<LocalDateTime> from, Optional<LocalDateTime> before) {
      return switch (value) {
        case Expr.Ref ref ->
            isColumn(ref) && key.partition().each().isPresent()
                ? Optional.of(key.moments(from, before))
                : Optional.empty();
        case Expr.Cast cast -> {
          boolean moments = cast.type().isDateTime() && cast.operand().type().isDateTime();
          // A moment of the day is at or after the day's beginning, and before the next one's.
          yield moments
              ? within(
                  cast.operand(),
                  from,
                  cast.type().kind() == Type.Kind.DATE ? before.map(t -> next("DAY", t)) : before)
              : Optional.empty();
        }
        case Expr.Call call -> {
          Optional<String> unit = unit(call, Function.DATE_TRUNC);
          yield unit.isEmpty()
              ? Optional.empty()
              : within(call.arguments().get(1), from, before.map(t -> next(unit.get(), t)));
        }
        case Expr.Literal ignored -> Optional.empty();
        case Expr.Case ignored -> Optional.empty();
      };
    }

    /** The unit of a function of the calendar, if it is one of those that have a rule. */
    private static Optional<String> unit(Expr.Call call, Function function) {
      return call.function() == function
              && call.arguments().getFirst() instanceof Expr.Literal literal
              && literal.value() instanceof String unit
          ? Optional.of(unit.toUpperCase(Locale.ROOT))
              .filter(List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")::contains)
          : Optional.empty();
    }

    /** The first beginning of a unit that is not before a moment. */
    private static LocalDateTime next(String unit, LocalDateTime moment) {
      LocalDate day = moment.toLocalDate();
      LocalDate begin =
          switch (unit) {
            case "YEAR" -> day.withDayOfYear(1);
            case "QUARTER" -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
            case "MONTH" -> day.withDayOfMonth(1);
            case "WEEK" -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
            case "DAY" -> day;
            default -> throw new IllegalArgumentException("no such unit");
          };
      if (begin.atTime(LocalTime.MIN).equals(moment)) {
        return moment;
      }
      LocalDate following =
          switch (unit) {
            case "YEAR" -> begin.plusYears(1);
            case "QUARTER" -> begin.plusMonths(3);
            case "MONTH" -> begin.plusMonths(1);
            case "WEEK" -> begin.plusWeeks(1);
            case "DAY" -> begin.plusDays(1);
            default -> throw new IllegalArgumentException("no such unit");
          };
      return following.atStartOfDay();
    }

    /** EXTRACT(YEAR …) and EXTRACT(MONTH …) compared with a number. */
    private Optional<PartSet> calendar(Function comparison, Expr value, BigDecimal n) {
      if (!(value instanceof Expr.Call call) || n.abs().compareTo(FARTHEST_YEAR) > 0) {
        return Optional.empty();
      }
      Optional<String> unit = unit(call, Function.EXTRACT);
      Expr moment = call.arguments().getLast();
      if (unit.filter("YEAR"::equals).isPresent()) {
        return years(comparison, moment, n);
      }
      if (unit.filter("MONTH"::equals).isPresent() && key.isWithinMonths() && isMoment(moment)) {
        int months = 0;
        for (int month = 1; month <= MONTHS; month++) {
          months |= holds(comparison, BigDecimal.valueOf(month), n) ? 1 << month - 1 : 0;
        }
        return Optional.of(NumberedParts.inMonths(key, months));
      }
      return Optional.empty();
    }

    /** Whether it is the column, cut to days at most. */
    private boolean isMoment(Expr value) {
      return value instanceof Expr.Cast cast && cast.type().isDateTime()
          ? isMoment(cast.operand())
          : isColumn(value);
    }

    private static boolean holds(Function comparison, BigDecimal one, BigDecimal other) {
      int order = one.compareTo(other);
      return switch (comparison) {
        case EQ -> order == 0;
        case LT -> order < 0;
        case LE -> order <= 0;
        case GT -> order > 0;
        case GE -> order >= 0;
        default -> true;
      };
    }

    private Optional<PartSet> years(Function comparison, Expr moment, BigDecimal n) {
      try {
        int low = n.setScale(0, RoundingMode.FLOOR).intValueExact();
        int high = n.setScale(0, RoundingMode.CEILING).intValueExact();
        Optional<LocalDateTime> from = Optional.of(LocalDate.of(low, 1, 1).atStartOfDay());
        Optional<LocalDateTime> before = Optional.of(LocalDate.of(high + 1, 1, 1).atStartOfDay());
        return switch (comparison) {
          case LT, LE -> within(moment, Optional.empty(), before);
          case GT, GE -> within(moment, from, Optional.empty());
          case EQ -> within(moment, from, before);
          default -> Optional.empty();
        };
      } catch (DateTimeException | ArithmeticException e) {
        return Optional.empty();
      }
    }
  }
}
