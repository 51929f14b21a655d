package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.properties.ExprRanges;
import flexdp.properties.Interval;
import flexdp.properties.Lineage;
import flexdp.properties.Ranges;
import flexdp.query.Measurement;
import flexdp.query.MissingRange;
import flexdp.query.RangeSource;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Turns the aggregates of one release point into measurements and expressions over them (guarantee
 * section 6). Equal measurements are made once.
 */
final class AggregateMeasurements {
  private static final Type DOUBLE = Type.DOUBLE;
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** Up to here extremes and medians of counts and lengths are looked for. */
  private static final long MOST_COUNTED = 10_000;

  private final List<Column> columns;
  private final FreshColumns fresh;
  private final Relation input;
  private final RangeSource source;
  private ExprRanges ranges;
  private final List<Measurement> measurements = new ArrayList<>();

  /**
   * @param source of ranges where nothing that is believed says one
   */
  AggregateMeasurements(Relation input, FreshColumns fresh, RangeSource source) {
    this.source = source;
    this.columns = input.columns();
    this.fresh = fresh;
    this.input = input;
  }

  /** Found when something is summed; counts need none. */
  private ExprRanges ranges() {
    if (ranges == null) {
      ranges = new ExprRanges(Ranges.of(input), columns);
    }
    return ranges;
  }

  List<Measurement> measurements() {
    return measurements;
  }

  /** The value of an aggregate as an expression over outputs of measurements. */
  Expr value(AggregateCall call) {
    return switch (call.kind()) {
      case COUNT -> {
        Column count = count(call, call.output());
        yield Exprs.as((call.together() ? together(count) : count).ref(), call.output().type());
      }
      case SUM -> {
        rejectDistinct(call);
        Range range = range(call);
        BigDecimal grid = Grid.forSum(argument(call).type(), range);
        Column sum = sum(call, argument(call), range, grid, call.output(), "sum");
        yield Exprs.as((call.together() ? together(sum) : sum).ref(), call.output().type());
      }
      case AVG -> {
        rejectDistinct(call);
        yield Exprs.as(new Moments(call).mean(), call.output().type());
      }
      case VAR_POP -> spread(call, false, false);
      case VAR_SAMP -> spread(call, true, false);
      case STDDEV_POP -> spread(call, false, true);
      case STDDEV_SAMP -> spread(call, true, true);
      case MIN -> quantile(call, BigDecimal.ZERO);
      case MAX -> quantile(call, BigDecimal.ONE);
      case MODE -> most(call);
      case TEXTS -> throw PublicTextLists.refused(call);
      case QUANTILE -> {
        rejectDistinct(call);
        yield quantile(call, call.fraction().orElseThrow());
      }
    };
  }

  private static Expr exceedsNoise(Column count) {
    return Exprs.call(Function.EXCEEDS_NOISE, Type.BOOLEAN, count.ref());
  }

  /** NULL unless a condition is true. */
  private static Expr where(Expr condition, Expr value) {
    return new Expr.Case(
        List.of(new Expr.Case.Branch(condition, value)), Optional.empty(), value.type());
  }

  private Expr spread(AggregateCall call, boolean sample, boolean root) {
    rejectDistinct(call);
    return Exprs.as(new Moments(call).spread(sample, root), call.output().type());
  }

  private static Expr argument(AggregateCall call) {
    return call.argument().orElseThrow();
  }

