package flexdp.gateway.render;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.question.Measurement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The columns of tables that a statement may read as they are stored, though they may hold values
 * without a form: wherever it uses them, such a value is to no more effect than NULL. Conditions
 * compare them with constants, and say in addition that the value has a form; sums clamp them,
 * which leaves such values out. Nobody pays for the form where nothing depends on it, and
 * conditions are still looked up in indexes.
 */
final class BareColumns {
  private final Dialect dialect;
  private final Set<Integer> stored = new HashSet<>();
  private final Set<Integer> formed = new HashSet<>();

  private BareColumns(Dialect dialect) {
    this.dialect = dialect;
  }

  /** Of what a release point reads. */
  static Set<Integer> of(
      Dialect dialect, Relation input, List<Column> keys, List<Measurement> measurements) {
    BareColumns columns = new BareColumns(dialect);
    keys.forEach(k -> columns.formed.add(k.id()));
    for (Measurement measurement : measurements) {
      measurement.filter().ifPresent(columns::condition);
      switch (measurement) {
        case Measurement.Count count -> count.argument().ifPresent(columns::value);
        case Measurement.CountDistinct count -> columns.value(count.value());
        case Measurement.Sum sum -> columns.clamped(sum.value());
        case Measurement.Quantile quantile -> columns.clamped(quantile.value());
      }
    }
    Tree.visit(input, columns::relation);
    columns.stored.removeAll(columns.formed);
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
        add(aggregate.keys(), formed);
        Tree.expressions(relation, this::value);
      }
      case Relation.Distinct distinct -> add(distinct.columns(), formed);
      case Relation.SetOperation operation -> {
        add(operation.left().columns(), formed);
        add(operation.right().columns(), formed);
      }
      case Relation.Values ignored -> {}
      case Relation.Released ignored -> {}
      case Relation.Where ignored -> Tree.expressions(relation, this::value);
      case Relation.Attach ignored -> Tree.expressions(relation, this::value);
      case Relation.Limit ignored -> Tree.expressions(relation, this::value);
      case Relation.TopRows ignored -> Tree.expressions(relation, this::value);
      case Relation.Window ignored -> Tree.expressions(relation, this::value);
    }
  }

  private static boolean isSame(Relation.Project.Output output) {
    return output.expr() instanceof Expr.Ref ref && ref.column() == output.column().id();
  }

  private static void add(List<Column> columns, Set<Integer> to) {
    columns.forEach(c -> to.add(c.id()));
  }

  private void value(Expr expr) {
    formed.addAll(Tree.references(expr));
  }

  private void clamped(Expr expr) {
    if (!dialect.sumsBare(expr)) {
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
            && dialect.comparesBare(ref.type())
            && constants.stream()
                .allMatch(c -> c instanceof Expr.Literal && c.type().equals(ref.type()));
    if (!bare) {
      value(call);
    }
  }
}
