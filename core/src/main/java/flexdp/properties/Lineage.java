package flexdp.properties;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.TimeBudget;
import flexdp.policy.ColumnSpec;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Where the values of a column come from.
 *
 * @param relation the smallest operator known to make the column: a scan, the largest public
 *     relation it passes through, or the operator that computes it
 * @param padded whether an outer join above may have put NULL in its place
 */
public record Lineage(Relation relation, Column column, boolean padded) {

  public static Lineage of(Relation relation, int id) {
    return of(relation, id, false);
  }

  private static Lineage of(Relation relation, int id, boolean padded) {
    TimeBudget.step();
    Column column = relation.columns().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
    if (AlgebraWalker.isPublic(relation)) {
      return new Lineage(relation, column, padded);
    }
    Optional<Relation> below =
        switch (relation) {
          case Relation.Selection r -> Optional.of(r.input());
          case Relation.Extension r -> has(r.input().columns(), id).map(c -> r.input());
          case Relation.Project r ->
              r.outputs().stream().anyMatch(o -> o.column().id() == id && isRef(o.expr(), id))
                  ? Optional.of(r.input())
                  : Optional.empty();
          case Relation.Aggregate r -> has(r.keys(), id).map(c -> r.input());
          case Relation.Join r ->
              Optional.of(has(r.left().columns(), id).isPresent() ? r.left() : r.right());
          case Relation.Leaf ignored -> Optional.empty();
          case Relation.SetOperation ignored -> Optional.empty();
        };
    boolean pads =
        switch (relation) {
          case Relation.Join r ->
              switch (r.kind()) {
                case INNER -> false;
                case LEFT -> has(r.right().columns(), id).isPresent();
                case FULL -> true;
              };
          case Relation.Aggregate r -> r.groupingSets().size() > 1 && has(r.keys(), id).isPresent();
          case Relation.Leaf ignored -> false;
          case Relation.Project ignored -> false;
          case Relation.Selection ignored -> false;
          case Relation.Extension ignored -> false;
          case Relation.SetOperation ignored -> false;
        };
    return below
        .map(b -> of(b, id, padded || pads))
        .orElseGet(() -> new Lineage(relation, column, padded));
  }

  public boolean isPublic() {
    return AlgebraWalker.isPublic(relation);
  }

  /** The declaration of the column, when it is a column of a table. */
  public Optional<ColumnSpec> spec() {
    return relation instanceof Relation.Scan scan
        ? scan.table().column(column.name())
        : Optional.empty();
  }

  public Optional<List<Object>> domain() {
    return spec().flatMap(ColumnSpec::domain);
  }

  /** The values of the column, from its domain or from the expression that computes it. */
  public Optional<List<Object>> values(BiFunction<Expr, Relation, Optional<List<Object>>> ofExpr) {
    return switch (relation) {
      case Relation.Scan ignored ->
          domain()
              .or(
                  () ->
                      column.type().kind() == flexdp.policy.Type.Kind.BOOLEAN
                          ? Optional.of(List.of(true, false))
                          : Optional.empty());
      case Relation.Project project ->
          project.outputs().stream()
              .filter(o -> o.column().id() == column.id())
              .findFirst()
              .flatMap(o -> ofExpr.apply(o.expr(), project.input()));
      case Relation.SetOperation set -> {
        int index = set.columns().indexOf(column);
        Optional<List<Object>> left = side(set.left(), index, ofExpr);
        Optional<List<Object>> right = side(set.right(), index, ofExpr);
        if (set.kind() != Relation.SetKind.UNION) {
          yield left;
        }
        Set<Object> all = new LinkedHashSet<>(left.orElse(List.of()));
        right.ifPresent(all::addAll);
        yield left.isPresent() && right.isPresent()
            ? Optional.of(new ArrayList<>(all))
            : Optional.empty();
      }
      // The least of some values, and what most of them are, is one of them.
      case Relation.Aggregate aggregate ->
          chosen(aggregate)
              .flatMap(call -> ofExpr.apply(call.argument().orElseThrow(), aggregate.input()));
      case Relation.Leaf ignored -> Optional.empty();
      case Relation.Selection ignored -> Optional.empty();
      case Relation.Extension ignored -> Optional.empty();
      case Relation.Join ignored -> Optional.empty();
    };
  }

  /** The aggregate that makes the column, if it shows a value of the rows as it is. */
  public Optional<AggregateCall> chosen(Relation.Aggregate of) {
    return of.calls().stream()
        .filter(call -> call.output().id() == column.id())
        .filter(
            call ->
                switch (call.kind()) {
                  case MIN, MAX, MODE -> true;
                  case COUNT,
                      SUM,
                      AVG,
                      VAR_POP,
                      VAR_SAMP,
                      STDDEV_POP,
                      STDDEV_SAMP,
                      QUANTILE,
                      TEXTS ->
                      false;
                })
        .findFirst();
  }

  private static Optional<List<Object>> side(
      Relation relation, int index, BiFunction<Expr, Relation, Optional<List<Object>>> ofExpr) {
    Column column = relation.columns().get(index);
    return ofExpr.apply(column.ref(), relation);
  }

  private static boolean isRef(Expr expr, int id) {
    return expr instanceof Expr.Ref ref && ref.column() == id;
  }

  private static Optional<Column> has(List<Column> columns, int id) {
    return columns.stream().filter(c -> c.id() == id).findFirst();
  }
}
