package flexdp.facts;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.failure.Patience;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is true of a GROUP BY key in every row, whatever the data, as predicates over the key: those
 * over its own column, and those over the expression that it is computed by. With GROUP BY LEFT(x,
 * 3) the condition LEFT(x, 3) IN ('abc', 'def') speaks of the key.
 */
public final class KeyFacts {
  private final Column key;
  private final Set<Expr> facts = new LinkedHashSet<>();

  private KeyFacts(Column key) {
    this.key = key;
  }

  public static List<Expr> of(Relation input, Column key) {
    KeyFacts all = new KeyFacts(key);
    all.collect(key.ref(), input);
    return new ArrayList<>(all.facts);
  }

  /** The key is this expression of a row of this relation. */
  private void collect(Expr expr, Relation relation) {
    Patience.step();
    for (Expr fact : KnownTrue.of(relation)) {
      Expr onKey =
          Tree.rewrite(fact, part -> part.equals(expr) ? Optional.of(key.ref()) : Optional.empty());
      if (Tree.references(onKey).equals(Set.of(key.id())) && !isOf(key.id(), relation, expr)) {
        facts.add(onKey);
      }
    }
    below(expr, relation);
  }

  /** A column of the relation that has the key's id and is not the key would be mistaken for it. */
  private static boolean isOf(int id, Relation relation, Expr expr) {
    return !(expr instanceof Expr.Ref ref && ref.column() == id)
        && relation.columns().stream().anyMatch(c -> c.id() == id);
  }

  /** Down to rows of which every row here is one, where the expression has the same value. */
  private void below(Expr expr, Relation relation) {
    switch (relation) {
      case Relation.Filter r -> collect(expr, r.input());
      case Relation.Where r -> collect(expr, r.input());
      case Relation.Distinct r -> collect(expr, r.input());
      case Relation.Limit r -> collect(expr, r.input());
      case Relation.TopRows r -> collect(expr, r.input());
      case Relation.Attach r -> side(expr, r.input());
      case Relation.Window r -> side(expr, r.input());
      case Relation.Project r -> {
        Map<Integer, Expr> computed = new HashMap<>();
        r.outputs().forEach(o -> computed.put(o.column().id(), o.expr()));
        collect(
            Tree.rewrite(
                expr,
                part ->
                    part instanceof Expr.Ref ref
                        ? Optional.ofNullable(computed.get(ref.column()))
                        : Optional.empty()),
            r.input());
      }
      case Relation.Join r -> {
        switch (r.kind()) {
          case INNER -> {
            side(expr, r.left());
            side(expr, r.right());
          }
          case LEFT -> side(expr, r.left());
          case FULL -> {}
        }
      }
      case Relation.Aggregate r -> {
        if (r.groupingSets().size() == 1 && !r.keys().isEmpty()) {
          side(expr, r.input());
        }
      }
      case Relation.Scan ignored -> {}
      case Relation.Values ignored -> {}
      case Relation.SetOperation ignored -> {}
      case Relation.Released ignored -> {}
    }
  }

  private void side(Expr expr, Relation relation) {
    Set<Integer> present = new LinkedHashSet<>();
    relation.columns().forEach(c -> present.add(c.id()));
    if (present.containsAll(Tree.references(expr))) {
      collect(expr, relation);
    }
  }
}
