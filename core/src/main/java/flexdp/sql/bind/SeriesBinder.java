package flexdp.sql.bind;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.policy.Type;
import flexdp.sql.function.FunctionFinder;
import flexdp.sql.function.Rejections;
import flexdp.sql.function.TypeRules;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;

/**
 * GENERATE_SERIES(from, to [, step]) and RANGE([from,] end [, step]) of constants in FROM: public
 * rows, as if written as VALUES. RANGE stops before its end.
 */
final class SeriesBinder {
  private static final int MOST = 1_000;

  /** Later days are not in every month, and databases step over them in ways of their own. */
  private static final int LAST_DAY_OF_EVERY_MONTH = 28;

  private static final long DAY = 86_400_000_000L;

  private SeriesBinder() {}

  static Relation bind(SqlCall call, TableExpressions ctes, BindingContext binder) {
    String name = FunctionFinder.nameOf(call);
    boolean range = name.equals("RANGE");
    boolean days = name.equals("GENERATE_DATE_ARRAY");
    if (!range && !days && !name.equals("GENERATE_SERIES") && !name.equals("GENERATE_ARRAY")) {
      throw Rejections.unsupported(
          "The function " + name.toLowerCase(Locale.ROOT) + " in FROM",
          "Name a table, or a subquery in brackets.",
          call);
    }
    List<Expr.Literal> ends = new ArrayList<>();
    ExpressionContext place =
        ExpressionContext.of(Scope.EMPTY, ctes, "FROM", new ExpressionInputs());
    for (SqlNode node : call.getOperandList()) {
      Expr bound = binder.expressions.bind(node, place);
      boolean moment = days || !ends.isEmpty() && ends.getFirst().type().isDateTime();
      Expr end = moment && ends.size() < 2 ? TypeRules.meetDate(bound, Rejections.at(node)) : bound;
      if (!(end instanceof Expr.Literal literal) || literal.isNull()) {
        throw wrong(call);
      }
      ends.add(literal);
    }
    if (days && ends.size() == 2) {
      ends.add(new Expr.Literal(DAY, Type.INTERVAL_MICROS));
    }
    if (range && ends.size() == 1) {
      ends.addFirst(Exprs.integer(0));
    }
    if (ends.size() < 2 || ends.size() > 3) {
      throw wrong(call);
    }
    List<Expr.Literal> values =
        ends.getFirst().value() instanceof BigDecimal
            ? numbers(ends, range, call)
            : moments(ends, range, days, call);
    if (values.isEmpty()) {
      throw Rejections.types(
          "The series has no values.", "Write ends in order.", Rejections.at(call));
    }
    Column column =
        binder.ids.column(name.toLowerCase(Locale.ROOT), values.getFirst().type(), false);
    return new Relation.Values(List.of(column), values.stream().map(List::of).toList());
  }

  /** UNNEST(ARRAY[…]) of constants, and of GENERATE_ARRAY and GENERATE_DATE_ARRAY. */
  static Relation unnested(SqlCall call, TableExpressions ctes, BindingContext binder) {
    List<SqlNode> elements = DialectMeanings.elements(call.operand(0));
    if (elements == null) {
      if (call.operand(0) instanceof SqlCall inner
          && FunctionFinder.nameOf(inner).startsWith("GENERATE_")) {
        return bind(inner, ctes, binder);
      }
      throw wrong(call);
    }
    ExpressionContext place =
        ExpressionContext.of(Scope.EMPTY, ctes, "FROM", new ExpressionInputs());
    List<Expr> exprs = new ArrayList<>();
    for (SqlNode node : elements) {
      exprs.add(binder.expressions.bind(node, place));
    }
    List<List<Expr.Literal>> rows = new ArrayList<>();
    for (Expr expr : TypeRules.unify(exprs, Rejections.at(call))) {
      if (!(expr instanceof Expr.Literal literal) || literal.isNull()) {
        throw wrong(call);
      }
      rows.add(List.of(literal));
    }
    if (rows.isEmpty() || rows.size() > MOST) {
      throw wrong(call);
    }
    Column column = binder.ids.column("unnest", rows.getFirst().getFirst().type(), false);
    return new Relation.Values(List.of(column), rows);
  }

  private static List<Expr.Literal> numbers(List<Expr.Literal> ends, boolean range, SqlCall call) {
    BigDecimal[] of = new BigDecimal[] {null, null, BigDecimal.ONE};
    for (int i = 0; i < ends.size(); i++) {
      if (!ends.get(i).type().isInteger() || !(ends.get(i).value() instanceof BigDecimal number)) {
        throw wrong(call);
      }
      of[i] = number;
    }
    int sign = of[2].signum();
    if (sign == 0) {
      throw wrong(call);
    }
    List<Expr.Literal> values = new ArrayList<>();
    for (BigDecimal next = of[0];
        isBefore(next.compareTo(of[1]) * sign, range);
        next = next.add(of[2])) {
      add(values, new Expr.Literal(next, Type.BIGINT), call);
    }
    return values;
  }

  private static List<Expr.Literal> moments(
      List<Expr.Literal> ends, boolean range, boolean days, SqlCall call) {
    if (ends.size() != 3
        || !ends.get(2).type().isInterval()
        || !(ends.get(2).value() instanceof Long step)
        || step <= 0) {
      throw wrong(call);
    }
    boolean months = ends.get(2).type().kind() == Type.Kind.INTERVAL_MONTHS;
    LocalDateTime next = moment(ends.get(0), call);
    LocalDateTime last = moment(ends.get(1), call);
    if (months && next.getDayOfMonth() > LAST_DAY_OF_EVERY_MONTH) {
      throw wrong(call);
    }
    List<Expr.Literal> values = new ArrayList<>();
    while (isBefore(next.compareTo(last), range)) {
      add(
          values,
          days
              ? new Expr.Literal(next.toLocalDate(), Type.DATE)
              : new Expr.Literal(next, Type.TIMESTAMP),
          call);
      next = months ? next.plusMonths(step) : next.plus(step, ChronoUnit.MICROS);
    }
    return values;
  }

  private static LocalDateTime moment(Expr.Literal literal, SqlCall call) {
    return switch (literal.value()) {
      case LocalDate day -> day.atStartOfDay();
      case LocalDateTime at -> at;
      case null, default -> throw wrong(call);
    };
  }

  private static boolean isBefore(int comparison, boolean range) {
    return range ? comparison < 0 : comparison <= 0;
  }

  private static void add(List<Expr.Literal> values, Expr.Literal value, SqlCall call) {
    if (values.size() == MOST) {
      throw Rejections.types(
          "The series has more than " + MOST + " values.", "Ask for fewer.", Rejections.at(call));
    }
    values.add(value);
  }

  private static Rejection wrong(SqlCall call) {
    return Rejections.types(
        "A series needs constants: two whole numbers and a step, or two dates and an interval.",
        "Write generate_series(1, 12) or generate_series(DATE '2024-01-01', DATE '2024-12-01',"
            + " INTERVAL '1' MONTH).",
        Rejections.at(call));
  }
}
