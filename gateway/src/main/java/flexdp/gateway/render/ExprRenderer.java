package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.Patience;
import flexdp.policy.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders expressions. Columns are read by their generated names, c and the id. */
final class ExprRenderer {
  private final Dialect dialect;

  /** Outputs of EXISTS subqueries, which stand in the predicate itself. */
  private final Map<Integer, String> inPlace;

  /** Columns that are read as they are stored. */
  private final Set<Integer> bare;

  ExprRenderer(Dialect dialect, Map<Integer, String> inPlace, Set<Integer> bare) {
    this.dialect = dialect;
    this.inPlace = Map.copyOf(inPlace);
    this.bare = bare;
  }

  static String name(int column) {
    return "c" + column;
  }

  Operand operand(Expr expr) {
    return new Operand(expr, sql(expr));
  }

  String sql(Expr expr) {
    Patience.step();
    return switch (expr) {
      case Expr.Ref ref -> inPlace.getOrDefault(ref.column(), name(ref.column()));
      case Expr.Literal literal -> dialect.literal(literal);
      case Expr.Cast cast -> dialect.cast(sql(cast.operand()), cast.operand().type(), cast.type());
      case Expr.Case choice -> choice(choice);
      case Expr.Call call -> call(call);
    };
  }

  /** What ORDER BY says of it. */
  String sorted(Expr expr) {
    return dialect.ordered(sql(expr), expr.type());
  }

  private String choice(Expr.Case choice) {
    StringBuilder text = new StringBuilder("CASE");
    for (Expr.Case.Branch branch : choice.branches()) {
      text.append(" WHEN ").append(sql(branch.condition()));
      text.append(" THEN ").append(typed(branch.value(), choice.type()));
    }
    choice.otherwise().ifPresent(e -> text.append(" ELSE ").append(typed(e, choice.type())));
    return text.append(" END").toString();
  }

  private String typed(Expr value, Type type) {
    SameType.require(type, value.type());
    return sql(value);
  }

  /**
   * {@code NOT a = b} is {@code a <> b}, which databases know too; the dialect decides how to say
   * it.
   */
  private String negated(Expr expr) {
    return expr instanceof Expr.Call call && call.function() == Function.EQ
        ? compare("<>", call.arguments())
        : "(NOT " + sql(expr) + ")";
  }

