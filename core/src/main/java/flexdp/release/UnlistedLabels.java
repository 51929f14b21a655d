package flexdp.release;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the data have a say in which labels there are, nobody knows how many there are before they
 * are drawn. So a relation above them may have as many rows as they are, and no join may multiply
 * them with each other: one side of it is found by its labels.
 */
final class UnlistedLabels {
  /** Whose labels are not known. */
  private final Map<Integer, NoisyAggregate> points;

  UnlistedLabels(Map<Integer, NoisyAggregate> points) {
    this.points = Map.copyOf(points);
  }

  /**
   * What a relation has.
   *
   * @param many whether it has as many rows as such labels, and not a known number
   * @param keys sets of columns of which no two rows have the same values
   */
  private record Size(boolean many, Set<Set<Integer>> keys) {
    Size(boolean many) {
      this(many, Set.of());
    }
  }

  /**
   * @throws Rejection when such labels would be multiplied with each other
   */
  void check(Relation relation) {
    size(relation);
  }

  private Size size(Relation relation) {
    return switch (relation) {
      case Relation.Released r ->
          points.containsKey(r.release())
              ? new Size(true, keys(r, points.get(r.release())))
              : new Size(false);
      case Relation.Join join -> joined(join);
      case Relation.Project project -> {
        Size input = size(project.input());
        yield new Size(input.many(), renamed(project, input.keys()));
      }
      case Relation.Limit limit -> {
        Size input = size(limit.input());
        yield new Size(input.many() && limit.count().isEmpty(), input.keys());
      }
      case Relation.TopRows top -> {
        Size input = size(top.input());
        yield new Size(input.many() && !top.partition().isEmpty(), input.keys());
      }
      case Relation.Filter filter -> size(filter.input());
      case Relation.Window window -> size(window.input());
      case Relation.Distinct distinct ->
          new Size(size(distinct.input()).many(), Set.of(ids(distinct)));
      case Relation.SetOperation operation -> {
        boolean many = size(operation.left()).many() | size(operation.right()).many();
        yield new Size(many, operation.all() ? Set.of() : Set.of(ids(operation)));
      }
      case Relation.Scan ignored -> new Size(false);
      case Relation.Values ignored -> new Size(false);
      case Relation.Where where -> together(where);
      case Relation.Attach attach -> together(attach);
      case Relation.Aggregate aggregate -> together(aggregate);
    };
  }

  private Size together(Relation relation) {
    boolean many = false;
    for (Relation child : relation.children()) {
      many |= size(child).many();
    }
    return new Size(many);
  }

  private Size joined(Relation.Join join) {
    Size left = size(join.left());
    Size right = size(join.right());
    boolean oneRight = isFound(right, join, join.right());
    boolean oneLeft = isFound(left, join, join.left());
    if (left.many() && right.many() && !oneLeft && !oneRight) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "This join multiplies labels that come from the data, and nobody knows how many.",
          "Join on all labels of one side with =, or list the labels in WHERE.",
          join.at());
    }
    Set<Set<Integer>> keys = new HashSet<>();
    if (oneRight && join.kind() != Relation.JoinKind.FULL) {
      keys.addAll(left.keys());
    }
    if (oneLeft && join.kind() == Relation.JoinKind.INNER) {
      keys.addAll(right.keys());
    }
    return new Size(left.many() || right.many(), keys);
  }

  /** Whether a row of the other side meets at most one row of this one, and is led to it. */
  private static boolean isFound(Size size, Relation.Join join, Relation side) {
    Set<Integer> own = ids(side);
    Set<Integer> others = ids(side == join.left() ? join.right() : join.left());
    Set<Integer> equal = new HashSet<>();
    for (Expr conjunct : Equalities.conjuncts(join.condition())) {
      if (conjunct instanceof Expr.Call call
          && (call.function() == Function.EQ || call.function() == Function.IS_NOT_DISTINCT)) {
        equated(call.arguments().get(0), call.arguments().get(1), own, others)
            .ifPresent(equal::add);
        equated(call.arguments().get(1), call.arguments().get(0), own, others)
            .ifPresent(equal::add);
      }
    }
    boolean led = Equalities.of(join.condition(), ids(join.left()), ids(join.right())).size() == 1;
    return led && size.keys().stream().anyMatch(equal::containsAll);
  }

  /** The column of one side that a condition holds equal to something of the other. */
  private static Optional<Integer> equated(
      Expr one, Expr two, Set<Integer> own, Set<Integer> others) {
    return Conversions.column(one)
        .map(Expr.Ref::column)
        .filter(own::contains)
        .filter(c -> others.containsAll(AlgebraWalker.references(two)));
  }

  private static Set<Set<Integer>> keys(Relation.Released released, NoisyAggregate point) {
    if (!point.groupingIds().isEmpty()) {
      return Set.of();
    }
    Set<Integer> key = new HashSet<>();
    for (Column label : point.keys()) {
      int at = released.of().indexOf(label.id());
      if (at < 0) {
        return Set.of();
      }
      key.add(released.columns().get(at).id());
    }
    return Set.of(key);
  }

  private static Set<Set<Integer>> renamed(Relation.Project project, Set<Set<Integer>> keys) {
    Set<Set<Integer>> renamed = new HashSet<>();
    for (Set<Integer> key : keys) {
      List<Integer> to = new ArrayList<>();
      for (int column : key) {
        project.outputs().stream()
            .filter(o -> o.expr() instanceof Expr.Ref ref && ref.column() == column)
            .findFirst()
            .ifPresent(o -> to.add(o.column().id()));
      }
      if (to.size() == key.size()) {
        renamed.add(Set.copyOf(to));
      }
    }
    return renamed;
  }

  private static Set<Integer> ids(Relation relation) {
    Set<Integer> ids = new HashSet<>();
    relation.columns().forEach(c -> ids.add(c.id()));
    return ids;
  }
}