  private static void rejectDistinct(AggregateCall call) {
    if (call.distinct()) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          call.kind() + "(DISTINCT …) has no rule; only COUNT(DISTINCT …) has.",
          "Select the distinct values in a subquery and aggregate those.",
          call.at());
    }
  }

  private Column count(AggregateCall call, Column output) {
    Optional<Expr> argument = call.argument();
    Optional<Expr> filter = call.filter();
    if (!call.distinct()
        && argument.isPresent()
        && argument.get() instanceof Expr.Case c
        && c.branches().size() == 1
        && c.otherwise().map(o -> o instanceof Expr.Literal l && l.isNull()).orElse(true)) {
      // COUNT(CASE WHEN p THEN x END) counts the rows with p where x is not NULL.
      Expr condition = c.branches().getFirst().condition();
      filter =
          Optional.of(
              filter
                  .map(f -> Exprs.call(Function.AND, Type.BOOLEAN, f, condition))
                  .orElse(condition));
      argument = Optional.of(c.branches().getFirst().value());
    }
    if (!call.distinct()
        && argument.isPresent()
        && !NullRejection.possible(argument.get(), columns)) {
      argument = Optional.empty();
    }
    Column counted = new Column(output.id(), output.name(), Type.BIGINT, false);
    Measurement.Origin origin = origin(call, "count");
    return share(
        call.distinct()
            ? new Measurement.CountDistinct(counted, origin, argument.orElseThrow(), filter)
            : new Measurement.Count(counted, origin, argument, filter));
  }

  private Column sum(
      AggregateCall call, Expr argument, Range range, BigDecimal grid, Column output, String part) {
    Type type =
        argument.type().kind() == Type.Kind.DOUBLE
            ? DOUBLE
            : Type.decimal(38, Math.max(0, grid.stripTrailingZeros().scale()));
    return share(
        new Measurement.Sum(
            new Column(output.id(), output.name(), type, false),
            origin(call, part),
            argument,
            call.filter(),
            new Measurement.Clamp(Grid.snap(range, grid), grid)));
  }

  /** MIN, MAX and quantiles: the exponential mechanism over a grid, which also says NULL. */
  private Expr quantile(AggregateCall call, BigDecimal fraction) {
    Expr argument = argument(call);
    Range range = range(call);
    Type type = argument.type();
    BigDecimal grid =
        type.isNumeric() ? Grid.forQuantile(type, range) : Grid.forQuantile(Type.BIGINT, range);
    Column output =
        type.isNumeric() ? call.output() : fresh.column(call.output().name(), Type.BIGINT, true);
    Column measured =
        share(
            new Measurement.Quantile(
                new Column(output.id(), output.name(), type.isNumeric() ? type : Type.BIGINT, true),
                origin(call, "quantile"),
                number(argument),
                call.filter(),
                new Measurement.Clamp(Grid.snap(range, grid), grid),
                fraction));
    return switch (type.kind()) {
      case DATE -> fromEpoch(LocalDate.EPOCH, Type.DATE, MICROS_PER_DAY, measured);
      case TIMESTAMP ->
          fromEpoch(LocalDate.EPOCH.atStartOfDay(), Type.TIMESTAMP, 1_000_000, measured);
      default -> Exprs.as(measured.ref(), call.output().type());
    };
  }

  /** The most frequent of numbers that stand for labels ({@link ModeRewriting}). */
  private Expr most(AggregateCall call) {
    rejectDistinct(call);
    Measurement.Clamp clamp = new Measurement.Clamp(range(call), BigDecimal.ONE);
    Measurement.Origin origin = origin(call, "mode");
    return share(new Measurement.Mode(call.output(), origin, argument(call), call.filter(), clamp))
        .ref();
  }

  /** A date as days, a timestamp as seconds, since 1970. */
  private static Expr number(Expr argument) {
    return switch (argument.type().kind()) {
      case DATE ->
          Exprs.call(
              Function.DATE_DIFF,
              Type.BIGINT,
              new Expr.Literal("DAY", Type.VARCHAR),
              new Expr.Literal(LocalDate.EPOCH, Type.DATE),
              argument);
      case TIMESTAMP ->
          Exprs.call(
              Function.EXTRACT, Type.BIGINT, new Expr.Literal("EPOCH", Type.VARCHAR), argument);
      default -> argument;
    };
  }

  private static Expr fromEpoch(Object epoch, Type type, long micros, Column measured) {
    Expr interval =
        Exprs.call(
            Function.TIMES,
            Type.INTERVAL_MICROS,
            new Expr.Literal(micros, Type.INTERVAL_MICROS),
            measured.ref());
    return Exprs.call(Function.DATE_ADD, type, new Expr.Literal(epoch, type), interval);
  }

  private Range range(AggregateCall call) {
    Expr argument = argument(call);
    Type type = argument.type();
    if (!type.isNumeric() && !(type.isDateTime() && isQuantile(call))) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH,
          name(call) + " of a " + type + " cannot be answered.",
          "Use " + name(call) + " on numbers, or COUNT.",
          call.at());
    }
    Interval interval = within(ranges().of(argument), type);
    boolean endless = interval.low().isPresent() && interval.high().isEmpty();
    if (endless && isQuantile(call) && isCounted(argument)) {
      // Counts and lengths have no end; a rank costs hardly more in a range that is too wide.
      interval = Interval.of(interval.low().get(), BigDecimal.valueOf(MOST_COUNTED));
    }
    if (type.kind() == Type.Kind.TIMESTAMP && interval.isBounded()) {
      BigDecimal micros = BigDecimal.valueOf(1_000_000);
      interval =
          Interval.of(
              interval.low().get().divide(micros, 0, java.math.RoundingMode.FLOOR),
              interval.high().get().divide(micros, 0, java.math.RoundingMode.CEILING));
    }
    Interval known = interval;
    return known
        .range()
        .or(() -> sought(call, known))
        .orElseThrow(
            () ->
                Rejection.of(
                    RejectionCode.MISSING_RANGE,
                    "No bounds are known for the argument of " + name(call) + ".",
                    "Write LEAST(GREATEST(x, low), high) around the argument x with bounds of"
                        + " your choice, or have the owner declare a range for its columns; flexdp"
                        + " collect --advise-ranges finds some.",
                    call.at()));
  }

  /**
   * Ends that a type holds, so that constants made of them are of it: what is beyond is NULL. Ends
   * that nothing is known of stay so.
   */
  private static Interval within(Interval interval, Type type) {
    Optional<BigDecimal> most = type.largest();
    return most.isEmpty()
        ? interval
        : new Interval(
            interval.low().map(v -> v.max(most.get().negate()).min(most.get())),
            interval.high().map(v -> v.max(most.get().negate()).min(most.get())));
  }

  /** A range that is not believed, for clamping alone. */
  private Optional<Range> sought(AggregateCall call, Interval known) {
    Optional<MissingRange.Use> use =
        switch (call.kind()) {
          case SUM -> Optional.of(MissingRange.Use.SUM);
          case AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP ->
              Optional.of(MissingRange.Use.CENTRED);
          case MIN, MAX -> Optional.of(MissingRange.Use.EXTREMES);
          case QUANTILE -> Optional.of(MissingRange.Use.RANK);
          case COUNT, MODE, TEXTS -> Optional.empty();
        };
    Expr argument = argument(call);
    if (use.isEmpty() || !argument.type().isNumeric()) {
      return Optional.empty();
    }
    return source.of(
        new MissingRange(
            input,
            argument,
            call.filter(),
            known.low(),
            known.high(),
            use.get(),
            use.get() == MissingRange.Use.RANK ? call.fraction() : Optional.empty(),
            called(call)));
  }

  /** What the values of an aggregate are called: as their column is, if they are one. */
  private String called(AggregateCall call) {
    return Conversions.columnUnlessNull(argument(call))
        .flatMap(ref -> columns.stream().filter(c -> c.id() == ref.column()).findFirst())
        .map(Column::name)
        .orElse("the argument of " + name(call));
  }

  /** Whether it is a count of a group, or the length of a text. */
  private boolean isCounted(Expr expr) {
    return switch (expr) {
      case Expr.Call length -> length.function() == Function.CHAR_LENGTH;
      case Expr.Ref ref ->
          Lineage.of(input, ref.column()).relation() instanceof Relation.Aggregate groups
              && groups.calls().stream()
                  .anyMatch(
                      c -> c.output().id() == ref.column() && c.kind() == AggregateCall.Kind.COUNT);
      case Expr.Cast cast -> cast.type().isInteger() && isCounted(cast.operand());
      case Expr.Case ignored -> false;
      case Expr.Literal ignored -> false;
    };
  }

  private static boolean isQuantile(AggregateCall call) {
    return switch (call.kind()) {
      case MIN, MAX, QUANTILE -> true;
      case COUNT, SUM, AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP, MODE, TEXTS -> false;
    };
  }

  private static String name(AggregateCall call) {
    return call.kind().name().toUpperCase(Locale.ROOT);
  }

  private static Measurement.Origin origin(AggregateCall call, String part) {
    return new Measurement.Origin(name(call), part, Optional.empty(), call.at());
  }

  /** The output of an equal measurement that exists already, or of this one. */
  private Column share(Measurement wanted) {
    for (Measurement known : measurements) {
      if (known.isSame(wanted)) {
        return known.output();
      }
    }
    measurements.add(wanted);
    return wanted.output();
  }

  /** Says of a measurement that a statistic is computed of it and of others. */
  private Column together(Column output) {
    measurements.replaceAll(
        m -> m.output().equals(output) ? m.as(output, m.origin().ofStatistic()) : m);
    return output;
  }

  /** Count, centred sum and centred sum of squares of one argument. */
  private final class Moments {
    private final AggregateCall call;
    private final Range range;
    private final BigDecimal grid;
    private final BigDecimal centre;
    private final Expr centred;

    Moments(AggregateCall call) {
      this.call = call;
      Expr argument = argument(call);
      BigDecimal step = Grid.forSum(argument.type(), range(call));
      this.range = Grid.snap(range(call), step);
      this.grid = step;
      BigDecimal middle = range.low().add(range.high()).divide(BigDecimal.valueOf(2));
      this.centre = middle.divide(grid, 0, java.math.RoundingMode.FLOOR).multiply(grid);
      this.centred =
          centre.signum() == 0
              ? argument
              : Exprs.call(
                  Function.MINUS, argument.type(), argument, Exprs.number(centre, argument.type()));
    }

    private Range centredRange() {
      return new Range(range.low().subtract(centre), range.high().subtract(centre));
    }

    private Column rows() {
      return together(
          AggregateMeasurements.this.count(call, fresh.column("count", Type.BIGINT, false)));
    }

    private Expr count() {
      Column n = rows();
      return Exprs.call(
          Function.GREATEST,
          DOUBLE,
          Exprs.number(BigDecimal.ONE, DOUBLE),
          Exprs.as(n.ref(), DOUBLE));
    }

    private Expr sum() {
      Column s =
          AggregateMeasurements.this.sum(
              call, centred, centredRange(), grid, fresh.column("sum", DOUBLE, false), "sum");
      return Exprs.as(together(s).ref(), DOUBLE);
    }

    private Expr squares() {
      BigDecimal most = centredRange().low().abs().max(centredRange().high().abs());
      Type type = centred.type();
      Expr square = Exprs.call(Function.TIMES, squareType(type), centred, centred);
      Range squared = new Range(BigDecimal.ZERO, most.multiply(most));
      BigDecimal step = type.kind() == Type.Kind.DOUBLE ? Grid.forSum(DOUBLE, squared) : grid;
      Column s =
          AggregateMeasurements.this.sum(
              call, square, squared, step, fresh.column("squares", DOUBLE, false), "squares");
      return Exprs.as(together(s).ref(), DOUBLE);
    }

    private static Type squareType(Type type) {
      return type.kind() == Type.Kind.DOUBLE
          ? DOUBLE
          : Type.decimal(38, Math.min(19, 2 * type.scale()));
    }

    Expr mean() {
      Expr mean = Exprs.call(Function.DIVIDE, DOUBLE, sum(), count());
      Expr clamped =
          clamp(
              Exprs.call(Function.PLUS, DOUBLE, Exprs.number(centre, DOUBLE), mean),
              range.low(),
              range.high());
      return where(exceedsNoise(rows()), clamped);
    }

    /**
     * Variance or standard deviation, kept between 0 and what the range allows.
     *
     * @param sample of a sample, divided by one less
     * @param root the standard deviation
     */
    Expr spread(boolean sample, boolean root) {
      Expr n = count();
      Expr mean = Exprs.call(Function.DIVIDE, DOUBLE, sum(), n);
      Expr variance =
          Exprs.call(
              Function.MINUS,
              DOUBLE,
              Exprs.call(Function.DIVIDE, DOUBLE, squares(), n),
              Exprs.call(Function.TIMES, DOUBLE, mean, mean));
      BigDecimal half = range.high().subtract(range.low()).divide(BigDecimal.valueOf(2));
      Expr clamped = clamp(variance, BigDecimal.ZERO, half.multiply(half));
      if (sample) {
        Expr one = Exprs.number(BigDecimal.ONE, DOUBLE);
        Expr less =
            Exprs.call(Function.GREATEST, DOUBLE, one, Exprs.call(Function.MINUS, DOUBLE, n, one));
        clamped =
            Exprs.call(
                Function.TIMES, DOUBLE, clamped, Exprs.call(Function.DIVIDE, DOUBLE, n, less));
      }
      Expr shown = root ? Exprs.call(Function.SQRT, DOUBLE, clamped) : clamped;
      return where(sample ? severalRows() : exceedsNoise(rows()), shown);
    }

    /** A sample of one row has no variance. */
    private Expr severalRows() {
      Expr two = Exprs.number(BigDecimal.TWO, Type.BIGINT);
      return Exprs.call(
          Function.AND,
          Type.BOOLEAN,
          exceedsNoise(rows()),
          Exprs.call(Function.GE, Type.BOOLEAN, rows().ref(), two));
    }

    private Expr clamp(Expr value, BigDecimal low, BigDecimal high) {
      return Exprs.call(
          Function.LEAST,
          DOUBLE,
          Exprs.call(Function.GREATEST, DOUBLE, value, Exprs.number(low, DOUBLE)),
          Exprs.number(high, DOUBLE));
    }
  }

  /**
   * The public grid on which values are summed and ranked. It follows from the type and the
   * declared range only, so that the spacing of answers says nothing about the data.
   */
  private static final class Grid {
    /** A quantile chooses among at most about this many values. */
    private static final BigDecimal QUANTILE_STEPS = BigDecimal.valueOf(10_000);

    /** A floating-point range is cut into at least this many steps. */
    private static final int DOUBLE_DIGITS = 9;

    private Grid() {}

    /** For sums: the type's own step, or for floating point a power of ten far below the range. */
    public static BigDecimal forSum(Type type, Range range) {
      if (type.isInteger()) {
        return BigDecimal.ONE;
      }
      if (type.kind() == Type.Kind.DECIMAL) {
        return BigDecimal.ONE.scaleByPowerOfTen(-type.scale());
      }
      BigDecimal most = range.low().abs().max(range.high().abs());
      if (most.signum() == 0) {
        return BigDecimal.ONE;
      }
      int magnitude = most.precision() - most.scale();
      return BigDecimal.ONE.scaleByPowerOfTen(magnitude - DOUBLE_DIGITS);
    }

    /** For quantiles: at least the step for sums, coarser when the range has too many of those. */
    public static BigDecimal forQuantile(Type type, Range range) {
      BigDecimal grid = forSum(type, range);
      while (range
              .high()
              .subtract(range.low())
              .divide(grid, 0, RoundingMode.CEILING)
              .compareTo(QUANTILE_STEPS)
          > 0) {
        grid = grid.scaleByPowerOfTen(1);
      }
      return grid;
    }

    /** The range widened to multiples of the grid. */
    public static Range snap(Range range, BigDecimal grid) {
      return new Range(
          range.low().divide(grid, 0, RoundingMode.FLOOR).multiply(grid),
          range.high().divide(grid, 0, RoundingMode.CEILING).multiply(grid));
    }
  }
}