  private String call(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    return switch (call.function()) {
      case AND -> joined(arguments, " AND ");
      case OR -> joined(arguments, " OR ");
      case NOT -> negated(arguments.get(0));
      case IS_NULL -> "(" + sql(arguments.get(0)) + " IS NULL)";
      case IS_NOT_NULL -> "(" + sql(arguments.get(0)) + " IS NOT NULL)";
      case IS_TRUE -> dialect.truth(sql(arguments.get(0)), false, true);
      case IS_NOT_TRUE -> dialect.truth(sql(arguments.get(0)), true, true);
      case IS_FALSE -> dialect.truth(sql(arguments.get(0)), false, false);
      case IS_NOT_FALSE -> dialect.truth(sql(arguments.get(0)), true, false);
      case EQ -> compare("=", arguments);
      case NE -> compare("<>", arguments);
      case LT -> compare("<", arguments);
      case LE -> compare("<=", arguments);
      case GT -> compare(">", arguments);
      case GE -> compare(">=", arguments);
      case IS_DISTINCT -> distinctness(true, arguments);
      case IS_NOT_DISTINCT -> distinctness(false, arguments);
      case IN_LIST -> inList(arguments);
      case COALESCE ->
          arguments.stream()
              .map(a -> typed(a, call.type()))
              .collect(Collectors.joining(", ", "COALESCE(", ")"));
      case NULLIF -> nullIf(call);
      // Below the noise there is none.
      case EXCEEDS_NOISE -> dialect.truth("(" + sql(arguments.getFirst()) + " > 0)", false, true);
      case INTERVAL_LOW, INTERVAL_HIGH ->
          throw new IllegalArgumentException("computed above release points: " + call.function());
      case LEAST -> chosen(Spelled.LEAST, call);
      case GREATEST -> chosen(Spelled.GREATEST, call);
      case PLUS -> spelled(Spelled.PLUS, call);
      case MINUS -> difference(call);
      case TIMES -> spelled(Spelled.TIMES, call);
      case DIVIDE -> spelled(Spelled.DIVIDE, call);
      case MOD -> spelled(Spelled.MOD, call);
      case NEGATE -> spelled(Spelled.NEGATE, call);
      case ABS -> spelled(Spelled.ABS, call);
      case SIGN -> spelled(Spelled.SIGN, call);
      case FLOOR -> spelled(Spelled.FLOOR, call);
      case CEIL -> spelled(Spelled.CEIL, call);
      case ROUND -> spelled(Spelled.ROUND, call);
      case SQRT -> spelled(Spelled.SQRT, call);
      case LN -> spelled(Spelled.LN, call);
      case LOG10 -> spelled(Spelled.LOG10, call);
      case EXP -> spelled(Spelled.EXP, call);
      case POWER -> spelled(Spelled.POWER, call);
      case CONCAT -> spelled(Spelled.CONCAT, call);
      case LOWER -> spelled(Spelled.LOWER, call);
      case LOWER_ASCII -> spelled(Spelled.LOWER_ASCII, call);
      case UPPER_ASCII -> spelled(Spelled.UPPER_ASCII, call);
      case UPPER -> spelled(Spelled.UPPER, call);
      case TRIM -> spelled(Spelled.TRIM, call);
      case LTRIM -> spelled(Spelled.LTRIM, call);
      case RTRIM -> spelled(Spelled.RTRIM, call);
      case SUBSTRING -> spelled(Spelled.SUBSTRING, call);
      case CHAR_LENGTH -> spelled(Spelled.CHAR_LENGTH, call);
      case BYTE_LENGTH -> spelled(Spelled.BYTE_LENGTH, call);
      case POSITION -> spelled(Spelled.POSITION, call);
      case REPLACE -> spelled(Spelled.REPLACE, call);
      case LEFT -> spelled(Spelled.LEFT, call);
      case RIGHT -> spelled(Spelled.RIGHT, call);
      case REVERSE -> spelled(Spelled.REVERSE, call);
      case LIKE -> spelled(Spelled.LIKE, call);
      case ILIKE -> spelled(Spelled.ILIKE, call);
      case STARTS_WITH -> spelled(Spelled.STARTS_WITH, call);
      case HASH -> spelled(Spelled.HASH, call);
      case EXTRACT -> spelled(Spelled.EXTRACT, call);
      case DATE_TRUNC -> spelled(Spelled.DATE_TRUNC, call);
      case DATE_ADD -> spelled(Spelled.DATE_ADD, call);
      case DATE_DIFF -> {
        SameType.require(arguments.get(1).type(), arguments.get(2).type());
        yield spelled(Spelled.DATE_DIFF, call);
      }
    };
  }

  private String spelled(Spelled function, Expr.Call call) {
    String sql = unformed(function, call);
    return dialect.keepsFormless(function, call.type()) ? dialect.formed(sql, call.type()) : sql;
  }

  /** A condition of which only whether it is true matters. */
  String condition(Expr expr) {
    if (!(expr instanceof Expr.Call call)) {
      return sql(expr);
    }
    return switch (call.function()) {
      case AND -> conditions(call, " AND ");
      case OR -> conditions(call, " OR ");
      case EQ -> unformedComparison("=", call).orElseGet(() -> sql(call));
      case LT -> unformedComparison("<", call).orElseGet(() -> sql(call));
      case LE -> unformedComparison("<=", call).orElseGet(() -> sql(call));
      case GT -> unformedComparison(">", call).orElseGet(() -> sql(call));
      case GE -> unformedComparison(">=", call).orElseGet(() -> sql(call));
      default -> sql(call);
    };
  }

  private String conditions(Expr.Call call, String separator) {
    return call.arguments().stream()
        .map(this::condition)
        .collect(Collectors.joining(separator, "(", ")"));
  }

  private Optional<String> unformedComparison(String operator, Expr.Call call) {
    SameType.require(call.arguments().get(0).type(), call.arguments());
    Expr left = call.arguments().get(0);
    Expr right = call.arguments().get(1);
    FloatCondition condition = new FloatCondition(dialect, this::sql);
    if (isUnformed(left) && isNumber(right)) {
      return Optional.of(condition.of(unformed(left), operator, (Expr.Literal) right));
    }
    return isNumber(left) && isUnformed(right)
        ? Optional.of(condition.of(unformed(right), mirrored(operator), (Expr.Literal) left))
        : Optional.empty();
  }

  private static String mirrored(String operator) {
    return operator.startsWith("<") ? operator.replace('<', '>') : operator.replace('>', '<');
  }

