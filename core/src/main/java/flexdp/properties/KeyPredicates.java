package flexdp.properties;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.TimeBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is true of GROUP BY keys in every row, whatever the data, as predicates over the keys: those
 * over their own columns, and those over the expressions that they are computed by. With GROUP BY
 * LEFT(x, 3) the condition LEFT(x, 3) IN ('abc', 'def') speaks of the key.
 */
public final class KeyPredicates {
  private final Set<Expr> facts = new LinkedHashSet<>();

  private KeyPredicates() {}

  public static List<Expr> of(Relation input, Column key) {
    return of(input, List.of(key));
  }

  /** The facts that speak of nothing but these keys, of one or of several. */
  public static List<Expr> of(Relation input, List<Column> keys) {
    Map<Column, Expr> own = new LinkedHashMap<>();
    keys.forEach(key -> own.put(key, key.ref()));
    KeyPredicates all = new KeyPredicates();
    all.collect(own, input);
    return new ArrayList<>(all.facts);
  }

  /** The keys are these expressions of a row of this relation. */
  private void collect(Map<Column, Expr> keys, Relation relation) {
    TimeBudget.step();
    Map<Expr, Expr> named = new HashMap<>();
    keys.forEach((key, expr) -> named.putIfAbsent(expr, key.ref()));
    for (Expr fact : ImpliedPredicates.of(relation)) {
      Expr onKeys = AlgebraWalker.rewrite(fact, part -> Optional.ofNullable(named.get(part)));
      Set<Integer> read = new LinkedHashSet<>(AlgebraWalker.references(onKeys));
      boolean some = !read.isEmpty();
      for (Map.Entry<Column, Expr> key : keys.entrySet()) {
        int id = key.getKey().id();
        some &= !(read.remove(id) && isOf(id, relation, key.getValue()));
      }
      if (some && read.isEmpty()) {
        facts.add(onKeys);
      }
    }
    below(keys, relation);
  }

  /** A column of the relation that has the key's id and is not the key would be mistaken for it. */
  private static boolean isOf(int id, Relation relation, Expr expr) {
    return !(expr instanceof Expr.Ref ref && ref.column() == id)
        && relation.columns().stream().anyMatch(c -> c.id() == id);
  }

  /** Down to rows of which every row here is one, where the expressions have the same values. */
  private void below(Map<Column, Expr> keys, Relation relation) {
    switch (relation) {
      case Relation.Selection r -> collect(keys, r.input());
      case Relation.Extension r -> side(keys, r.input());
      case Relation.Project r -> {
        Map<Integer, Expr> computed = new HashMap<>();
        r.outputs().forEach(o -> computed.put(o.column().id(), o.expr()));
        Map<Column, Expr> rewritten = new LinkedHashMap<>();
        keys.forEach(
            (key, expr) ->
                rewritten.put(
                    key,
                    AlgebraWalker.rewrite(
                        expr,
                        part ->
                            part instanceof Expr.Ref ref
                                ? Optional.ofNullable(computed.get(ref.column()))
                                : Optional.empty())));
        collect(rewritten, r.input());
      }
      case Relation.Join r -> {
        switch (r.kind()) {
          case INNER -> {
            side(keys, r.left());
            side(keys, r.right());
          }
          case LEFT -> side(keys, r.left());
          case FULL -> {}
        }
      }
      case Relation.Aggregate r -> {
        if (r.groupingSets().size() == 1 && !r.keys().isEmpty()) {
          side(keys, r.input());
        }
      }
      case Relation.Leaf ignored -> {}
      case Relation.SetOperation ignored -> {}
    }
  }

  private void side(Map<Column, Expr> keys, Relation relation) {
    Set<Integer> present = new LinkedHashSet<>();
    relation.columns().forEach(c -> present.add(c.id()));
    Map<Column, Expr> there = new LinkedHashMap<>(keys);
    there.values().removeIf(expr -> !present.containsAll(AlgebraWalker.references(expr)));
    if (!there.isEmpty()) {
      collect(there, relation);
    }
  }
}
