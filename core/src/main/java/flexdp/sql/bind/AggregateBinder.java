package flexdp.sql.bind;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AggregateCall.Kind;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.DialectSpelling;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import flexdp.sql.function.AggregateNames;
import flexdp.sql.function.AggregateWord;
import flexdp.sql.function.CastFunctions;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.OperatorFunctions;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TextLiterals;
import flexdp.sql.function.TypeRules;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.util.Litmus;

/** Aggregate functions in all their spellings. */
final class AggregateBinder {
  private AggregateBinder() {}

  /** Whether an aggregate function stands in an expression, outside of subqueries and windows. */
  static boolean contains(SqlNode node) {
    List<SqlNode> stack = new ArrayList<>();
    stack.add(node);
    while (!stack.isEmpty()) {
      SqlNode next = stack.remove(stack.size() - 1);
      if (next instanceof SqlNodeList list) {
        stack.addAll(list);
      } else if (next instanceof SqlCall call && !call.isA(SqlKind.QUERY)) {
        String name = FunctionFinder.nameOf(call);
        if (AggregateNames.isAggregate(name, call)
            && !(call.operandCount() > 1 && (name.equals("MIN") || name.equals("MAX")))) {
          return true;
        }
        stack.addAll(call.getKind() == SqlKind.OVER ? List.of() : call.getOperandList());
      }
    }
    return false;
  }

  static Expr bind(SqlCall whole, ExpressionContext place, BindingContext binder) {
    AggregateSyntax written = AggregateSyntax.of(whole);
    String name = FunctionFinder.nameOf(written.call());
    AggregateWord word =
        AggregateWord.of(name)
            .map(w -> w.in(binder.dialect, name))
            .orElseThrow(() -> AggregateNames.refused(name, written.call()));
    SelectAggregates aggregation = place.aggregation().orElse(null);
    if (aggregation == null) {
      throw Rejections.of(
          RejectionCode.INVALID_GROUPING,
          "The aggregate function "
              + name.toLowerCase(Locale.ROOT)
              + " cannot stand in "
              + place.clause()
              + ".",
          place.clause().equals("WHERE")
              ? "Conditions on aggregates belong in HAVING."
              : "Compute it in a subquery of its own first.",
          whole);
    }
    written.requireFit(word);
    ExpressionContext inside = place.insideAggregate(aggregation.below());
    One one = new AggregateBinder.One(written, name, word, inside, aggregation, binder);
    Expr value = one.build();
    return switch (word) {
      case AVG -> mean(value, one.argument(0).type(), binder);
      case SUM, SUM_IF ->
          DialectSpelling.SUM_QUOTIENT.in(binder.dialect) == SpellingMeaning.WHOLE
              ? total(value, one.argument(0).type(), binder)
              : value;
      default -> value;
    };
  }

  /** A sum of a type's values: of 64 bits it has as many, in some dialects. */
  static Expr total(Expr sum, Type of, BindingContext binder) {
    return of.kind() == Type.Kind.BIGINT
            && DialectSpelling.SUM_QUOTIENT.in(binder.dialect) == SpellingMeaning.WHOLE
        ? Exprs.as(sum, Type.BIGINT)
        : sum;
  }

  /** An average of a type's values: of whole numbers it is one too, in some dialects. */
  static Expr mean(Expr value, Type of, BindingContext binder) {
    return of.isInteger() && DialectSpelling.AVERAGE.in(binder.dialect) == SpellingMeaning.WHOLE
        ? CastFunctions.cut(value, of)
        : value;
  }

  /** The aggregate function of a window, its arguments bound where the window stands. */
  static AggregateCall single(SqlCall whole, ExpressionContext inside, BindingContext binder) {
    AggregateSyntax written = AggregateSyntax.of(whole);
    String name = FunctionFinder.nameOf(written.call());
    Optional<AggregateWord> word =
        AggregateWord.of(name)
            .filter(AggregateWord::isOneCall)
            .map(w -> w.in(binder.dialect, name));
    if (word.isEmpty()) {
      throw WindowBinder.unsupported(
          "The window function '"
              + TextLiterals.shown(name.toLowerCase(Locale.ROOT))
              + "' has no rule here.",
          "Use ROW_NUMBER, RANK, LAG, LEAD, COUNT, SUM, AVG, MIN or MAX.",
          Rejections.at(whole));
    }
    written.requireFit(word.get());
    SelectAggregates alone = new SelectAggregates(binder.ids);
    Expr value = new AggregateBinder.One(written, name, word.get(), inside, alone, binder).build();
    if (!(value instanceof Expr.Ref)) {
      throw WindowBinder.unsupported(
          "A window of lengths of time has no rule here.",
          "Use EXTRACT(EPOCH FROM x).",
          Rejections.at(whole));
    }
    return alone.calls().get(0);
  }

