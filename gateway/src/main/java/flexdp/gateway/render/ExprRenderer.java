package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.TimeBudget;
import flexdp.policy.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders expressions. Columns are read by their generated names, c and the id. */
final class ExprRenderer {
  private final TargetDialect dialect;

  /** Outputs of EXISTS subqueries, which stand in the predicate itself. */
  private final Map<Integer, String> inPlace;

  /** Columns that are read as they are stored. */
  private final Set<Integer> bare;

  ExprRenderer(TargetDialect dialect, Map<Integer, String> inPlace, Set<Integer> bare) {
    this.dialect = dialect;
    this.inPlace = Map.copyOf(inPlace);
    this.bare = bare;
  }

  static String name(int column) {
    return "c" + column;
  }

  RenderedExpression operand(Expr expr) {
    return new RenderedExpression(expr, sql(expr));
  }

  String sql(Expr expr) {
    TimeBudget.step();
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
    TypeAgreement.require(type, value.type());
    return sql(value);
  }

  /**
   * {@code NOT a = b} is {@code a <> b}, which databases know too; the dialect decides how to say
   * it.
   */
  String negated(Expr expr) {
    return expr instanceof Expr.Call call && call.function() == Function.EQ
        ? compare("<>", call.arguments())
        : "(NOT " + sql(expr) + ")";
  }

  private String call(Expr.Call call) {
    return switch (FunctionTable.of(call.function())) {
      case FunctionTable.Alike alike -> alike.written().apply(this, call);
      case FunctionTable.Each ignored -> spelled(call);
    };
  }

  /** Where values meet, or one of them is chosen, all have one type. */
  private static void requireOneType(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    switch (call.function()) {
      case LEAST, GREATEST -> TypeAgreement.require(call.type(), arguments);
      case DATE_DIFF -> TypeAgreement.require(arguments.get(1).type(), arguments.get(2).type());
      case MINUS -> {
        if (arguments.getFirst().type().isDateTime()) {
          TypeAgreement.require(Type.TIMESTAMP, arguments);
        }
      }
      default -> {}
    }
  }

  private String spelled(Expr.Call call) {
    requireOneType(call);
    String sql = unformedCall(call);
    return passesOnNonCanonical(call) ? dialect.canonicalize(sql, call.type()) : sql;
  }

  private boolean passesOnNonCanonical(Expr.Call call) {
    return dialect.nonCanonical().keeps(call);
  }

  /** A condition of which only whether it is true matters. */
  String condition(Expr expr) {
    if (!(expr instanceof Expr.Call call)) {
      return sql(expr);
    }
    return switch (call.function()) {
      case AND -> conditions(call, " AND ");
      case OR -> conditions(call, " OR ");
      case EQ -> uncanonicalizedComparison("=", call).orElseGet(() -> sql(call));
      case LT -> uncanonicalizedComparison("<", call).orElseGet(() -> sql(call));
      case LE -> uncanonicalizedComparison("<=", call).orElseGet(() -> sql(call));
      case GT -> uncanonicalizedComparison(">", call).orElseGet(() -> sql(call));
      case GE -> uncanonicalizedComparison(">=", call).orElseGet(() -> sql(call));
      default -> sql(call);
    };
  }

  private String conditions(Expr.Call call, String separator) {
    return call.arguments().stream()
        .map(this::condition)
        .collect(Collectors.joining(separator, "(", ")"));
  }

  private Optional<String> uncanonicalizedComparison(String operator, Expr.Call call) {
    TypeAgreement.require(call.arguments().get(0).type(), call.arguments());
    Expr left = call.arguments().get(0);
    Expr right = call.arguments().get(1);
    FloatCondition condition = new FloatCondition(dialect, this::sql);
    if (isNonCanonical(left) && isNumber(right)) {
      return Optional.of(condition.of(uncanonicalized(left), operator, (Expr.Literal) right));
    }
    return isNumber(left) && isNonCanonical(right)
        ? Optional.of(condition.of(uncanonicalized(right), mirrored(operator), (Expr.Literal) left))
        : Optional.empty();
  }

  private static String mirrored(String operator) {
    return operator.startsWith("<") ? operator.replace('<', '>') : operator.replace('>', '<');
  }

