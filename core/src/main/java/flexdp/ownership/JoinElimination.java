package flexdp.ownership;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Relation.Scan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Joins, filters and projections that stand together, without some of the joins: columns of the
 * tables that are left out are read from rows that are the same. Where those are not in sight yet,
 * a condition moves to the top, and so does an output.
 */
final class JoinElimination {
  private final Relation root;
  private final Map<Scan, Scan> same;
  private final Map<Integer, Expr> instead = new HashMap<>();
  private final Set<Integer> carried = new HashSet<>();
  private final Set<Expr> moved = new LinkedHashSet<>();
  private final Set<Expr> kept = new HashSet<>();

  /**
   * @param same for a table that is left out the one that has its row; by identity
   */
  JoinElimination(Relation root, Map<Scan, Scan> same) {
    this.root = root;
    this.same = same;
  }

  Relation rebuilt() {
    same.keySet().forEach(this::replace);
    if (isNeeded(root)) {
      same.clear();
      instead.clear();
      carried.clear();
    }
    Relation rows = of(root);
    moved.removeAll(kept);
    if (!moved.isEmpty()) {
      rows = new Relation.Filter(rows, Exprs.and(List.copyOf(moved)));
    }
    if (same.isEmpty()) {
      return rows;
    }
    List<Output> outputs = new ArrayList<>();
    for (Column column : root.columns()) {
      outputs.add(new Output(column, instead.getOrDefault(column.id(), column.ref())));
    }
    return new Relation.Project(rows, outputs);
  }

  private void replace(Scan scan) {
    Scan other = same.get(scan);
    while (same.containsKey(other)) {
      other = same.get(other);
    }
    for (Column column : scan.columns()) {
      for (Column there : other.columns()) {
        if (there.name().equals(column.name())) {
          instead.put(column.id(), there.ref());
          carried.add(there.id());
        }
      }
    }
  }

  /**
   * Whether a join that stays needs what goes: what a left join compares cannot move, and an inner
   * join without any condition left would be a product until the database finds it elsewhere.
   */
  private boolean isNeeded(Relation relation) {
    return switch (relation) {
      case Relation.Filter filter -> {
        boolean needed = isNeeded(filter.input());
        carryTerms(filter.predicate());
        yield needed;
      }
      case Relation.Project project -> {
        boolean needed = isNeeded(project.input());
        project.outputs().stream()
            .filter(o -> goes(o.expr()))
            .forEach(o -> instead.put(o.column().id(), carried(o.expr())));
        yield needed;
      }
      case Relation.Join join -> isNeeded(join);
      case Relation.Scan ignored -> false;
      case Relation.Values ignored -> false;
      case Relation.Where ignored -> false;
      case Relation.Attach ignored -> false;
      case Relation.Distinct ignored -> false;
      case Relation.Aggregate ignored -> false;
      case Relation.SetOperation ignored -> false;
      case Relation.Limit ignored -> false;
      case Relation.TopRows ignored -> false;
      case Relation.Window ignored -> false;
      case Relation.Released ignored -> false;
    };
  }

  private boolean isNeeded(Relation.Join join) {
    if (join.kind() == JoinKind.FULL) {
      return false;
    }
    boolean left = isNeeded(join.left());
    boolean right = join.kind() == JoinKind.INNER && isNeeded(join.right());
    if (join.kind() == JoinKind.INNER && !isLeftOut(join.right())) {
      carryTerms(join.condition());
    }
    boolean here =
        !isLeftOut(join.right())
            && (join.kind() == JoinKind.LEFT
                ? goes(join.condition())
                : Equalities.conjuncts(join.condition()).stream().allMatch(this::goes));
    return left || right || here;
  }

  /** What is read in place of an expression must be in sight at the top. */
  private Expr carried(Expr expr) {
    Expr read = instead(expr);
    carried.addAll(AlgebraWalker.references(read));
    return read;
  }

  private void carryTerms(Expr condition) {
    Equalities.conjuncts(condition).stream().filter(this::goes).forEach(this::carried);
  }

  private boolean isLeftOut(Relation relation) {
    return relation instanceof Scan scan && same.containsKey(scan);
  }

  private boolean goes(Expr expr) {
    return AlgebraWalker.references(expr).stream().anyMatch(instead::containsKey);
  }

  private Expr instead(Expr expr) {
    return AlgebraWalker.rewrite(
        expr,
        part ->
            part instanceof Expr.Ref ref
                ? Optional.of(instead.getOrDefault(ref.column(), ref))
                : Optional.empty());
  }

  private Relation of(Relation relation) {
    if (relation instanceof Relation.Filter filter) {
      Relation input = of(filter.input());
      Expr left = staying(filter.predicate());
      return left.equals(Expr.Literal.TRUE) ? input : new Relation.Filter(input, left);
    }
    if (relation instanceof Relation.Project project) {
      return project(project);
    }
    if (relation instanceof Relation.Join join && join.kind() != JoinKind.FULL) {
      Relation left = of(join.left());
      if (isLeftOut(join.right())) {
        return left;
      }
      boolean inner = join.kind() == JoinKind.INNER;
      Relation right = inner ? of(join.right()) : ParentJoinElimination.of(join.right());
      Expr condition = inner ? staying(join.condition()) : join.condition();
      return new Relation.Join(join.kind(), left, right, condition, join.at());
    }
    // Whatever else stands here is looked at by itself; what was the root would not end.
    return relation instanceof Relation.Join join
        ? InputReplacement.replaced(join, ParentJoinElimination::of)
        : ParentJoinElimination.of(relation);
  }

  private Relation project(Relation.Project project) {
    Relation input = of(project.input());
    List<Output> outputs = new ArrayList<>();
    Set<Integer> shown = new HashSet<>();
    for (Output output : project.outputs()) {
      if (!goes(output.expr())) {
        outputs.add(output);
        shown.add(output.column().id());
      }
    }
    for (Column column : input.columns()) {
      if (carried.contains(column.id()) && shown.add(column.id())) {
        outputs.add(new Output(column, column.ref()));
      }
    }
    return new Relation.Project(input, outputs);
  }

  /** What of a condition can stay where it is. */
  private Expr staying(Expr condition) {
    List<Expr> terms = new ArrayList<>();
    for (Expr conjunct : Equalities.conjuncts(condition)) {
      if (goes(conjunct)) {
        moved.add(ofOneRow(instead(conjunct)));
      } else {
        terms.add(conjunct);
        kept.add(conjunct);
      }
    }
    return Exprs.and(terms);
  }

  /** A value equals itself unless it is NULL. */
  private static Expr ofOneRow(Expr conjunct) {
    return conjunct instanceof Expr.Call call
            && call.function() == Function.EQ
            && call.arguments().get(0).equals(call.arguments().get(1))
        ? Exprs.test(Function.IS_NOT_NULL, call.arguments().get(0))
        : conjunct;
  }
}
