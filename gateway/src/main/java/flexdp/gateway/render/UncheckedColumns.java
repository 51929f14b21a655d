package flexdp.gateway.render;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of tables that a statement may read as they are stored, though they may hold values
 * without a form: wherever it uses them, such a value is to no more effect than NULL. Conditions
 * compare them with constants, and say in addition that the value has a form; sums clamp them,
 * which leaves such values out; counts look for the form themselves; sums and products of floats
 * are NULL beside such a value. Nobody pays for the form where nothing depends on it, and
 * conditions are still looked up in indexes.
 *
 * <p>Where a bound may rest on a column's never being NULL, its rows without a value are left out
 * where it is read, so there only comparisons and clamped sums may have it bare, for they need no
 * such promise.
 */
final class UncheckedColumns {
  private final TargetDialect dialect;
  private final Set<Integer> stored = new HashSet<>();
  private final Set<Integer> canonical = new HashSet<>();
  private final boolean filled;

  private UncheckedColumns(TargetDialect dialect, boolean filled) {
    this.dialect = dialect;
    this.filled = filled;
  }

  /**
   * Of what a release point reads.
   *
   * @param filled whether a bound may rest on a column's never being NULL
   */
  static Set<Integer> of(
      TargetDialect dialect,
      Relation input,
      List<Column> keys,
      List<Measurement> measurements,
      boolean filled) {
    UncheckedColumns columns = new UncheckedColumns(dialect, filled);
    keys.forEach(k -> columns.canonical.add(k.id()));
    for (Measurement measurement : measurements) {
      measurement.filter().ifPresent(columns::condition);
      measurement
          .argument()
          .ifPresent(measurement.clamping().isPresent() ? columns::clamped : columns::counted);
    }
    AlgebraWalker.visit(input, columns::relation);
    columns.stored.removeAll(columns.canonical);
    return Set.copyOf(columns.stored);
  }

  private void relation(Relation relation) {
    switch (relation) {
      case Relation.Scan scan -> add(scan.columns(), stored);
      case Relation.Filter filter -> condition(filter.predicate());
      case Relation.Join join -> condition(join.condition());
      case Relation.Project project ->
          project.outputs().stream().filter(o -> !isSame(o)).forEach(o -> value(o.expr()));
      case Relation.Aggregate aggregate -> {
        add(aggregate.keys(), canonical);
        AlgebraWalker.expressions(relation, this::value);
      }
      case Relation.Distinct distinct -> add(distinct.columns(), canonical);
      case Relation.SetOperation operation -> {
        add(operation.left().columns(), canonical);
        add(operation.right().columns(), canonical);
      }
      case Relation.Leaf ignored -> {}
      case Relation.Selection ignored -> AlgebraWalker.expressions(relation, this::value);
      case Relation.Extension ignored -> AlgebraWalker.expressions(relation, this::value);
    }
  }

  private static boolean isSame(Relation.Project.Output output) {
    return output.expr() instanceof Expr.Ref ref && ref.column() == output.column().id();
  }

  private static void add(List<Column> columns, Set<Integer> to) {
    columns.forEach(c -> to.add(c.id()));
  }

  private void value(Expr expr) {
    switch (expr) {
      case Expr.Ref ref -> canonical.add(ref.column());
      case Expr.Call call when !filled && absorbs(call) ->
          call.arguments().stream().filter(a -> !isFloat(a)).forEach(this::value);
      case Expr.Call call -> call.arguments().forEach(this::value);
      case Expr.Literal ignored -> {}
      case Expr.Cast cast -> value(cast.operand());
      case Expr.Case choice -> {
        choice
            .branches()
            .forEach(
                branch -> {
                  value(branch.condition());
                  value(branch.value());
                });
        choice.otherwise().ifPresent(this::value);
      }
    }
  }

  private boolean absorbs(Expr.Call call) {
    return dialect.nonCanonical().absorbs(call);
  }

  private static boolean isFloat(Expr expr) {
    return expr instanceof Expr.Ref && expr.type().kind() == Type.Kind.DOUBLE;
  }

  /** A column that is counted is looked at where it is counted. */
  private void counted(Expr expr) {
    boolean late =
        !filled
            && expr instanceof Expr.Ref
            && dialect.nonCanonical().condition("", expr.type()).isPresent();
    if (!late) {
      value(expr);
    }
  }

  private void clamped(Expr expr) {
    if (!dialect.nonCanonical().summed().test(expr)) {
      value(expr);
    }
  }

  /** Only whether it is true matters: false and NULL are alike. */
  private void condition(Expr expr) {
    if (expr instanceof Expr.Call call) {
      switch (call.function()) {
        case AND, OR -> call.arguments().forEach(this::condition);
        case EQ, LT, LE, GT, GE, IN_LIST -> comparison(call);
        default -> value(expr);
      }
    } else {
      value(expr);
    }
  }

  private void comparison(Expr.Call call) {
    List<Expr> constants = new ArrayList<>(call.arguments());
    Expr column = constants.remove(constants.getFirst() instanceof Expr.Literal ? 1 : 0);
    boolean bare =
        column instanceof Expr.Ref ref
            && dialect.nonCanonical().compares(ref.type(), isEquality(call))
            && constants.stream()
                .allMatch(c -> c instanceof Expr.Literal && c.type().equals(ref.type()));
    if (!bare && !isOfColumns(call)) {
      value(call);
    }
  }

  private boolean isOfColumns(Expr.Call call) {
    return call.function() != Function.IN_LIST
        && call.arguments().stream()
            .allMatch(
                a -> a instanceof Expr.Ref && dialect.nonCanonical().comparesColumns(a.type()));
  }

  private static boolean isEquality(Expr.Call call) {
    return call.function() == Function.EQ || call.function() == Function.IN_LIST;
  }
}
