package flexdp.ownership;

import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Scan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a parent once. A path to an owner is followed by a join with the parent's table; where the
 * question joins that table as well, by the same key, both are the same row, since the key has no
 * equals: the owner is then read from the question's own row. What is computed stays the same.
 *
 * <p>It looks at joins, filters and projections that stand together. Equalities at the top level of
 * inner joins and of filters hold for all of their rows, and what a path's join reads is the row
 * that the question joins if its key is among the equal ones: then a left join finds it as well.
 */
public final class ParentJoinElimination {
  /** A table that is joined by nothing but the equality of a column with its key. */
  record Hop(Scan parent, Expr.Ref from, String key) {}

  private final Relation root;
  private final List<Scan> met = new ArrayList<>();
  private final List<Hop> hops = new ArrayList<>();
  private final Map<Integer, Integer> equal = new HashMap<>();
  private final Map<Scan, Scan> same = new IdentityHashMap<>();

  private ParentJoinElimination(Relation root) {
    this.root = root;
  }

  /** The relation, with the same columns. */
  public static Relation of(Relation relation) {
    return switch (relation) {
      case Relation.Filter ignored -> new ParentJoinElimination(relation).read();
      case Relation.Project ignored -> new ParentJoinElimination(relation).read();
      case Relation.Join ignored -> new ParentJoinElimination(relation).read();
      case Relation.Scan scan -> scan;
      case Relation.Values values -> values;
      case Relation.Where where -> InputReplacement.replaced(where, ParentJoinElimination::of);
      case Relation.Attach attach -> InputReplacement.replaced(attach, ParentJoinElimination::of);
      case Relation.Distinct distinct ->
          InputReplacement.replaced(distinct, ParentJoinElimination::of);
      case Relation.Aggregate aggregate ->
          InputReplacement.replaced(aggregate, ParentJoinElimination::of);
      case Relation.SetOperation set -> InputReplacement.replaced(set, ParentJoinElimination::of);
      case Relation.Limit limit -> InputReplacement.replaced(limit, ParentJoinElimination::of);
      case Relation.TopRows top -> InputReplacement.replaced(top, ParentJoinElimination::of);
      case Relation.Window window -> InputReplacement.replaced(window, ParentJoinElimination::of);
      case Relation.Released released -> released;
    };
  }

  private Relation read() {
    gather(root);
    boolean found = true;
    while (found) {
      found = false;
      for (Hop hop : hops) {
        if (!same.containsKey(hop.parent())) {
          Optional<Scan> other = other(hop);
          other.ifPresent(scan -> merge(hop.parent(), scan));
          found |= other.isPresent();
        }
      }
    }
    return new JoinElimination(root, same).rebuilt();
  }

  private void gather(Relation relation) {
    switch (relation) {
      case Relation.Filter filter -> {
        equalities(filter.predicate());
        gather(filter.input());
      }
      case Relation.Project project -> {
        for (Relation.Project.Output output : project.outputs()) {
          RelationOwner.column(output.expr())
              .ifPresent(column -> join(output.column().id(), column));
        }
        gather(project.input());
      }
      case Relation.Join join -> gather(join);
      case Relation.Scan scan -> met.add(scan);
      case Relation.Values ignored -> {}
      case Relation.Where ignored -> {}
      case Relation.Attach ignored -> {}
      case Relation.Distinct ignored -> {}
      case Relation.Aggregate ignored -> {}
      case Relation.SetOperation ignored -> {}
      case Relation.Limit ignored -> {}
      case Relation.TopRows ignored -> {}
      case Relation.Window ignored -> {}
      case Relation.Released ignored -> {}
    }
  }

  private void gather(Relation.Join join) {
    switch (join.kind()) {
      case INNER -> {
        equalities(join.condition());
        gather(join.left());
        gather(join.right());
        hop(join).ifPresent(hops::add);
      }
      case LEFT -> {
        gather(join.left());
        hop(join).ifPresent(hops::add);
      }
      case FULL -> {}
    }
  }

  /** A path is followed so; the question's own tables with owners are not read bare. */
  private static Optional<Hop> hop(Relation.Join join) {
    if (join.right() instanceof Scan parent
        && !parent.table().ownership().owners().isEmpty()
        && join.condition() instanceof Expr.Call call
        && call.function() == Function.EQ
        && call.arguments().get(0) instanceof Expr.Ref from
        && call.arguments().get(1) instanceof Expr.Ref to
        && from.type().equals(to.type())) {
      return parent.columns().stream()
          .filter(c -> c.id() == to.column())
          .filter(c -> parent.table().uniqueKeys().contains(Set.of(c.name())))
          .findFirst()
          .map(key -> new Hop(parent, from, key.name()));
    }
    return Optional.empty();
  }

  private void equalities(Expr condition) {
    for (Expr conjunct : Equalities.conjuncts(condition)) {
      if (conjunct instanceof Expr.Call call
          && call.function() == Function.EQ
          && call.arguments().get(0) instanceof Expr.Ref one
          && call.arguments().get(1) instanceof Expr.Ref other
          && one.type().equals(other.type())) {
        join(one.column(), other.column());
      }
    }
  }

  /** A row of the same table whose key is the one that the path looks up. */
  private Optional<Scan> other(Hop hop) {
    return met.stream()
        .filter(scan -> scan != hop.parent() && !same.containsKey(scan))
        .filter(scan -> scan.table().name().equals(hop.parent().table().name()))
        .filter(scan -> first(key(scan, hop.key())) == first(hop.from().column()))
        .findFirst();
  }

  private static int key(Scan scan, String name) {
    return scan.columns().stream()
        .filter(c -> c.name().equals(name))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private void merge(Scan parent, Scan other) {
    same.put(parent, other);
    parent.columns().forEach(c -> join(c.id(), key(other, c.name())));
  }

  private int first(int column) {
    int at = column;
    while (equal.containsKey(at)) {
      at = equal.get(at);
    }
    return at;
  }

  private void join(int one, int other) {
    int a = first(one);
    int b = first(other);
    if (a != b) {
      equal.put(a, b);
    }
  }
}
