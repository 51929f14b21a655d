package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stability rules that were applied while bounds were made, by the operator of the question
 * that each was applied to. Bounds of several measurements may be noted in one.
 */
public final class AppliedRules {
  /** For bounds of which nobody asks how they came about. */
  static final AppliedRules UNNOTED = new AppliedRules(false);

  private final boolean noting;

  /** What an operator is analysed as, to what stands in the question. */
  private final Map<Object, Object> written = new IdentityHashMap<>();

  private final Map<Object, Set<String>> rules = new IdentityHashMap<>();

  public AppliedRules() {
    this(true);
  }

  private AppliedRules(boolean noting) {
    this.noting = noting;
  }

  /** The rules by which an operator of the question was bounded; none if no protected row is in. */
  public List<String> at(Relation operator) {
    return List.copyOf(rules.getOrDefault(operator, Set.of()));
  }

  /** The rules by which a subquery in a predicate was bounded; none if no protected row is in. */
  public List<String> at(Subquery subquery) {
    return List.copyOf(rules.getOrDefault(subquery, Set.of()));
  }

  /** A rule was applied to an operator. */
  void rule(Relation operator, String rule) {
    note(operator, rule);
  }

  void rule(Subquery subquery, String rule) {
    note(subquery, rule);
  }

  private void note(Object analysed, String rule) {
    if (noting) {
      rules
          .computeIfAbsent(written.getOrDefault(analysed, analysed), o -> new LinkedHashSet<>())
          .add(rule);
    }
  }

  /** An operator is analysed in place of another. */
  Relation instead(Relation original, Relation made) {
    replaced(original, made);
    return made;
  }

  Subquery instead(Subquery original, Subquery made) {
    replaced(original, made);
    return made;
  }

  private void replaced(Object original, Object made) {
    if (noting && made != original) {
      written.put(made, written.getOrDefault(original, original));
    }
  }
}
