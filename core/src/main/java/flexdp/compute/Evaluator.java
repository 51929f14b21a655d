package flexdp.compute;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.hash.PortableHash;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * Turns expressions into functions of rows, once per expression. The meaning is that of {@link
 * Function}: total, three-valued, exact where the types are exact.
 */
public final class Evaluator {
  /** The value of an expression on a row; null is NULL. */
  @FunctionalInterface
  public interface Value {
    Object on(List<Object> row);
  }

  /** The end of an error bar: what only those know who drew the noise. */
  @FunctionalInterface
  public interface Ends {
    Value of(Expr.Call end, List<Column> columns);
  }

  private final List<Column> columns;
  private final Ends ends;

  /** Without noise both ends of an error bar are the value itself. */
  public Evaluator(List<Column> columns) {
    this(columns, Evaluator::withoutNoise);
  }

  private static Value withoutNoise(Expr.Call end, List<Column> columns) {
    Value value = new Evaluator(columns).compile(end.arguments().getFirst());
    return end.function() == Function.EXCEEDS_NOISE
        ? row ->
            switch (value.on(row)) {
              case BigDecimal n -> n.signum() > 0;
              case Double x -> x > 0;
              case null, default -> false;
            }
        : value;
  }

  public Evaluator(List<Column> columns, Ends ends) {
    this.columns = List.copyOf(columns);
    this.ends = ends;
  }

  /** A predicate's truth: NULL is not true. */
  public static boolean isTrue(Object value) {
    return Boolean.TRUE.equals(value);
  }

