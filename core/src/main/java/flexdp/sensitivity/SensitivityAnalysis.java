package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Rejection;
import flexdp.ownership.OwnedRelations;
import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The rules applied to one question. Each of the three quantities of a relation is found from those
 * of its inputs and kept, so that no part of a question is looked at twice.
 */
final class SensitivityAnalysis {
  private record Asked(Object what, PrivacyUnit unit) {}

  final ScanFrequencies leaves;
  final RuleSet rules;
  final BoundArithmetic terms;
  final AppliedRules applied;

  /** Whose rows are whose, when the bounds are those of people. */
  final Optional<OwnedRelations> owned;

  private final Map<Relation, RelationFacts> facts = new IdentityHashMap<>();
  private final Map<Relation, Set<PrivacyUnit>> ancestors = new IdentityHashMap<>();
  private final ColumnIds ids = new ColumnIds();
  private final Map<Object, JoinKeys> keys = new IdentityHashMap<>();
  private final Map<Relation, Map<Object, BoundOrReason>> frequencies = new IdentityHashMap<>();
  private final Map<Relation, Map<Object, BoundOrReason>> affectedGroups = new IdentityHashMap<>();
  private final Map<Relation, Map<PrivacyUnit, Stability>> stabilities = new IdentityHashMap<>();
  private final Map<Relation, JoinRule.Matches> matches = new IdentityHashMap<>();
  private SensitivityAnalysis structure;
  private int asked;

  SensitivityAnalysis(ScanFrequencies scanFrequencies, RuleSet rules, BoundArithmetic terms) {
    this(scanFrequencies, rules, terms, AppliedRules.UNNOTED);
  }

  SensitivityAnalysis(
      ScanFrequencies scanFrequencies, RuleSet rules, BoundArithmetic terms, AppliedRules applied) {
    this(scanFrequencies, rules, terms, applied, Optional.empty());
  }

  SensitivityAnalysis(
      ScanFrequencies scanFrequencies,
      RuleSet rules,
      BoundArithmetic terms,
      AppliedRules applied,
      Optional<OwnedRelations> owned) {
    this.leaves = scanFrequencies;
    this.rules = rules;
    this.terms = terms;
    this.applied = applied;
    this.owned = owned;
  }

  /** Answers what must not depend on measured values, such as whether a question is rejected. */
  SensitivityAnalysis structure() {
    if (structure == null) {
      structure =
          leaves.isStructural()
              ? this
              : new SensitivityAnalysis(
                  leaves.structural(), rules, terms, AppliedRules.UNNOTED, owned);
    }
    return structure;
  }

  boolean isPaper() {
    return rules == RuleSet.PAPER;
  }

  /**
   * mf_κ(key, relation), guarantee §4. Columns that are constant, or equal to those of the key,
   * help where their frequency is known; where it is not, nobody is asked to measure them.
   */
  BoundOrReason frequency(FrequencyKey key, Relation relation) {
    FrequencyKey closed = key.isEmpty() || isPaper() ? key : closed(key, relation);
    BoundOrReason best = ruled(closed, relation);
    return best instanceof BoundOrReason.Missing && !closed.equals(key)
        ? ruled(key, relation)
        : best;
  }

  /** F-OWNED: rows that share a value that fixes their owner share the owner. */
  private FrequencyKey closed(FrequencyKey key, Relation relation) {
    FrequencyKey closed = facts(relation).close(key);
    if (owned.isEmpty()) {
      return closed;
    }
    boolean fixed =
        closed.columns().stream()
            .anyMatch(
                c ->
                    !closed.withNull().contains(c)
                        && owned.filter(o -> o.fixesOwner(relation, c)).isPresent());
    return fixed
        ? facts(relation)
            .close(closed.and(FrequencyKey.matching(Set.of(owner(relation).orElseThrow()))))
        : closed;
  }

  /** The column that shows whose the rows of an owned relation are. */
  Optional<Integer> owner(Relation relation) {
    return owned.flatMap(o -> o.owner(relation)).map(Column::id);
  }

  /** The column of a relation's owner, where a step of the unit is one of those people. */
  Optional<Integer> owner(Relation relation, PrivacyUnit unit) {
    return owned.filter(o -> o.kind().equals(unit)).flatMap(o -> owner(relation));
  }

  private BoundOrReason ruled(FrequencyKey key, Relation relation) {
    Map<Object, BoundOrReason> known = frequencies.computeIfAbsent(relation, r -> new HashMap<>());
    BoundOrReason before = known.get(key);
    if (before == null) {
      asked++;
      before = FrequencyRules.of(this, relation, key);
      known.put(key, before);
    }
    return before;
  }

  /** Whether the search for smaller frequencies has gone on long enough; depends on structure. */
  boolean isLong() {
    return asked > 20_000;
  }

  /**
   * All rows of a relation, where that may stand in for a frequency: when no protected table has a
   * say in it, or when it is a number that the structure gives.
   */
  BoundOrReason rows(Relation relation, Supplier<Rejection> otherwise) {
    boolean mayBeUsed =
        ancestors(relation).isEmpty()
            || structure().frequency(FrequencyKey.NONE, relation).ceiling().isPresent();
    return mayBeUsed
        ? frequency(FrequencyKey.NONE, relation)
        : new BoundOrReason.Missing(otherwise);
  }