  private static Expr grouping(
      SqlCall call, ExpressionContext inside, SelectAggregates aggregation, BindingContext binder) {
    List<Expr> keys = new ArrayList<>();
    for (SqlNode node : call.getOperandList()) {
      keys.add(binder.expressions.bind(node, inside));
    }
    return aggregation.grouping(keys, Rejections.at(call));
  }

  /** One call being bound. */
  private record One(
      AggregateSyntax written,
      String name,
      AggregateWord word,
      ExpressionContext inside,
      SelectAggregates aggregation,
      BindingContext binder) {

    Expr build() {
      SqlCall call = written.call();
      Position at = Rejections.at(call);
      boolean distinct = written.isDistinct();
      return switch (word) {
        case COUNT -> count(distinct, at);
        case COUNT_IF ->
            add("count_if", Type.BIGINT, Kind.COUNT, Optional.empty(), false, and(filter(), 0), at);
        case COUNT_DISTINCT ->
            add("count", Type.BIGINT, Kind.COUNT, Optional.of(argument(0)), true, filterOf(2), at);
        case SUM -> sum(argument(0), distinct, filterOf(1), at);
        case SUM_IF -> sum(argument(0), distinct, and(filter(), 1), at);
        case AVG -> real(Kind.AVG, distinct, filterOf(1), at);
        case AVG_IF -> real(Kind.AVG, distinct, and(filter(), 1), at);
        case VAR_SAMP -> real(Kind.VAR_SAMP, distinct, filterOf(1), at);
        case VAR_POP -> real(Kind.VAR_POP, distinct, filterOf(1), at);
        case STDDEV_SAMP -> real(Kind.STDDEV_SAMP, distinct, filterOf(1), at);
        case STDDEV_POP -> real(Kind.STDDEV_POP, distinct, filterOf(1), at);
        case MIN -> extreme(Kind.MIN, at);
        case MAX -> extreme(Kind.MAX, at);
        case MEDIAN, QUANTILE, QUANTILE_OF_VALUES -> quantile(at);
        case MODE -> mode(distinct, at);
        case SOME -> truth(true, at);
        case EVERY -> truth(false, at);
        case TEXTS -> texts(distinct, at);
        case TOTAL -> total(distinct, at);
        case CORR,
            COVAR_POP,
            COVAR_SAMP,
            REGR_SLOPE,
            REGR_INTERCEPT,
            REGR_COUNT,
            REGR_R2,
            REGR_AVGX,
            REGR_AVGY,
            REGR_SXX,
            REGR_SYY,
            REGR_SXY ->
            moments(2, at);
        case SKEWNESS, SKEWNESS_POP -> moments(1, at);
        case GROUPING -> grouping(call, inside, aggregation, binder);
      };
    }

    private Expr add(
        String shown,
        Type type,
        Kind kind,
        Optional<Expr> argument,
        boolean distinct,
        Optional<Expr> filter,
        Position at) {
      return aggregation.add(shown, type, kind, argument, distinct, filter, Optional.empty(), at);
    }

    private void arity(int least, int most) {
      int count = written.call().operandCount();
      if (count < least || count > most) {
        throw Rejections.of(
            RejectionCode.TYPE_MISMATCH,
            name.toLowerCase(Locale.ROOT) + " does not take " + count + " arguments.",
            "Give it " + least + ".",
            written.call());
      }
    }

    private Expr argument(int i) {
      if (written.call().operandCount() <= i) {
        arity(i + 1, i + 1);
      }
      return binder.expressions.bind(written.call().operand(i), inside);
    }

    private Expr number(int i) {
      return asNumber(argument(i), Rejections.at(written.call().operand(i)));
    }

    private Optional<Expr> filter() {
      return written.filter().map(node -> binder.expressions.condition(node, inside));
    }

    /** The filter of a function of one argument, or of so many more at most. */
    private Optional<Expr> filterOf(int most) {
      arity(1, most);
      return filter();
    }

    private Optional<Expr> and(Optional<Expr> filter, int i) {
      arity(i + 1, i + 1);
      Expr condition = TypeRules.condition(argument(i), Rejections.at(written.call().operand(i)));
      return Optional.of(filter.map(f -> Exprs.test(Function.AND, f, condition)).orElse(condition));
    }

    /**
     * BOOL_OR is true if a row makes the condition true, else false if one makes it false, else
     * NULL; BOOL_AND looks for the false one first. Both are counts, and their signs.
     */
    private Expr truth(boolean sought, Position at) {
      arity(1, 1);
      Expr condition = TypeRules.condition(argument(0), Rejections.at(written.call().operand(0)));
      Expr first = sought ? condition : ExprBinder.negated(condition);
      Expr second = sought ? ExprBinder.negated(condition) : condition;
      return new Expr.Case(
          List.of(
              new Expr.Case.Branch(isSome(first, at), new Expr.Literal(sought, Type.BOOLEAN)),
              new Expr.Case.Branch(isSome(second, at), new Expr.Literal(!sought, Type.BOOLEAN))),
          Optional.empty(),
          Type.BOOLEAN);
    }

    private Expr isSome(Expr condition, Position at) {
      Optional<Expr> both =
          Optional.of(filter().map(f -> Exprs.test(Function.AND, f, condition)).orElse(condition));
      Expr count = add("count", Type.BIGINT, Kind.COUNT, Optional.empty(), false, both, at);
      return TypeRules.compare(Function.GT, count, Exprs.integer(0), at);
    }

    private Expr count(boolean distinct, Position at) {
      SqlCall call = written.call();
      if (call.operandCount() == 0
          || call.operandCount() == 1
              && call.operand(0) instanceof SqlIdentifier star
              && star.isStar()) {
        return add("count", Type.BIGINT, Kind.COUNT, Optional.empty(), false, filter(), at);
      }
      if (call.operandCount() > 1) {
        throw Rejections.unsupported(
            "COUNT of several columns",
            "Count the rows of SELECT DISTINCT a, b FROM …, in a subquery.",
            call);
      }
      Expr argument = argument(0);
      if (distinct && isOneOrNull(argument)) {
        // A funnel's step: NULL is not counted, so only rows with the condition have a value.
        Expr.Case.Branch only = ((Expr.Case) argument).branches().getFirst();
        Expr both =
            filter()
                .map(f -> Exprs.test(Function.AND, f, only.condition()))
                .orElse(only.condition());
        return add(
            "count",
            Type.BIGINT,
            Kind.COUNT,
            Optional.of(only.value()),
            true,
            Optional.of(both),
            at);
      }
      boolean rows = !distinct && argument instanceof Expr.Literal literal && !literal.isNull();
      return add(
          "count",
          Type.BIGINT,
          Kind.COUNT,
          rows ? Optional.empty() : Optional.of(argument),
          distinct,
          filter(),
          at);
    }

    /** CASE WHEN … THEN x END, or with ELSE NULL. */
    private static boolean isOneOrNull(Expr expr) {
      return expr instanceof Expr.Case one
          && one.branches().size() == 1
          && one.branches().getFirst().value().type().equals(one.type())
          && one.otherwise().stream().allMatch(One::isNull);
    }

    private static boolean isNull(Expr expr) {
      return expr instanceof Expr.Literal literal && literal.isNull()
          || expr instanceof Expr.Cast cast && isNull(cast.operand());
    }

    private Expr sum(Expr operand, boolean distinct, Optional<Expr> filter, Position at) {
      if (IntervalAggregates.is(operand)) {
        return IntervalAggregates.length(
            sum(IntervalAggregates.seconds(operand), distinct, filter, at), at);
      }
      Expr x = asNumber(operand, at);
      Type type =
          switch (x.type().kind()) {
            case DOUBLE -> Type.DOUBLE;
            case SMALLINT, INTEGER -> Type.BIGINT;
            default -> Type.decimal(38, x.type().scale());
          };
      return add("sum", type, Kind.SUM, Optional.of(x), distinct, filter, at);
    }

    private Expr real(Kind kind, boolean distinct, Optional<Expr> filter, Position at) {
      boolean length = kind == Kind.AVG && IntervalAggregates.is(argument(0));
      Optional<Expr> of = Optional.of(length ? IntervalAggregates.seconds(argument(0)) : number(0));
      String shown = name.toLowerCase(Locale.ROOT);
      Expr value = add(shown, Type.DOUBLE, kind, of, distinct, filter, at);
      return length ? IntervalAggregates.length(value, at) : value;
    }

    /** SQLite's TOTAL: a SUM that is 0.0 where there is nothing. */
    private Expr total(boolean distinct, Position at) {
      arity(1, 1);
      Expr sum = Exprs.as(sum(argument(0), distinct, filter(), at), Type.DOUBLE);
      return Exprs.call(Function.COALESCE, Type.DOUBLE, sum, new Expr.Literal(0.0, Type.DOUBLE));
    }

    private Expr texts(boolean distinct, Position at) {
      arity(1, 2);
      TextAggregates list =
          TextAggregates.of(name, written.call(), written.within(), this::argument);
      Optional<Expr> each = Optional.of(list.each());
      return list.whole(add(name, Type.VARCHAR, Kind.TEXTS, each, distinct, filter(), at));
    }

    /** From sums of one or two columns. */
    private Expr moments(int columns, Position at) {
      arity(columns, columns);
      MomentAggregates.Summing sums =
          (what, condition) ->
              aggregation.ofStatistic(
                  what.isPresent()
                      ? sum(what.get(), false, Optional.of(condition), at)
                      : add(
                          "count",
                          Type.BIGINT,
                          Kind.COUNT,
                          Optional.empty(),
                          false,
                          Optional.of(condition),
                          at));
      return new MomentAggregates(argument(0), argument(columns - 1), filter(), sums, at).of(word);
    }

    private Expr extreme(Kind kind, Position at) {
      arity(1, 1);
      Expr x = argument(0);
      if (x.type().kind() == Type.Kind.OPAQUE || x.type().kind() == Type.Kind.NULL) {
        throw Rejections.types("Values of this type have no order.", "Use another column.", at);
      }
      return add(
          name.toLowerCase(Locale.ROOT), x.type(), kind, Optional.of(x), false, filter(), at);
    }

    /** MODE(x), or MODE() WITHIN GROUP (ORDER BY x). */
    private Expr mode(boolean distinct, Position at) {
      int given = written.within().isPresent() ? 0 : 1;
      arity(given, given);
      Expr x =
          written
              .within()
              .map(w -> binder.expressions.bind(Order.of(w).by(), inside))
              .orElseGet(() -> argument(0));
      return add("mode", x.type(), Kind.MODE, Optional.of(x), distinct, filter(), at);
    }

    private Expr quantile(Position at) {
      BigDecimal fraction = new BigDecimal("0.5");
      Expr x;
      boolean descending = false;
      if (written.within().isPresent()) {
        Order order = Order.of(written.within().get());
        arity(1, 1);
        fraction = fraction(0);
        descending = order.descending();
        x = binder.expressions.bind(order.by(), inside);
      } else if (word == AggregateWord.MEDIAN) {
        arity(1, 1);
        x = argument(0);
      } else {
        arity(2, 3);
        x = argument(0);
        fraction = fraction(1);
      }
      boolean whole = word == AggregateWord.QUANTILE_OF_VALUES;
      Type type = whole || !x.type().isNumeric() ? x.type() : Type.DOUBLE;
      if (!x.type().isNumeric() && !x.type().isDateTime()) {
        throw Rejections.types("Quantiles need numbers or dates.", "Use another column.", at);
      }
      return aggregation.add(
          name.toLowerCase(Locale.ROOT),
          type,
          AggregateCall.Kind.QUANTILE,
          Optional.of(x),
          false,
          filter(),
          Optional.of(descending ? BigDecimal.ONE.subtract(fraction) : fraction),
          at);
    }

    private BigDecimal fraction(int i) {
      return AggregateBinder.fraction(argument(i), Rejections.at(written.call()));
    }
  }