  public Value compile(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> {
        int index = place(ref.column());
        yield row -> row.get(index);
      }
      case Expr.Literal literal -> {
        Object value = ValueConversion.to(literal.type(), literal.value());
        yield row -> value;
      }
      case Expr.Cast cast -> {
        Value operand = compile(cast.operand());
        yield row -> ValueConversion.to(cast.type(), operand.on(row));
      }
      case Expr.Case choice -> choice(choice);
      case Expr.Call call ->
          switch (call.function()) {
            case INTERVAL_LOW, INTERVAL_HIGH, EXCEEDS_NOISE -> ends.of(call, columns);
            default -> call(call);
          };
    };
  }

  private int place(int id) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).id() == id) {
        return i;
      }
    }
    throw new IllegalArgumentException("no column with id " + id);
  }

  private Value choice(Expr.Case choice) {
    List<Value> conditions = choice.branches().stream().map(b -> compile(b.condition())).toList();
    List<Value> values = choice.branches().stream().map(b -> compile(b.value())).toList();
    Optional<Value> otherwise = choice.otherwise().map(this::compile);
    Type type = choice.type();
    return row -> {
      for (int i = 0; i < conditions.size(); i++) {
        if (isTrue(conditions.get(i).on(row))) {
          return ValueConversion.to(type, values.get(i).on(row));
        }
      }
      return otherwise.map(v -> ValueConversion.to(type, v.on(row))).orElse(null);
    };
  }

  private Value call(Expr.Call call) {
    List<Value> arguments = call.arguments().stream().map(this::compile).toList();
    Type type = call.type();
    Function function = call.function();
    return switch (function) {
      case AND -> row -> all(arguments, row, false);
      case OR -> row -> all(arguments, row, true);
      case NOT -> row -> negated(arguments.get(0).on(row));
      case IS_NULL -> row -> arguments.get(0).on(row) == null;
      case IS_NOT_NULL -> row -> arguments.get(0).on(row) != null;
      case IS_TRUE -> row -> Boolean.TRUE.equals(arguments.get(0).on(row));
      case IS_NOT_TRUE -> row -> !Boolean.TRUE.equals(arguments.get(0).on(row));
      case IS_FALSE -> row -> Boolean.FALSE.equals(arguments.get(0).on(row));
      case IS_NOT_FALSE -> row -> !Boolean.FALSE.equals(arguments.get(0).on(row));
      case EQ, NE, LT, LE, GT, GE ->
          strict(arguments, values -> compared(function, values.get(0), values.get(1)));
      case IS_DISTINCT -> row -> !same(arguments.get(0).on(row), arguments.get(1).on(row));
      case IS_NOT_DISTINCT -> row -> same(arguments.get(0).on(row), arguments.get(1).on(row));
      case IN_LIST -> row -> inList(arguments, row);
      case INTERVAL_LOW, INTERVAL_HIGH, EXCEEDS_NOISE ->
          throw new IllegalArgumentException("compiled by itself: " + function);
      case COALESCE ->
          row ->
              ValueConversion.to(
                  type,
                  arguments.stream()
                      .map(a -> a.on(row))
                      .filter(Objects::nonNull)
                      .findFirst()
                      .orElse(null));
      case NULLIF ->
          row -> {
            Object first = arguments.get(0).on(row);
            Object second = arguments.get(1).on(row);
            return first != null && second != null && ValueOrdering.compare(first, second) == 0
                ? null
                : ValueConversion.to(type, first);
          };
      case LEAST -> row -> ValueConversion.to(type, extreme(arguments, row, -1));
      case GREATEST -> row -> ValueConversion.to(type, extreme(arguments, row, 1));
      case PLUS,
          MINUS,
          TIMES,
          DIVIDE,
          MOD,
          NEGATE,
          ABS,
          SIGN,
          FLOOR,
          CEIL,
          ROUND,
          SQRT,
          LN,
          LOG10,
          EXP,
          POWER ->
          strict(
              arguments,
              values -> ValueConversion.to(type, ArithmeticEvaluation.of(function, values, type)));
      case CONCAT -> text(arguments, type, (all, text) -> TextEvaluation.joined(all));
      case LOWER ->
          text(arguments, type, (all, text) -> TextEvaluation.mapped(text, Character::toLowerCase));
      case UPPER ->
          text(arguments, type, (all, text) -> TextEvaluation.mapped(text, Character::toUpperCase));
      case LOWER_ASCII ->
          text(arguments, type, (all, text) -> TextEvaluation.mapped(text, TextEvaluation::small));
      case UPPER_ASCII ->
          text(
              arguments, type, (all, text) -> TextEvaluation.mapped(text, TextEvaluation::capital));
      case TRIM ->
          text(arguments, type, (all, text) -> TextEvaluation.trimmed(text, all, true, true));
      case LTRIM ->
          text(arguments, type, (all, text) -> TextEvaluation.trimmed(text, all, true, false));
      case RTRIM ->
          text(arguments, type, (all, text) -> TextEvaluation.trimmed(text, all, false, true));
      case SUBSTRING -> text(arguments, type, (all, text) -> TextEvaluation.substring(text, all));
      case CHAR_LENGTH -> text(arguments, type, (all, text) -> TextEvaluation.characters(text));
      case BYTE_LENGTH -> text(arguments, type, (all, text) -> TextEvaluation.bytes(text));
      case POSITION ->
          text(arguments, type, (all, text) -> TextEvaluation.position(text, all.get(1)));
      case REPLACE -> text(arguments, type, (all, text) -> TextEvaluation.replaced(text, all));
      case LEFT ->
          text(arguments, type, (all, text) -> TextEvaluation.part(text, all.get(1), true));
      case RIGHT ->
          text(arguments, type, (all, text) -> TextEvaluation.part(text, all.get(1), false));
      case REVERSE -> text(arguments, type, (all, text) -> TextEvaluation.reversed(text));
      case STARTS_WITH ->
          text(arguments, type, (all, text) -> text.startsWith(ValueConversion.text(all.get(1))));
      case HASH -> text(arguments, type, (all, text) -> BigDecimal.valueOf(PortableHash.of(text)));
      case LIKE -> like(call, arguments, false);
      case ILIKE -> like(call, arguments, true);
      case EXTRACT ->
          strict(
              arguments,
              v -> ValueConversion.to(type, DateEvaluation.extract((String) v.get(0), v.get(1))));
      case DATE_TRUNC ->
          strict(
              arguments,
              v -> ValueConversion.to(type, DateEvaluation.truncate((String) v.get(0), v.get(1))));
      case DATE_ADD -> {
        Type interval = call.arguments().get(1).type();
        yield strict(
            arguments,
            v -> ValueConversion.to(type, DateEvaluation.add(v.get(0), (Long) v.get(1), interval)));
      }
      case DATE_DIFF ->
          strict(
              arguments,
              v ->
                  ValueConversion.to(
                      type, DateEvaluation.difference((String) v.get(0), v.get(1), v.get(2))));
    };
  }

  /** A function that is NULL when an argument is. */
  private static Value strict(
      List<Value> arguments, java.util.function.Function<List<Object>, Object> body) {
    return row -> {
      List<Object> values = new ArrayList<>(arguments.size());
      for (Value argument : arguments) {
        Object value = argument.on(row);
        if (value == null) {
          return null;
        }
        values.add(value);
      }
      return body.apply(values);
    };
  }

  /** A function whose first argument is a text, and that is NULL when an argument is. */
  private static Value text(
      List<Value> arguments, Type type, BiFunction<List<Object>, String, Object> body) {
    return strict(
        arguments,
        values ->
            ValueConversion.to(type, body.apply(values, ValueConversion.text(values.getFirst()))));
  }

  /** AND for {@code decisive} false, OR for true. */
  private static Object all(List<Value> arguments, List<Object> row, boolean decisive) {
    boolean unknown = false;
    for (Value argument : arguments) {
      Object value = argument.on(row);
      if (value == null) {
        unknown = true;
      } else if ((Boolean) value == decisive) {
        return decisive;
      }
    }
    return unknown ? null : Boolean.valueOf(!decisive);
  }

  private static Object negated(Object value) {
    return value == null ? null : Boolean.valueOf(!(Boolean) value);
  }

  private static Object compared(Function function, Object left, Object right) {
    int order = ValueOrdering.compare(left, right);
    return switch (function) {
      case EQ -> order == 0;
      case NE -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      case GE -> order >= 0;
      default -> throw new IllegalArgumentException("not a comparison: " + function);
    };
  }

  private static boolean same(Object left, Object right) {
    return left == null || right == null
        ? left == null && right == null
        : ValueOrdering.compare(left, right) == 0;
  }

  private static Object inList(List<Value> arguments, List<Object> row) {
    Object value = arguments.get(0).on(row);
    if (value == null) {
      return null;
    }
    boolean unknown = false;
    for (Value candidate : arguments.subList(1, arguments.size())) {
      Object other = candidate.on(row);
      if (other == null) {
        unknown = true;
      } else if (ValueOrdering.compare(value, other) == 0) {
        return true;
      }
    }
    return unknown ? null : Boolean.FALSE;
  }

  /** NULLs are passed over, as PostgreSQL and DuckDB do. */
  private static Object extreme(List<Value> arguments, List<Object> row, int sign) {
    Object best = null;
    for (Value argument : arguments) {
      Object value = argument.on(row);
      if (value != null && (best == null || sign * ValueOrdering.compare(value, best) > 0)) {
        best = value;
      }
    }
    return best;
  }

  private static Value like(Expr.Call call, List<Value> arguments, boolean ignoreCase) {
    Object pattern = literal(call, 1);
    Object escape = call.arguments().size() > 2 ? literal(call, 2) : "";
    if (pattern == null || escape == null) {
      return row -> null;
    }
    Pattern compiled = TextEvaluation.like(pattern.toString(), escape.toString(), ignoreCase);
    return strict(
        arguments.subList(0, 1),
        values -> compiled.matcher(ValueConversion.text(values.get(0))).matches());
  }

  private static Object literal(Expr.Call call, int index) {
    return ((Expr.Literal) call.arguments().get(index)).value();
  }
}
