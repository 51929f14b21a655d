package flexdp.sql.function;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Which types meet, and what they become. */
public final class TypeRules {
  private TypeRules() {}

  /** The type that holds values of both, or null. */
  public static Type common(Type a, Type b) {
    if (a.equals(b) || b.kind() == Type.Kind.NULL) {
      return a;
    }
    if (a.kind() == Type.Kind.NULL) {
      return b;
    }
    if (a.isNumeric() && b.isNumeric()) {
      return commonNumber(a, b);
    }
    if (a.isDateTime() && b.isDateTime()) {
      return Type.TIMESTAMP;
    }
    return null;
  }

  static Type commonNumber(Type a, Type b) {
    if (a.kind() == Type.Kind.DOUBLE || b.kind() == Type.Kind.DOUBLE) {
      return Type.DOUBLE;
    }
    if (a.isInteger() && b.isInteger()) {
      return a.kind().compareTo(b.kind()) >= 0 ? a : b;
    }
    int scale = Math.max(a.scale(), b.scale());
    int whole = Math.max(wholeDigits(a), wholeDigits(b));
    return decimal(whole + scale, scale);
  }

  /** A type with its article, for messages. */
  static String a(Type type) {
    return (type.kind() == Type.Kind.INTEGER || type.isInterval() ? "an " : "a ") + type;
  }

  static String capital(Type type) {
    return "A" + a(type).substring(1);
  }

  /** DECIMAL, cut to what fits. */
  static Type decimal(int precision, int scale) {
    int p = Math.max(1, Math.min(38, precision));
    return Type.decimal(p, Math.max(0, Math.min(scale, p)));
  }

  /** NULL fits into any type and needs no digits. */
  static int wholeDigits(Type type) {
    return type.isExact() ? type.wholeDigits() : 0;
  }

  /**
   * A literal in the type of what it is compared with: text as a date or number, NULL as anything,
   * 0 and 1 as booleans. Other expressions stay as they are.
   */
  static Expr meet(Expr expr, Type other, Position at) {
    if (!(expr instanceof Expr.Literal literal)) {
      return expr;
    }
    if (literal.isNull()) {
      return literal.type().kind() == Type.Kind.NULL ? Exprs.nullOf(other) : literal;
    }
    if (literal.type().kind() == Type.Kind.VARCHAR && other.kind() != Type.Kind.VARCHAR) {
      return TextLiterals.as((String) literal.value(), other, at);
    }
    if (other.kind() == Type.Kind.BOOLEAN && literal.type().isInteger()) {
      BigDecimal number = (BigDecimal) literal.value();
      if (number.signum() == 0) {
        return Expr.Literal.FALSE;
      }
      if (number.compareTo(BigDecimal.ONE) == 0) {
        return Expr.Literal.TRUE;
      }
    }
    return expr;
  }

  /** A comparison of two expressions. */
  public static Expr compare(Function function, Expr a, Expr b, Position at) {
    Expr left = meet(a, b.type(), at);
    Expr right = meet(b, left.type(), at);
    Type type = common(left.type(), right.type());
    if (type == null) {
      throw Rejections.types(
          capital(left.type()) + " cannot be compared with " + a(right.type()) + ".",
          conversion(left, right),
          at);
    }
    if (type.kind() == Type.Kind.OPAQUE) {
      throw Rejections.types(
          "A column of this type can be counted and grouped but not compared.",
          "Declare a type for the column in the policy.",
          at);
    }
    Type meeting = meeting(left, right, type);
    return Exprs.test(function, convert(left, meeting), convert(right, meeting));
  }

  /** Text is read as what it is compared with: as text, 9 would be more than 100. */
  private static String conversion(Expr left, Expr right) {
    boolean textLeft = left.type().kind() == Type.Kind.VARCHAR;
    Type to = textLeft ? right.type() : left.type();
    boolean number = to.isExact();
    boolean text = textLeft || right.type().kind() == Type.Kind.VARCHAR;
    return text
        ? "Convert the text, as in CAST(x AS "
            + (number ? "decimal(18, 2)" : to)
            + "), or have the owner declare that type for the column."
        : "Convert one of them, as in CAST(x AS " + to + ").";
  }

  /**
   * The type in which two values are compared. A constant that the other side's own type holds
   * exactly takes that type, so that the column stays as it is.
   */
  private static Type meeting(Expr left, Expr right, Type common) {
    if (left.type().equals(right.type())) {
      return common;
    }
    if (isExactly(right, left.type())) {
      return left.type();
    }
    return isExactly(left, right.type())
        ? right.type()
        : common(slim(left).type(), slim(right).type());
  }

  private static boolean isExactly(Expr expr, Type type) {
    return expr instanceof Expr.Literal literal
        && !literal.isNull()
        && Conversions.isExact(literal.value(), type);
  }

