package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Renders expressions. Columns are read by their generated names, c and the id. */
final class Expressions {
  private final Dialect dialect;

  /** Outputs of EXISTS subqueries, which stand in the predicate itself. */
  private final Map<Integer, String> inPlace;

  Expressions(Dialect dialect, Map<Integer, String> inPlace) {
    this.dialect = dialect;
    this.inPlace = Map.copyOf(inPlace);
  }

  static String name(int column) {
    return "c" + column;
  }

  Operand operand(Expr expr) {
    return new Operand(expr, sql(expr));
  }

  String sql(Expr expr) {
    return switch (expr) {
      case Expr.Ref ref -> inPlace.getOrDefault(ref.column(), name(ref.column()));
      case Expr.Literal literal -> dialect.literal(literal);
      case Expr.Cast cast -> dialect.cast(sql(cast.operand()), cast.operand().type(), cast.type());
      case Expr.Case choice -> choice(choice);
      case Expr.Call call -> call(call);
    };
  }

  private String choice(Expr.Case choice) {
    StringBuilder text = new StringBuilder("CASE");
    for (Expr.Case.Branch branch : choice.branches()) {
      text.append(" WHEN ").append(sql(branch.condition()));
      text.append(" THEN ").append(converted(branch.value(), choice));
    }
    choice.otherwise().ifPresent(e -> text.append(" ELSE ").append(converted(e, choice)));
    return text.append(" END").toString();
  }

  /** A branch in the type of the whole, so that no implicit conversion is left to the database. */
  private String converted(Expr value, Expr whole) {
    return value.type().equals(whole.type())
        ? sql(value)
        : dialect.cast(sql(value), value.type(), whole.type());
  }

  /** NOT a = b is a <> b, which databases know too; the dialect decides how to say it. */
  private String negated(Expr expr) {
    return expr instanceof Expr.Call call && call.function() == Function.EQ
        ? dialect.compare("<>", operand(call.arguments().get(0)), operand(call.arguments().get(1)))
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
      case IS_DISTINCT ->
          dialect.distinctness(true, operand(arguments.get(0)), operand(arguments.get(1)));
      case IS_NOT_DISTINCT ->
          dialect.distinctness(false, operand(arguments.get(0)), operand(arguments.get(1)));
      case IN_LIST -> inList(arguments);
      case COALESCE ->
          arguments.stream()
              .map(a -> converted(a, call))
              .collect(Collectors.joining(", ", "COALESCE(", ")"));
      case NULLIF -> nullIf(arguments);
      case INTERVAL_LOW, INTERVAL_HIGH ->
          throw new IllegalArgumentException("computed above release points: " + call.function());
      case LEAST,
          GREATEST,
          PLUS,
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
          POWER,
          CONCAT,
          LOWER,
          UPPER,
          TRIM,
          LTRIM,
          RTRIM,
          SUBSTRING,
          CHAR_LENGTH,
          POSITION,
          REPLACE,
          LEFT,
          RIGHT,
          REVERSE,
          LIKE,
          ILIKE,
          STARTS_WITH,
          EXTRACT,
          DATE_TRUNC,
          DATE_ADD,
          DATE_DIFF ->
          dialect.call(
              call.function(), arguments.stream().map(this::operand).toList(), call.type());
    };
  }

  private String joined(List<Expr> arguments, String separator) {
    return arguments.stream().map(this::sql).collect(Collectors.joining(separator, "(", ")"));
  }

  private String compare(String operator, List<Expr> arguments) {
    return dialect.compare(operator, operand(arguments.get(0)), operand(arguments.get(1)));
  }

  /** Plain IN when every type is the same; else one comparison each, which know about types. */
  private String inList(List<Expr> arguments) {
    Expr value = arguments.get(0);
    List<Expr> list = arguments.subList(1, arguments.size());
    if (list.isEmpty()) {
      return "FALSE";
    }
    if (list.stream().allMatch(e -> e.type().equals(value.type()))) {
      return "(" + sql(value) + " IN " + joined(list, ", ") + ")";
    }
    Operand left = operand(value);
    return list.stream()
        .map(e -> dialect.compare("=", left, operand(e)))
        .collect(Collectors.joining(" OR ", "(", ")"));
  }

  private String nullIf(List<Expr> arguments) {
    Operand left = operand(arguments.get(0));
    String equal = dialect.compare("=", left, operand(arguments.get(1)));
    return "CASE WHEN " + equal + " THEN NULL ELSE " + left.sql() + " END";
  }
}