  /** D_t(columns, relation), guarantee §3. */
  BoundOrReason affectedGroups(Set<Integer> columns, Relation relation, PrivacyUnit unit) {
    if (!reaches(relation, unit)) {
      return BoundOrReason.ZERO;
    }
    if (unit instanceof PrivacyUnit.Any) {
      return BoundOrReason.max(
          ancestors(relation).stream()
              .map(one -> affectedGroups(columns, relation, one))
              .toArray(BoundOrReason[]::new));
    }
    Map<Object, BoundOrReason> known =
        affectedGroups.computeIfAbsent(relation, r -> new HashMap<>());
    Asked what = new Asked(columns, unit);
    BoundOrReason before = known.get(what);
    if (before == null) {
      before = AffectedGroupsRules.of(this, relation, columns, unit);
      known.put(what, before);
    }
    return before;
  }

  /** (P, M, T) of a relation for one step of a unit, guarantee §3. */
  Stability stability(Relation relation, PrivacyUnit unit) {
    // S-PUBLIC: (0, 0, 0), no row of it is read.
    if (!reaches(relation, unit)) {
      return Stability.NONE;
    }
    Map<PrivacyUnit, Stability> known = stabilities.computeIfAbsent(relation, r -> new HashMap<>());
    Stability before = known.get(unit);
    if (before == null) {
      before = OwnedRule.of(this, relation, unit, StabilityRules.of(this, relation, unit));
      known.put(unit, before);
    }
    return before;
  }

  boolean reaches(Relation relation, PrivacyUnit unit) {
    return unit instanceof PrivacyUnit.Any
        ? !ancestors(relation).isEmpty()
        : ancestors(relation).contains(unit);
  }

  /** The units on whose rows those of the relation depend. */
  Set<PrivacyUnit> ancestors(Relation relation) {
    Set<PrivacyUnit> before = ancestors.get(relation);
    if (before == null) {
      before = new TreeSet<>();
      if (relation instanceof Relation.Scan scan) {
        before.addAll(scan.table().units());
      }
      for (Relation input : relation.children()) {
        before.addAll(ancestors(input));
      }
      ancestors.put(relation, before);
    }
    return before;
  }

  RelationFacts facts(Relation relation) {
    if (isPaper()) {
      return RelationFacts.NONE;
    }
    RelationFacts before = facts.get(relation);
    if (before == null) {
      before = RelationFacts.of(relation, this);
      facts.put(relation, before);
    }
    return before;
  }

  Set<Integer> ids(Relation relation) {
    return ids.of(relation);
  }

  JoinKeys keys(Relation.Join join) {
    return keys.computeIfAbsent(
        join, j -> JoinKeys.of(join.condition(), ids(join.left()), ids(join.right()), rules));
  }

  JoinKeys keys(Subquery subquery, Relation outer) {
    return keys.computeIfAbsent(
        subquery,
        s -> JoinKeys.of(subquery.condition(), ids(outer), ids(subquery.relation()), rules));
  }

  /** m1 and m2 of a join, which are the same for every table. */
  JoinRule.Matches matches(Relation.Join join) {
    JoinRule.Matches before = matches.get(join);
    if (before == null) {
      before = JoinRule.matches(this, join);
      matches.put(join, before);
    }
    return before;
  }

  /** How many rows of the left side one row of the right side can match: m1. */
  BoundOrReason matches(
      JoinKeys keys,
      Relation side,
      Function<JoinKeys.Alternative, FrequencyKey> key,
      String place) {
    return terms.sum(
        place,
        keys.alternatives().stream()
            .map(alternative -> frequency(key.apply(alternative), side))
            .toArray(BoundOrReason[]::new));
  }

  /**
   * A rule over several inputs. The guarantee follows one unit through all of them; the paper adds
   * up only what inputs with a common ancestor contribute and takes the largest of the rest.
   */
  Stability combine(
      List<Relation> inputs, PrivacyUnit unit, Function<List<Stability>, Stability> rule) {
    List<Stability> all = inputs.stream().map(input -> stability(input, unit)).toList();
    if (!(unit instanceof PrivacyUnit.Any)) {
      return rule.apply(all);
    }
    Stability largest = Stability.NONE;
    for (List<Integer> together : overlapping(inputs)) {
      Stability[] some = new Stability[all.size()];
      for (int i = 0; i < some.length; i++) {
        some[i] = together.contains(i) ? all.get(i) : Stability.NONE;
      }
      largest = largest.max(rule.apply(List.of(some)));
    }
    return largest;
  }

  private List<List<Integer>> overlapping(List<Relation> inputs) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      List<Integer> group = new ArrayList<>(List.of(i));
      Set<PrivacyUnit> mine = ancestors(inputs.get(i));
      for (int g = groups.size() - 1; g >= 0; g--) {
        boolean meets =
            groups.get(g).stream()
                .anyMatch(j -> ancestors(inputs.get(j)).stream().anyMatch(mine::contains));
        if (meets) {
          group.addAll(groups.remove(g));
        }
      }
      groups.add(group);
    }
    return groups;
  }
}