  /** 2.50 needs no more digits than 2.5. */
  private static Expr slim(Expr expr) {
    return expr instanceof Expr.Literal literal
            && literal.value() instanceof BigDecimal number
            && number.scale() > 0
        ? LiteralBinder.number(number.stripTrailingZeros(), Position.START)
        : expr;
  }

  /**
   * An expression in another type: every conversion that SQL leaves unsaid is written down, so that
   * the rules see it and no database makes one of its own. Constants are converted at once.
   */
  public static Expr convert(Expr expr, Type type) {
    if (expr.type().equals(type)) {
      return expr;
    }
    if (expr.type().kind() == Type.Kind.NULL) {
      return Exprs.nullOf(type);
    }
    return expr instanceof Expr.Literal literal
        ? new Expr.Literal(literal.isNull() ? null : Conversions.value(literal.value(), type), type)
        : new Expr.Cast(expr, type);
  }

  /** Brings expressions into their common type. */
  public static List<Expr> unify(List<Expr> exprs, Position at) {
    Type type = Type.NULL;
    boolean onlyTexts = true;
    for (Expr expr : exprs) {
      if (!isText(expr)) {
        type = join(type, expr.type(), at);
        onlyTexts &= expr.type().kind() == Type.Kind.NULL;
      }
    }
    if (onlyTexts && type.kind() == Type.Kind.NULL) {
      type = anyText(exprs) ? Type.VARCHAR : Type.NULL;
    }
    List<Expr> fitted = new ArrayList<>(exprs.size());
    for (Expr expr : exprs) {
      Expr met = meet(expr, type, at);
      type = join(type, met.type(), at);
      fitted.add(met);
    }
    for (int i = 0; i < fitted.size(); i++) {
      fitted.set(i, convert(fitted.get(i), type));
    }
    return fitted;
  }

  /** The one type of expressions that {@link #unify} has fitted. */
  public static Type typeOf(List<Expr> fitted) {
    return fitted.isEmpty() ? Type.NULL : fitted.get(0).type();
  }

  private static Type join(Type a, Type b, Position at) {
    Type type = common(a, b);
    if (type == null) {
      throw Rejections.types(
          capital(a) + " and " + a(b) + " cannot stand for the same value.",
          "Convert one of them with CAST.",
          at);
    }
    return type;
  }

  private static boolean isText(Expr expr) {
    return expr instanceof Expr.Literal literal && literal.type().kind() == Type.Kind.VARCHAR;
  }

  private static boolean anyText(List<Expr> exprs) {
    for (Expr expr : exprs) {
      if (isText(expr)) {
        return true;
      }
    }
    return false;
  }

  /** A condition: a boolean, or an integer that MySQL would take for one. */
  public static Expr condition(Expr expr, Position at) {
    Expr met = meet(expr, Type.BOOLEAN, at);
    if (met.type().kind() != Type.Kind.BOOLEAN && met.type().kind() != Type.Kind.NULL) {
      throw Rejections.types(
          "A condition must be true or false, but this is " + a(met.type()) + ".",
          "Compare it with something, as in x <> 0.",
          at);
    }
    return met;
  }

  static Expr requireText(Expr expr, Position at) {
    Expr met =
        expr instanceof Expr.Literal literal && literal.isNull()
            ? Exprs.nullOf(Type.VARCHAR)
            : expr;
    if (met.type().kind() != Type.Kind.VARCHAR) {
      throw Rejections.types(
          "Text is needed here, but this is " + a(met.type()) + ".",
          "Convert it with CAST(x AS varchar).",
          at);
    }
    return met;
  }

  public static Expr requireNumber(Expr expr, Position at) {
    Expr met = DateFormats.number(expr).orElse(expr);
    if (expr instanceof Expr.Literal literal) {
      if (literal.isNull()) {
        met = Exprs.nullOf(Type.INTEGER);
      } else if (literal.type().kind() == Type.Kind.VARCHAR) {
        met = TextLiterals.number((String) literal.value(), at);
      }
    }
    if (!met.type().isNumeric()) {
      throw Rejections.types(
          "A number is needed here, but this is " + a(met.type()) + ".",
          "Convert it with CAST(x AS decimal(18, 2)), or use another column.",
          at);
    }
    return met;
  }

  /** A date, from text too. */
  public static Expr meetDate(Expr expr, Position at) {
    return requireDate(expr, at);
  }

  /** A date or timestamp; text literals are read as one. */
  static Expr requireDate(Expr expr, Position at) {
    Expr met = expr;
    if (expr instanceof Expr.Literal literal) {
      if (literal.isNull()) {
        met = Exprs.nullOf(Type.TIMESTAMP);
      } else if (literal.type().kind() == Type.Kind.VARCHAR) {
        met = TextLiterals.moment((String) literal.value(), at);
      }
    }
    if (!met.type().isDateTime()) {
      throw Rejections.types(
          "A date or timestamp is needed here, but this is " + a(met.type()) + ".",
          "Convert it with CAST(x AS timestamp).",
          at);
    }
    return met;
  }
}
