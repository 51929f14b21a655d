package flexdp.sql.function;

import flexdp.algebra.ConstantLimits;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Arithmetic on numbers, dates and intervals; LIKE; lists. */
public final class OperatorFunctions {
  private OperatorFunctions() {}

  public static Expr plus(Expr a, Expr b, Position at) {
    if (a.type().isDateTime()) {
      return shift(a, b, at);
    }
    if (b.type().isDateTime()) {
      return shift(b, a, at);
    }
    if (a.type().isInterval() && b.type().isInterval()) {
      return Exprs.call(Function.PLUS, a.type(), a, b);
    }
    return arithmetic(Function.PLUS, a, b, at);
  }

  public static Expr minus(Expr a, Expr b, Position at) {
    if (a.type().isDateTime() || b.type().isDateTime()) {
      if (b.type().isInterval() || b.type().isNumeric()) {
        return shift(a, negate(b, at), at);
      }
      Expr from = TypeRules.requireDate(b, at);
      Expr to = TypeRules.requireDate(a, at);
      return from.type().kind() == Type.Kind.DATE && to.type().kind() == Type.Kind.DATE
          ? Exprs.call(Function.DATE_DIFF, Type.BIGINT, Exprs.text("DAY"), from, to)
          : Exprs.call(
              Function.MINUS,
              Type.INTERVAL_MICROS,
              TypeRules.convert(to, Type.TIMESTAMP),
              TypeRules.convert(from, Type.TIMESTAMP));
    }
    if (a.type().isInterval() && b.type().isInterval()) {
      return Exprs.call(Function.PLUS, a.type(), a, negate(b, at));
    }
    return arithmetic(Function.MINUS, a, b, at);
  }

  /** A date or timestamp moved by an interval, or by a number of days. */
  static Expr shift(Expr date, Expr by, Position at) {
    if (by.type().isInteger() && date.type().kind() == Type.Kind.DATE) {
      return shift(date, times(IntervalFunctions.one("DAY", at), by, at), at);
    }
    if (by instanceof Expr.Literal literal && literal.type().kind() == Type.Kind.VARCHAR) {
      return shift(date, IntervalFunctions.parse((String) literal.value(), at), at);
    }
    if (by instanceof Expr.Call sum
        && sum.function() == Function.PLUS
        && sum.arguments().get(0).type().isInterval()) {
      return shift(shift(date, sum.arguments().get(0), at), sum.arguments().get(1), at);
    }
    if (!by.type().isInterval()) {
      throw Rejections.types(
          TypeRules.capital(by.type()) + " cannot be added to " + TypeRules.a(date.type()) + ".",
          "Add an interval, as in d + interval '7 days'.",
          at);
    }
    if (date instanceof Expr.Literal from
        && by instanceof Expr.Literal length
        && !from.isNull()
        && !length.isNull()) {
      return folded(from, length, at);
    }
    return Exprs.call(Function.DATE_ADD, shifted(date.type(), by), date, by);
  }

  /** A constant moved by a constant. */
  private static Expr folded(Expr.Literal from, Expr.Literal length, Position at) {
    LocalDateTime start =
        from.value() instanceof LocalDate day ? day.atStartOfDay() : (LocalDateTime) from.value();
    try {
      LocalDateTime end =
          length.type().kind() == Type.Kind.INTERVAL_MONTHS
              ? start.plusMonths((Long) length.value())
              : start.plus((Long) length.value(), ChronoUnit.MICROS);
      if (end.getYear() < 1 || end.getYear() > ConstantLimits.LAST_YEAR) {
        throw new DateTimeException("not in every database's calendar");
      }
      Type type = shifted(from.type(), length);
      return new Expr.Literal(type.kind() == Type.Kind.DATE ? end.toLocalDate() : end, type);
    } catch (DateTimeException | ArithmeticException e) {
      throw Rejections.types("The date is out of range.", "Add a shorter interval.", at);
    }
  }

  private static Type shifted(Type date, Expr by) {
    if (date.kind() == Type.Kind.TIMESTAMP) {
      return date;
    }
    return by.type().kind() == Type.Kind.INTERVAL_MONTHS || isWholeDays(by)
        ? Type.DATE
        : Type.TIMESTAMP;
  }

  private static boolean isWholeDays(Expr by) {
    return switch (by) {
      case Expr.Literal literal ->
          !literal.isNull() && (Long) literal.value() % IntervalFunctions.DAY == 0;
      case Expr.Call call ->
          (call.function() == Function.TIMES || call.function() == Function.NEGATE)
              && isWholeDays(call.arguments().get(0));
      case Expr.Ref ignored -> false;
      case Expr.Cast ignored -> false;
      case Expr.Case ignored -> false;
    };
  }

