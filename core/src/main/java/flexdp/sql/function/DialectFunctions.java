package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Functions that one or two databases have, composed from those that all have. */
final class DialectFunctions {
  private DialectFunctions() {}

  static void addAll() {
    FunctionCatalog.add("SPLIT_PART", 3, 3, SplitFunctions::part);
    FunctionCatalog.add("SUBSTRING_INDEX", 3, 3, SplitFunctions::index);
    FunctionCatalog.add("DAYNAME", 1, 1, a -> CalendarFunctions.name(true, a));
    FunctionCatalog.add("MONTHNAME", 1, 1, a -> CalendarFunctions.name(false, a));
    FunctionCatalog.add("DATENAME", 2, 2, CalendarFunctions::datename);
    FunctionCatalog.add(
        "DAYOFWEEK", 1, 1, a -> CalendarFunctions.dayOfWeek(DialectSpelling.DAY_OF_WEEK, a));
    FunctionCatalog.add("WEEK", 1, 2, CalendarFunctions::week);
    FunctionCatalog.add("YEARWEEK", 1, 2, CalendarFunctions::yearWeek);
    FunctionCatalog.add("WEEKDAY", 1, 1, CalendarFunctions::weekday);
    FunctionCatalog.add("EOMONTH", 1, 2, CalendarFunctions::endOfMonth);
    FunctionCatalog.add("LAST_DAY LAST_DAY_OF_MONTH", 1, 2, CalendarFunctions::lastDay);
    FunctionCatalog.add("MONTHS_BETWEEN", 2, 2, CalendarFunctions::monthsBetween);
    FunctionCatalog.add("JULIANDAY", 1, 1, CalendarFunctions::julian);
    FunctionCatalog.add("TIME_TO_SEC", 1, 1, CalendarFunctions::seconds);
    FunctionCatalog.add("TIME_SLICE", 3, 3, CalendarFunctions::slice);
    FunctionCatalog.add("EXTRACT DATE_PART DATEPART", 2, 2, CalendarFunctions::extract);
    FunctionCatalog.add(
        "UNIXEPOCH UNIX_SECONDS", 1, 1, a -> CalendarFunctions.part("EPOCH", a.moment(0)));
    FunctionCatalog.add("DATETIME", 1, 9, a -> CalendarFunctions.modified(a, false));
    FunctionCatalog.add("TIME", 1, 1, a -> CastFunctions.cast(a.any(0), Type.TIME, a.at()));
    FunctionCatalog.add(
        "AGE",
        1,
        2,
        a -> {
          throw AgeFunctions.bare(a);
        });
    FunctionCatalog.add("STR_TO_DATE STRPTIME TO_DATE TO_TIMESTAMP", 1, 2, DateParsing::of);
    FunctionCatalog.add("PARSE_DATE PARSE_TIMESTAMP PARSE_DATETIME", 2, 2, DateParsing::of);
    FunctionCatalog.add("FORMAT_TIMESTAMP FORMAT_DATETIME", 2, 2, DateFormats::format);
    FunctionCatalog.add("FORMAT", 2, 2, NumberFormats::orDate);
    FunctionCatalog.add(
        "TO_NUMBER TRY_TO_NUMBER",
        1,
        1,
        a -> CastFunctions.cast(a.any(0), Type.decimal(38, 0), a.at()));
    FunctionCatalog.add(
        "TO_VARCHAR",
        1,
        2,
        a ->
            a.count() == 2
                ? DateFormats.format(a)
                : ConditionalFunctions.text(a.any(0), DialectSpelling.TRUTH, a.dialect()));
    FunctionCatalog.add("CONVERT TRY_CONVERT", 2, 3, DialectFunctions::convert);
    FunctionCatalog.add("SAFE_DIVIDE", 2, 2, a -> real(a.number(0), a.number(1), a));
    FunctionCatalog.add("DIV0", 2, 2, DialectFunctions::orZero);
    FunctionCatalog.add("ELT CHOOSE", 2, 1_000, DialectFunctions::chosen);
    FunctionCatalog.add("FIELD", 2, 1_000, DialectFunctions::field);
    FunctionCatalog.add("CONTAINS_SUBSTR", 2, 2, DialectFunctions::contains);
    FunctionCatalog.add("RANGE_BUCKET", 2, 2, DialectFunctions::bucket);
    FunctionCatalog.add("BITAND", 2, 2, DialectFunctions::lowBits);
    FunctionCatalog.add("PRINTF", 2, 2, NumberFormats::printed);
    FunctionCatalog.add("WEEKISO", 1, 1, a -> DateFunctions.extract("WEEK", a.any(0), a.at()));
    FunctionCatalog.add("TO_TIME", 1, 1, a -> CastFunctions.cast(a.any(0), Type.TIME, a.at()));
    FunctionCatalog.add(
        "REGEXP_LIKE REGEXP_CONTAINS REGEXP_MATCHES RLIKE", 2, 3, LikePatterns::like);
    FunctionCatalog.add("REGEXP_REPLACE", 3, 4, LikePatterns::replace);
    FunctionCatalog.add(
        "REGEXP_SUBSTR REGEXP_EXTRACT REGEXP_INSTR REGEXP_COUNT", 2, 6, LikePatterns::part);
  }

  /** A quotient that is no whole number. */
  private static Expr real(Expr n, Expr d, Arguments a) {
    return OperatorFunctions.divide(Exprs.as(n, Type.DOUBLE), d, a.at());
  }