  /** Whether it is computed of floats by functions whose results are brought into form. */
  boolean isUnformed(Expr expr) {
    return expr instanceof Expr.Call call
        && ring(call.function()).filter(f -> dialect.keepsFormless(f, call.type())).isPresent();
  }

  private static boolean isNumber(Expr expr) {
    return expr instanceof Expr.Literal literal
        && literal.value() instanceof Double number
        && Double.isFinite(number);
  }

  /** Without a form, for a clamp that leaves out what has none. */
  String clampable(Expr expr) {
    return unformed(expr).sql();
  }

  /** Sums and products of floats are brought into form once, however many there are. */
  private String unformed(Spelled function, Expr.Call call) {
    boolean keeps = dialect.keepsFormless(function, call.type());
    return dialect.call(
        function,
        call.arguments().stream().map(a -> keeps ? unformed(a) : operand(a)).toList(),
        call.type());
  }

  private Operand unformed(Expr expr) {
    if (expr instanceof Expr.Call call) {
      Optional<Spelled> function = ring(call.function());
      if (function.filter(f -> dialect.keepsFormless(f, call.type())).isPresent()) {
        return new Operand(expr, unformed(function.get(), call));
      }
    }
    return operand(expr);
  }

  /** What the dialect may say of sums, differences and products. */
  static Optional<Spelled> ring(Function function) {
    return switch (function) {
      case PLUS -> Optional.of(Spelled.PLUS);
      case MINUS -> Optional.of(Spelled.MINUS);
      case TIMES -> Optional.of(Spelled.TIMES);
      case NEGATE -> Optional.of(Spelled.NEGATE);
      default -> Optional.empty();
    };
  }

  /** Of numbers of any type, or of two timestamps. */
  private String difference(Expr.Call call) {
    if (call.arguments().get(0).type().isDateTime()) {
      SameType.require(Type.TIMESTAMP, call.arguments());
    }
    return spelled(Spelled.MINUS, call);
  }

  private String chosen(Spelled function, Expr.Call call) {
    SameType.require(call.type(), call.arguments());
    return spelled(function, call);
  }

  private String joined(List<Expr> arguments, String separator) {
    return arguments.stream().map(this::sql).collect(Collectors.joining(separator, "(", ")"));
  }

  private String distinctness(boolean distinct, List<Expr> arguments) {
    SameType.require(arguments.get(0).type(), arguments);
    return dialect.distinctness(distinct, operand(arguments.get(0)), operand(arguments.get(1)));
  }

  private String compare(String operator, List<Expr> arguments) {
    SameType.require(arguments.get(0).type(), arguments);
    Operand left = operand(arguments.get(0));
    Operand right = operand(arguments.get(1));
    String sql = dialect.compare(operator, left, right);
    List<String> edges = edges(operator, left, right);
    return edges.isEmpty() ? sql : "(" + sql + " AND " + String.join(" AND ", edges) + ")";
  }

  /**
   * What is stored beyond all values is not greater than a constant, but NULL. Of two columns, the
   * greater one is not beyond the last value nor the less one before the first, and what lies
   * between them has a form; equal ones have one if either has.
   */
  private List<String> edges(String operator, Operand left, Operand right) {
    boolean up = operator.startsWith(">");
    boolean columns = isBare(left) && isBare(right);
    if (operator.equals("=")) {
      return columns
          ? Stream.of(true, false).flatMap(above -> dialect.edge(left, above).stream()).toList()
          : List.of();
    }
    return Stream.concat(
            isBare(left) ? dialect.edge(left, up).stream() : Stream.empty(),
            isBare(right) ? dialect.edge(right, !up).stream() : Stream.empty())
        .toList();
  }

  private boolean isBare(Operand operand) {
    return operand.expr() instanceof Expr.Ref ref && bare.contains(ref.column());
  }

  private String inList(List<Expr> arguments) {
    Expr value = arguments.get(0);
    List<Expr> list = arguments.subList(1, arguments.size());
    if (list.isEmpty()) {
      return "FALSE";
    }
    SameType.require(value.type(), list);
    return "(" + sql(value) + " IN " + joined(list, ", ") + ")";
  }

  private String nullIf(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    SameType.require(call.type(), arguments);
    Operand left = operand(arguments.get(0));
    String equal = dialect.compare("=", left, operand(arguments.get(1)));
    return "CASE WHEN " + equal + " THEN NULL ELSE " + left.sql() + " END";
  }
}