  public static Expr times(Expr a, Expr b, Position at) {
    if (b.type().isInterval()) {
      return times(b, a, at);
    }
    if (a.type().isInterval()) {
      Expr count = TypeRules.requireNumber(b, at);
      if (!count.type().isInteger()) {
        throw Rejections.types(
            "An interval can be multiplied with whole numbers only.", "Use a smaller unit.", at);
      }
      if (a instanceof Expr.Literal unit && count instanceof Expr.Literal n && !n.isNull()) {
        try {
          long product =
              Math.multiplyExact((Long) unit.value(), ((BigDecimal) n.value()).longValueExact());
          return IntervalFunctions.length(product, a.type(), at);
        } catch (ArithmeticException e) {
          throw Rejections.types("The interval is too long.", "Write a shorter one.", at);
        }
      }
      return Exprs.call(Function.TIMES, a.type(), a, count);
    }
    return arithmetic(Function.TIMES, a, b, at);
  }

  /** A whole number as wide as the dialect computes with them; then what it is added to is, too. */
  public static Expr wide(Expr x, InputDialect dialect) {
    boolean narrow = x.type().isInteger() && x.type().kind() != Type.Kind.BIGINT;
    if (!narrow || DialectSpelling.WHOLE_NUMBERS.in(dialect) != SpellingMeaning.LONG) {
      return x;
    }
    return x instanceof Expr.Literal literal
        ? new Expr.Literal(literal.value(), Type.BIGINT)
        : Exprs.as(x, Type.BIGINT);
  }

  public static Expr divide(Expr a, Expr b, Position at) {
    return arithmetic(Function.DIVIDE, a, b, at);
  }

  public static Expr mod(Expr a, Expr b, Position at) {
    return arithmetic(Function.MOD, a, b, at);
  }

  private static Expr arithmetic(Function function, Expr a, Expr b, Position at) {
    Expr left = TypeRules.requireNumber(a, at);
    Expr right = TypeRules.requireNumber(b, at);
    Type type = result(function, left.type(), right.type());
    return left instanceof Expr.Literal one && right instanceof Expr.Literal two
        ? computed(function, one, two, type)
        : Exprs.call(function, type, left, right);
  }

  /** Constants are added up at once where that is exact, as 0.06 - 0.01. */
  private static Expr computed(Function function, Expr.Literal a, Expr.Literal b, Type type) {
    if (a.value() instanceof BigDecimal one && b.value() instanceof BigDecimal two) {
      BigDecimal result =
          switch (function) {
            case PLUS -> one.add(two);
            case MINUS -> one.subtract(two);
            case TIMES -> one.multiply(two);
            default -> null;
          };
      if (result != null && Conversions.isExact(result, type)) {
        return new Expr.Literal(Conversions.value(result, type), type);
      }
    }
    return Exprs.call(function, type, a, b);
  }

  private static Type result(Function function, Type a, Type b) {
    if (a.kind() == Type.Kind.DOUBLE || b.kind() == Type.Kind.DOUBLE) {
      return Type.DOUBLE;
    }
    if (a.isInteger() && b.isInteger()) {
      return TypeRules.commonNumber(a, b);
    }
    int whole = Math.max(TypeRules.wholeDigits(a), TypeRules.wholeDigits(b));
    int scale = Math.max(a.scale(), b.scale());
    return switch (function) {
      case TIMES -> {
        int s = Math.min(38, a.scale() + b.scale());
        yield TypeRules.decimal(TypeRules.wholeDigits(a) + TypeRules.wholeDigits(b) + s, s);
      }
      case DIVIDE -> Type.DOUBLE;
      default -> TypeRules.decimal(whole + scale + 1, scale);
    };
  }

  public static Expr negate(Expr a, Position at) {
    if (a instanceof Expr.Literal literal && !literal.isNull()) {
      return switch (literal.value()) {
        case BigDecimal number -> LiteralBinder.number(number.negate(), at);
        case Double number -> new Expr.Literal(0.0 - number, literal.type());
        case Long length -> new Expr.Literal(-length, literal.type());
        default -> negate(TypeRules.requireNumber(literal, at), at);
      };
    }
    if (a.type().isInterval() && a instanceof Expr.Call sum && sum.function() == Function.PLUS) {
      return Exprs.call(
          Function.PLUS,
          a.type(),
          negate(sum.arguments().get(0), at),
          negate(sum.arguments().get(1), at));
    }
    Expr operand = a.type().isInterval() ? a : TypeRules.requireNumber(a, at);
    return Exprs.call(Function.NEGATE, operand.type(), operand);
  }

  static Expr concat(List<Expr> parts) {
    List<Expr> flat = new ArrayList<>();
    for (Expr part : parts) {
      Expr text = asText(part);
      if (text instanceof Expr.Call call && call.function() == Function.CONCAT) {
        flat.addAll(call.arguments());
      } else {
        flat.add(text);
      }
    }
    return new Expr.Call(Function.CONCAT, flat, Type.VARCHAR);
  }

