package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Subquery;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * Analyses that do not see the conversions in one kind of place, as if a column had the other type
 * from the start and kept its frequency. Each has to give a bound below a true change.
 */
enum Blindness {
  MERGING_SET_OPERATIONS,
  NULLING_SET_OPERATIONS,
  MERGING_EQUALITIES,
  MERGING_NULL_SAFE_EQUALITIES,
  NULLING_NULL_SAFE_EQUALITIES,
  MERGING_SUBQUERIES,
  VALUES;

  Relation seen(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan -> scan;
      case Relation.Released released -> released;
      case Relation.Values values -> this == VALUES ? different(values) : values;
      case Relation.Filter r -> new Relation.Filter(seen(r.input()), r.predicate());
      case Relation.Project r -> new Relation.Project(seen(r.input()), r.outputs());
      case Relation.Join r ->
          new Relation.Join(
              r.kind(), seen(r.left()), seen(r.right()), condition(r.condition()), r.at());
      case Relation.Where r ->
          new Relation.Where(
              seen(r.input()), r.subqueries().stream().map(this::seen).toList(), r.predicate());
      case Relation.Attach r ->
          new Relation.Attach(
              seen(r.input()),
              r.subqueries().stream().map(s -> (Subquery.Scalar) seen(s)).toList());
      case Relation.Distinct r -> new Relation.Distinct(seen(r.input()));
      case Relation.Aggregate r ->
          new Relation.Aggregate(
              seen(r.input()),
              r.keys(),
              r.groupingSets(),
              r.calls(),
              r.groupingIds(),
              r.having(),
              r.visible(),
              r.at());
      case Relation.SetOperation r ->
          new Relation.SetOperation(
              r.kind(), r.all(), side(r.left()), side(r.right()), r.columns(), r.at());
      case Relation.Limit r ->
          new Relation.Limit(seen(r.input()), r.order(), r.offset(), r.count(), r.at());
      case Relation.TopRows r -> r.over(seen(r.input()));
      case Relation.Window r -> new Relation.Window(seen(r.input()), r.calls());
    };
  }

  private Subquery seen(Subquery subquery) {
    return switch (subquery) {
      case Subquery.Exists s ->
          new Subquery.Exists(
              s.output(), s.negated(), seen(s.relation()), correlation(s.condition()), s.at());
      case Subquery.Scalar s ->
          new Subquery.Scalar(
              s.output(),
              seen(s.relation()),
              correlation(s.condition()),
              s.calls(),
              s.value(),
              s.at());
    };
  }

  private Expr correlation(Expr condition) {
    return this == MERGING_SUBQUERIES ? blind(condition, Function.EQ, true) : condition;
  }

  private Expr condition(Expr condition) {
    return switch (this) {
      case MERGING_EQUALITIES -> blind(condition, Function.EQ, true);
      case MERGING_NULL_SAFE_EQUALITIES -> blind(condition, Function.IS_NOT_DISTINCT, true);
      case NULLING_NULL_SAFE_EQUALITIES -> blind(condition, Function.IS_NOT_DISTINCT, false);
      default -> condition;
    };
  }

  private static Expr blind(Expr condition, Function function, boolean merging) {
    if (!(condition instanceof Expr.Call call)) {
      return condition;
    }
    boolean here = call.function() == function;
    if (!here && call.function() != Function.AND) {
      return condition;
    }
    List<Expr> arguments =
        call.arguments().stream()
            .map(a -> here ? unconverted(a, merging) : blind(a, function, merging))
            .toList();
    return new Expr.Call(call.function(), arguments, call.type());
  }

  private Relation side(Relation relation) {
    boolean merging = this == MERGING_SET_OPERATIONS;
    if (!merging && this != NULLING_SET_OPERATIONS
        || !(relation instanceof Relation.Project project)) {
      return seen(relation);
    }
    List<Output> outputs = new ArrayList<>();
    for (Output output : project.outputs()) {
      outputs.add(new Output(output.column(), unconverted(output.expr(), merging)));
    }
    return new Relation.Project(seen(project.input()), outputs);
  }

  private static Expr unconverted(Expr expr, boolean merging) {
    return expr instanceof Expr.Cast cast
            && cast.operand() instanceof Expr.Ref ref
            && (cast.type().kind() == Type.Kind.DOUBLE) == merging
        ? new Expr.Ref(ref.column(), cast.type())
        : expr;
  }

  /** As if no two of the constants were equal. */
  private static Relation different(Relation.Values values) {
    List<Column> columns = new ArrayList<>();
    values.columns().forEach(c -> columns.add(new Column(c.id(), c.name(), c.type(), false)));
    List<List<Expr.Literal>> rows = new ArrayList<>();
    for (int i = 0; i < values.rows().size(); i++) {
      List<Expr.Literal> row = new ArrayList<>();
      for (Column column : columns) {
        row.add(new Expr.Literal(distinct(i, column.type()), column.type()));
      }
      rows.add(row);
    }
    return new Relation.Values(columns, rows);
  }

  private static Object distinct(int i, Type type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> BigDecimal.valueOf(i);
      case DOUBLE -> (double) i;
      case VARCHAR -> String.valueOf(i);
      case DATE -> LocalDate.EPOCH.plusDays(i);
      case TIMESTAMP -> LocalDate.EPOCH.plusDays(i).atStartOfDay();
      case BOOLEAN, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL ->
          throw new IllegalArgumentException("not among the mixed types: " + type);
    };
  }
}