  /** WITHIN GROUP (ORDER BY x): what rows are ordered by, and whether the other way round. */
  private record Order(SqlNode by, boolean descending) {
    static Order of(SqlNodeList within) {
      SqlNode order = within.get(0);
      boolean descending = order.getKind() == SqlKind.DESCENDING;
      return new Order(descending ? ((SqlCall) order).operand(0) : order, descending);
    }
  }

  /** A number; of a condition, 1 where it is true and 0 where it is false, as in MySQL. */
  private static Expr asNumber(Expr expr, Position at) {
    if (expr.type().kind() != Type.Kind.BOOLEAN) {
      return TypeRules.requireNumber(expr, at);
    }
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(expr, Exprs.integer(1)),
            new Expr.Case.Branch(ExprBinder.negated(expr), Exprs.integer(0))),
        Optional.empty(),
        Type.INTEGER);
  }

  /** Which part of the values lies below a quantile: a constant from 0 to 1. */
  private static BigDecimal fraction(Expr value, Position at) {
    BigDecimal number =
        value instanceof Expr.Literal literal
            ? switch (literal.value()) {
              case BigDecimal exact -> exact;
              case Double real -> BigDecimal.valueOf(real);
              case null, default -> null;
            }
            : null;
    if (number == null || number.signum() < 0 || number.compareTo(BigDecimal.ONE) > 0) {
      throw Rejections.types(
          "A quantile needs a constant between 0 and 1.", "The median is 0.5.", at);
    }
    return number;
  }

  /** Sums and averages of lengths of time: those of their seconds, made a length again. */
  private static final class IntervalAggregates {
    private static final Expr.Literal SECOND = new Expr.Literal(1_000_000L, Type.INTERVAL_MICROS);

    private IntervalAggregates() {}

    static boolean is(Expr expr) {
      return expr.type().kind() == Type.Kind.INTERVAL_MICROS;
    }

    static Expr seconds(Expr length) {
      return Exprs.call(Function.EXTRACT, Type.BIGINT, Exprs.text("EPOCH"), length);
    }

    static Expr length(Expr seconds, Position at) {
      Expr whole =
          seconds.type().isInteger()
              ? seconds
              : Exprs.as(
                  Exprs.call(Function.ROUND, seconds.type(), seconds, Exprs.integer(0)),
                  Type.BIGINT);
      return OperatorFunctions.times(SECOND, whole, at);
    }
  }

  /**
   * {@code STRING_AGG(x, ', ')}: the texts in their order, each with the separator after it,
   * without the last separator.
   */
  private record TextAggregates(Expr x, String separator) {
    /**
     * @param within the order that WITHIN GROUP asks for: only that of the texts themselves is
     *     known
     * @param argument of the call, bound
     */
    static TextAggregates of(
        String name, SqlCall call, Optional<SqlNodeList> within, IntFunction<Expr> argument) {
      Object separator =
          call.operandCount() == 1
              ? (name.equals("LISTAGG") ? "" : ",")
              : argument.apply(1) instanceof Expr.Literal literal ? literal.value() : null;
      if (within.filter(o -> !isOrder(o, call)).isPresent()
          || !(separator instanceof String text)) {
        throw Rejection.of(
            RejectionCode.UNSUPPORTED,
            "Texts are put together in their own order and with a constant between them.",
            "Write " + name + "(x, ', '), or order by x itself.",
            Rejections.at(call));
      }
      return new TextAggregates(Exprs.as(argument.apply(0), Type.VARCHAR), text);
    }

    private static boolean isOrder(SqlNodeList order, SqlCall call) {
      SqlNode key = order.get(0);
      return order.size() == 1
          && key.getKind() != SqlKind.DESCENDING
          && key.equalsDeep(call.operand(0), Litmus.IGNORE);
    }

    Expr each() {
      return separator.isEmpty()
          ? x
          : Exprs.call(Function.CONCAT, Type.VARCHAR, x, Exprs.text(separator));
    }

    Expr whole(Expr texts) {
      if (separator.isEmpty()) {
        return texts;
      }
      Expr length = Exprs.call(Function.CHAR_LENGTH, Type.INTEGER, texts);
      int last = separator.codePointCount(0, separator.length());
      return Exprs.call(
          Function.LEFT,
          Type.VARCHAR,
          texts,
          Exprs.call(Function.MINUS, Type.INTEGER, length, Exprs.integer(last)));
    }
  }
}