  static Expr asText(Expr expr) {
    if (expr instanceof Expr.Literal literal && literal.isNull()) {
      return Exprs.nullOf(Type.VARCHAR);
    }
    return expr.type().kind() == Type.Kind.VARCHAR ? expr : new Expr.Cast(expr, Type.VARCHAR);
  }

  public static Expr like(SqlCall call, FunctionContext around) {
    String operator = call.getOperator().getName().toUpperCase(Locale.ROOT);
    boolean negated = operator.startsWith("NOT ");
    String name = negated ? operator.substring(4) : operator;
    if (!name.equals("LIKE") && !name.equals("ILIKE")) {
      Expr match = pattern(name, call, around);
      return negated ? Exprs.not(match) : match;
    }
    List<Expr> arguments = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      Expr argument = around.bind(operand);
      boolean moment = arguments.isEmpty() && argument.type().isDateTime();
      arguments.add(
          moment && DateFormats.isTextToo(call, around)
              ? DateFormats.iso(argument)
              : TypeRules.requireText(argument, Rejections.at(operand)));
    }
    for (int i = 1; i < arguments.size(); i++) {
      if (!(arguments.get(i) instanceof Expr.Literal)) {
        throw Rejections.types(
            "The pattern of LIKE must be a constant.",
            "Write it as text, or use POSITION(x IN y) > 0.",
            Rejections.at(call));
      }
    }
    if (LikePatterns.hasClasses(around.dialect(), arguments.get(1)) && arguments.size() == 2) {
      String text = (String) ((Expr.Literal) arguments.get(1)).value();
      Expr match = LikePatterns.classes(arguments.get(0), text, call);
      return negated ? Exprs.not(match) : match;
    }
    InputDialect dialect = around.dialect();
    Expr escape = arguments.size() == 2 ? LikePatterns.usual(dialect) : arguments.get(2);
    Expr found =
        name.equals("LIKE")
            ? LikePatterns.like(dialect, arguments.get(0), arguments.get(1), escape, call)
            : LikePatterns.like(Function.ILIKE, arguments.get(0), arguments.get(1), escape, call);
    return negated ? Exprs.not(found) : found;
  }

  /** RLIKE, REGEXP and SIMILAR TO, of the whole text in Snowflake. */
  private static Expr pattern(String name, SqlCall call, FunctionContext around) {
    Expr x = TypeRules.requireText(around.bind(call.operand(0)), Rejections.at(call));
    if (call.operandCount() != 2
        || !(around.bind(call.operand(1)) instanceof Expr.Literal literal)
        || !(literal.value() instanceof String text)) {
      throw Rejections.types(
          "The pattern must be a constant.", "Write it as text.", Rejections.at(call));
    }
    return name.startsWith("SIMILAR")
        ? LikePatterns.similar(x, text, call)
        : LikePatterns.matches(x, text, false, around.dialect(), call);
  }

  /** A quotient without what comes after the point. */
  public static Expr towardsZero(Expr x) {
    return NumberFunctions.towardsZero(x);
  }

  public static Expr inList(SqlNode left, SqlNodeList list, FunctionContext around) {
    Position at = Rejections.at(left);
    if (left.getKind() == SqlKind.ROW) {
      List<Expr> alternatives = new ArrayList<>(list.size());
      for (SqlNode row : list) {
        alternatives.add(rowEquals((SqlCall) left, row, around));
      }
      return Exprs.or(alternatives);
    }
    Expr value = around.bind(left);
    List<Expr> literals = new ArrayList<>(list.size() + 1);
    List<Expr> others = new ArrayList<>();
    literals.add(value);
    for (SqlNode node : list) {
      Expr item = around.bind(node);
      Expr.Call equality =
          (Expr.Call) TypeRules.compare(Function.EQ, value, item, Rejections.at(node));
      if (equality.arguments().get(1) instanceof Expr.Literal literal
          && equality.arguments().get(0) == value) {
        literals.add(literal);
      } else {
        others.add(equality);
      }
    }
    if (literals.size() == 2) {
      others.add(0, TypeRules.compare(Function.EQ, value, literals.get(1), at));
    } else if (literals.size() > 2) {
      others.add(0, new Expr.Call(Function.IN_LIST, literals, Type.BOOLEAN));
    }
    return Exprs.or(others);
  }

  private static Expr rowEquals(SqlCall left, SqlNode right, FunctionContext around) {
    if (right.getKind() != SqlKind.ROW || ((SqlCall) right).operandCount() != left.operandCount()) {
      throw Rejections.types(
          "The rows have different numbers of columns.",
          "Write as many values as columns.",
          Rejections.at(right));
    }
    List<Expr> terms = new ArrayList<>();
    for (int i = 0; i < left.operandCount(); i++) {
      terms.add(
          TypeRules.compare(
              Function.EQ,
              around.bind(left.operand(i)),
              around.bind(((SqlCall) right).operand(i)),
              Rejections.at(right)));
    }
    return Exprs.and(terms);
  }
}