  private static Expr orZero(Arguments a) {
    Expr d = a.number(1);
    return new Expr.Case(
        List.of(
            new Expr.Case.Branch(
                TypeRules.compare(Function.EQ, d, Exprs.integer(0), a.at()),
                new Expr.Literal(0.0, Type.DOUBLE))),
        Optional.of(real(a.number(0), d, a)),
        Type.DOUBLE);
  }

  /** CHOOSE(n, first, second, …). */
  private static Expr chosen(Arguments a) {
    Expr n = a.integer(0);
    List<Expr> values = new ArrayList<>();
    for (int i = 1; i < a.count(); i++) {
      values.add(a.any(i));
    }
    List<Expr> fitted = TypeRules.unify(values, a.at());
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < fitted.size(); i++) {
      Expr test = TypeRules.compare(Function.EQ, n, Exprs.integer(i + 1L), a.at());
      branches.add(new Expr.Case.Branch(test, fitted.get(i)));
    }
    return new Expr.Case(branches, Optional.empty(), TypeRules.typeOf(fitted));
  }

  /** FIELD(x, a, b, …): the number of the one that x equals, or 0. */
  private static Expr field(Arguments a) {
    Expr x = a.any(0);
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 1; i < a.count(); i++) {
      Expr test = TypeRules.compare(Function.EQ, x, a.any(i), a.at());
      branches.add(new Expr.Case.Branch(test, Exprs.integer(i)));
    }
    return new Expr.Case(branches, Optional.of(Exprs.integer(0)), Type.INTEGER);
  }

  private static Expr contains(Arguments a) {
    if (!(a.text(1) instanceof Expr.Literal literal) || !(literal.value() instanceof String text)) {
      throw Rejections.types("The text must be a constant.", "Write it as text.", a.at());
    }
    String escaped = text.replaceAll("([%_!])", "!$1");
    return LikePatterns.like(
        Function.ILIKE,
        a.text(0),
        Exprs.text("%" + escaped + "%"),
        Exprs.text(ConstantLimits.ESCAPE),
        a.call());
  }

  /** RANGE_BUCKET(x, [a, b, c]): how many of the bounds are not above x. */
  private static Expr bucket(Arguments a) {
    Expr x = a.number(0);
    if (!(a.node(1) instanceof SqlCall list) || !a.isCallOf(1, "FLEXDP_LIST")) {
      throw Rejections.types("The bounds must be constants.", "Write them as [1, 2].", a.at());
    }
    List<Expr.Case.Branch> branches = new ArrayList<>();
    for (int i = 0; i < list.operandCount(); i++) {
      Expr test = TypeRules.compare(Function.LT, x, a.inner(1, i), a.at());
      branches.add(new Expr.Case.Branch(test, Exprs.integer(i)));
    }
    branches.add(
        new Expr.Case.Branch(
            Exprs.test(Function.IS_NOT_NULL, x), Exprs.integer(list.operandCount())));
    return new Expr.Case(branches, Optional.empty(), Type.INTEGER);
  }

  /** BITAND(x, 2ⁿ − 1), what is left of x when it is divided by 2ⁿ, and not negative. */
  private static Expr lowBits(Arguments a) {
    Expr x = Exprs.as(a.integer(0), Type.BIGINT);
    long mask =
        a.integer(1) instanceof Expr.Literal l && l.value() instanceof BigDecimal n
            ? n.min(BigDecimal.valueOf(1 << 30)).longValue()
            : 0;
    if (mask < 1 || mask >= 1 << 30 || Long.bitCount(mask + 1) != 1) {
      throw Rejections.unsupported("BITAND of these bits", "Use MOD and division.", a.call());
    }
    Expr by = Exprs.integer(mask + 1);
    Expr rest = Exprs.call(Function.MOD, Type.BIGINT, x, by);
    return Exprs.call(
        Function.MOD, Type.BIGINT, Exprs.call(Function.PLUS, Type.BIGINT, rest, by), by);
  }

  /** CONVERT(type, x [, style]) of T-SQL, CONVERT(x, type) of MySQL. */
  private static Expr convert(Arguments a) {
    boolean last = a.dialect() == InputDialect.MYSQL;
    SqlNode written = a.node(last ? 1 : 0);
    String name =
        written instanceof SqlIdentifier id && id.isSimple()
            ? id.getSimple()
            : written instanceof SqlCall call ? FunctionFinder.nameOf(call) : "";
    Optional<Type> type = CastFunctions.named(name);
    if (type.isEmpty()) {
      throw Rejections.types("CONVERT needs the name of a type.", "Use CAST(x AS type).", a.at());
    }
    Expr x = a.any(last ? 0 : 1);
    Expr converted = CastFunctions.cast(x, type.get(), a.at(), a.dialect());
    boolean text = type.get().kind() == Type.Kind.VARCHAR;
    int length = text ? length(written) : 0;
    if (a.count() == 3 && text && x.type().isDateTime()) {
      converted = DateFormats.styled(x, style(a), length, a);
    } else if (a.count() == 3 && text) {
      throw Rejections.unsupported("This style of CONVERT", "Use CAST.", a.call());
    }
    return length == 0
        ? converted
        : TextFunctions.text(Function.LEFT, converted, Exprs.integer(length));
  }

  /** The n of VARCHAR(n); 0 without one. */
  private static int length(SqlNode type) {
    BigDecimal length =
        type instanceof SqlCall call && call.operandCount() == 1
            ? LiteralBinder.whole(call.operand(0))
            : null;
    return length != null && length.signum() > 0
        ? length.min(BigDecimal.valueOf(1_000_000)).intValue()
        : 0;
  }

  private static int style(Arguments a) {
    return a.integer(2) instanceof Expr.Literal literal && literal.value() instanceof BigDecimal n
        ? n.intValue()
        : -1;
  }
}