  /** Whether it is computed of floats by functions whose results are brought into form. */
  boolean isNonCanonical(Expr expr) {
    return expr instanceof Expr.Call call && passesOnNonCanonical(call);
  }

  private static boolean isNumber(Expr expr) {
    return expr instanceof Expr.Literal literal
        && literal.value() instanceof Double number
        && Double.isFinite(number);
  }

  /** Without a form, for a clamp that leaves out what has none. */
  String clampable(Expr expr) {
    return uncanonicalized(expr).sql();
  }

  /** Sums and products of floats are brought into form once, however many there are. */
  private String unformedCall(Expr.Call call) {
    boolean keeps = passesOnNonCanonical(call);
    return dialect.call(
        call.function(),
        call.arguments().stream().map(a -> keeps ? uncanonicalized(a) : operand(a)).toList(),
        call.type());
  }

  private RenderedExpression uncanonicalized(Expr expr) {
    return expr instanceof Expr.Call call && passesOnNonCanonical(call)
        ? new RenderedExpression(expr, unformedCall(call))
        : operand(expr);
  }

  /** The first argument. */
  String first(Expr.Call call) {
    return sql(call.arguments().getFirst());
  }

  String truth(String sql, boolean negated, boolean value) {
    return dialect.truth(sql, negated, value);
  }

  String isPositive(Expr.Call call) {
    return dialect.truth(Sql.of("({x} > 0)", first(call)), false, true);
  }

  String coalesce(Expr.Call call) {
    return call.arguments().stream()
        .map(a -> typed(a, call.type()))
        .collect(Collectors.joining(", ", "COALESCE(", ")"));
  }

  String joined(List<Expr> arguments, String separator) {
    return arguments.stream().map(this::sql).collect(Collectors.joining(separator, "(", ")"));
  }

  String distinctness(boolean distinct, List<Expr> arguments) {
    TypeAgreement.require(arguments.get(0).type(), arguments);
    return dialect.distinctness(distinct, operand(arguments.get(0)), operand(arguments.get(1)));
  }

  String compare(String operator, List<Expr> arguments) {
    TypeAgreement.require(arguments.get(0).type(), arguments);
    RenderedExpression left = operand(arguments.get(0));
    RenderedExpression right = operand(arguments.get(1));
    String sql = dialect.compare(operator, left, right);
    List<String> edges = edges(operator, left, right);
    return edges.isEmpty() ? sql : "(" + sql + " AND " + String.join(" AND ", edges) + ")";
  }

  /**
   * What is stored beyond all values is not greater than a constant, but NULL. Of two columns, the
   * greater one is not beyond the last value nor the less one before the first, and what lies
   * between them has a form; equal ones have one if either has.
   */
  private List<String> edges(String operator, RenderedExpression left, RenderedExpression right) {
    boolean up = operator.startsWith(">");
    boolean columns = isUnchecked(left) && isUnchecked(right);
    if (operator.equals("=")) {
      return columns
          ? Stream.of(true, false)
              .flatMap(above -> dialect.nonCanonical().edge(left, above).stream())
              .toList()
          : List.of();
    }
    return Stream.concat(
            isUnchecked(left) ? dialect.nonCanonical().edge(left, up).stream() : Stream.empty(),
            isUnchecked(right) ? dialect.nonCanonical().edge(right, !up).stream() : Stream.empty())
        .toList();
  }

  private boolean isUnchecked(RenderedExpression operand) {
    return operand.expr() instanceof Expr.Ref ref && bare.contains(ref.column());
  }

  String inList(List<Expr> arguments) {
    Expr value = arguments.get(0);
    List<Expr> list = arguments.subList(1, arguments.size());
    if (list.isEmpty()) {
      return "FALSE";
    }
    TypeAgreement.require(value.type(), list);
    return "(" + sql(value) + " IN " + joined(list, ", ") + ")";
  }

  String nullIf(Expr.Call call) {
    List<Expr> arguments = call.arguments();
    TypeAgreement.require(call.type(), arguments);
    RenderedExpression left = operand(arguments.get(0));
    String equal = dialect.compare("=", left, operand(arguments.get(1)));
    return "CASE WHEN " + equal + " THEN NULL ELSE " + left.sql() + " END";
  }
}
