package flexdp.algebra;

import flexdp.failure.TimeBudget;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Walks over relations and expressions. */
public final class AlgebraWalker {
  private AlgebraWalker() {}

  /** Visits a relation and everything below it, subqueries included, parents first. */
  public static void visit(Relation relation, Consumer<Relation> visitor) {
    TimeBudget.step();
    visitor.accept(relation);
    for (Relation input : relation.children()) {
      visit(input, visitor);
    }
  }

  /** The units whose rows contribute to a relation: what a neighbour may have more or less of. */
  public static SortedSet<PrivacyUnit> units(Relation relation) {
    SortedSet<PrivacyUnit> units = new TreeSet<>();
    visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            units.addAll(scan.table().units());
          }
        });
    return units;
  }

  /** Whether no protected table contributes to a relation. */
  public static boolean isPublic(Relation relation) {
    TimeBudget.step();
    if (relation instanceof Relation.Scan scan) {
      Table table = scan.table();
      return table.isPublic();
    }
    for (Relation input : relation.children()) {
      if (!isPublic(input)) {
        return false;
      }
    }
    return true;
  }

  /** The expressions that an operator itself holds, those about its subqueries included. */
  public static void expressions(Relation relation, Consumer<Expr> visitor) {
    switch (relation) {
      case Relation.Leaf ignored -> {}
      case Relation.Distinct ignored -> {}
      case Relation.SetOperation ignored -> {}
      case Relation.Filter r -> visitor.accept(r.predicate());
      case Relation.Project r -> r.outputs().forEach(o -> visitor.accept(o.expr()));
      case Relation.Join r -> visitor.accept(r.condition());
      case Relation.Where r -> {
        r.subqueries().forEach(s -> expressions(s, visitor));
        visitor.accept(r.predicate());
      }
      case Relation.Attach r -> r.subqueries().forEach(s -> expressions(s, visitor));
      case Relation.Aggregate r -> {
        r.calls().forEach(c -> expressions(c, visitor));
        r.having().ifPresent(visitor);
      }
      case Relation.Limit r -> r.order().forEach(k -> visitor.accept(k.expr()));
      case Relation.TopRows r -> {
        r.ranks().forEach(rank -> rank.partition().forEach(visitor));
        r.order().forEach(k -> visitor.accept(k.expr()));
      }
      case Relation.Window r -> r.calls().forEach(call -> expressions(call, visitor));
    }
  }

  /** The expressions of a window function. */
  public static void expressions(WindowCall call, Consumer<Expr> visitor) {
    call.aggregate().ifPresent(a -> expressions(a, visitor));
    call.arguments().forEach(visitor);
    call.partition().forEach(visitor);
    call.order().forEach(k -> visitor.accept(k.expr()));
  }

  private static void expressions(AggregateCall call, Consumer<Expr> visitor) {
    call.argument().ifPresent(visitor);
    call.filter().ifPresent(visitor);
  }

  private static void expressions(Subquery subquery, Consumer<Expr> visitor) {
    visitor.accept(subquery.condition());
    if (subquery instanceof Subquery.Scalar scalar) {
      scalar.calls().forEach(c -> expressions(c, visitor));
      visitor.accept(scalar.value());
    }
  }

  /** The parts of an expression, outermost first, itself among them. */
  public static void parts(Expr expr, Consumer<Expr> visitor) {
    TimeBudget.step();
    visitor.accept(expr);
    for (Expr child : expr.children()) {
      parts(child, visitor);
    }
  }

  /** The columns an expression reads. */
  public static void references(Expr expr, Consumer<Integer> visitor) {
    refs(expr, ref -> visitor.accept(ref.column()));
  }

  /** The references in an expression, each time that they stand there. */
  public static void refs(Expr expr, Consumer<Expr.Ref> visitor) {
    TimeBudget.step();
    if (expr instanceof Expr.Ref ref) {
      visitor.accept(ref);
    }
    for (Expr child : expr.children()) {
      refs(child, visitor);
    }
  }

  /** The columns an expression reads. */
  public static Set<Integer> references(Expr expr) {
    Set<Integer> ids = new TreeSet<>();
    references(expr, ids::add);
    return ids;
  }

  /**
   * The expression with parts replaced, outermost first: what the rule gives stands for the whole
   * part and is not entered.
   */
  public static Expr rewrite(Expr expr, java.util.function.Function<Expr, Optional<Expr>> rule) {
    TimeBudget.step();
    Optional<Expr> replaced = rule.apply(expr);
    if (replaced.isPresent()) {
      return replaced.get();
    }
    boolean changed = false;
    List<Expr> children = new ArrayList<>();
    for (Expr child : expr.children()) {
      Expr rewritten = rewrite(child, rule);
      changed |= rewritten != child;
      children.add(rewritten);
    }
    return changed ? expr.with(children) : expr;
  }

  /** The expression over other parts; nothing when one of them has no counterpart. */
  public static Optional<Expr> rebuilt(
      Expr expr, java.util.function.Function<Expr, Optional<Expr>> part) {
    List<Expr> children = new ArrayList<>();
    for (Expr child : expr.children()) {
      Optional<Expr> one = part.apply(child);
      if (one.isEmpty()) {
        return Optional.empty();
      }
      children.add(one.get());
    }
    return Optional.of(expr.with(children));
  }
}
