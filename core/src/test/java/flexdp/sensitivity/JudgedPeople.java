package flexdp.sensitivity;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.ownership.OwnedRelations;
import flexdp.ownership.OwnedScans;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.ownership.OwnershipConditions;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Judges the rules of owned relations and of truncated tables on one random tree after the other:
 * what really happens when a person comes or goes, against what the rules say.
 */
final class JudgedPeople {
  /** What is wrong with the rules, if anything. */
  record Twin(
      OwnershipConditions conditions,
      BoundArithmetic terms,
      boolean wholeMetrics,
      boolean orderOfAll) {
    static final Twin RIGHT =
        new Twin(OwnershipConditions.EXACT, BoundArithmetic.EXACT, false, false);
  }

  private final Twin rules;
  private final boolean keeps;
  private final List<String> violations = new ArrayList<>();
  int trees;
  int owned;
  int checks;

  JudgedPeople(Twin rules) {
    this(rules, false);
  }

  /**
   * @param keeps whether rows without an owner are kept
   */
  JudgedPeople(Twin rules, boolean keeps) {
    this.rules = rules;
    this.keeps = keeps;
  }

  List<String> violations() {
    return violations;
  }

  void judge(long seed) {
    Random random = new Random(seed);
    PeopleDatabases databases = new PeopleDatabases(random, keeps, seed % 3 != 0);
    PeopleTrees maker = new PeopleTrees(random, databases);
    List<RandomTrees.Aim> aims = List.of(RandomTrees.Aim.values());
    Relation tree =
        random.nextInt(3) == 0
            ? maker.aimed()
            : maker.tree(aims.get(random.nextInt(aims.size())), 1 + random.nextInt(3));
    Set<PrivacyUnit> units = AlgebraWalker.units(tree);
    if (!units.contains(PeopleDatabases.PERSON)) {
      return;
    }
    Map<String, List<Object[]>> start = databases.random(random);
    new One(databases, tree, units, start, random, seed).judge();
  }

  /** One tree and the databases around one. */
  private final class One {
    private final PeopleDatabases databases;
    private final Relation tree;
    private final Set<PrivacyUnit> units;
    private final Map<String, List<Object[]>> start;
    private final Random random;
    private final long seed;
    private final OwnedRelations shown;
    private final OwnedTableExpansion read;
    private final Relation rewritten;
    private final Relation plain;

    One(
        PeopleDatabases databases,
        Relation tree,
        Set<PrivacyUnit> units,
        Map<String, List<Object[]>> start,
        Random random,
        long seed) {
      this.databases = databases;
      this.tree = tree;
      this.units = units;
      this.start = start;
      this.random = random;
      this.seed = seed;
      boolean cut = random.nextInt(4) > 0;
      FreshColumns ids = new FreshColumns(List.of(tree), List.of());
      OwnedScans scans = OwnedScans.of(PeopleDatabases.PERSON, cut, ids, tree, rules.conditions());
      this.shown = new OwnedRelations(PeopleDatabases.PERSON, scans, ids, rules.conditions());
      this.rewritten = shown.rewritten(tree);
      this.read = new OwnedTableExpansion(databases.policy, scans, ids);
      OwnedScans bare = OwnedScans.of(PeopleDatabases.PERSON, cut, ids, tree);
      this.plain = new OwnedTableExpansion(databases.policy, bare, ids).of(tree);
    }

    void judge() {
      try {
        SensitivityAnalysis analysis = analysis(start);
        TotalOrder.requireTotal(analysis, tree);
      } catch (Rejection e) {
        return;
      }
      trees++;
      owned += shown.owner(rewritten).isPresent() ? 1 : 0;
      Map<String, List<Object[]>> here = start;
      Map<PrivacyUnit, BigInteger> distance = new HashMap<>();
      for (int i = random.nextInt(5) - 2; i > 0; i--) {
        PrivacyUnit unit = random.nextInt(3) == 0 ? PeopleDatabases.ROW : PeopleDatabases.PERSON;
        here = databases.stepOfAnybody(random, here, unit).next();
        distance.merge(unit, BigInteger.ONE, BigInteger::add);
      }
      sameMeaning(here);
      ownership(here);
      bounds(here, distance);
    }

    private SensitivityAnalysis analysis(Map<String, List<Object[]>> database) {
      Metrics metrics = databases.measure(database, rules.wholeMetrics());
      ScanFrequencies scanFrequencies =
          new ScanFrequencies(metrics, ScanFrequencies.Source.PRIVATE, RuleSet.FLEXDP);
      return new SensitivityAnalysis(
          scanFrequencies, RuleSet.FLEXDP, rules.terms(), AppliedRules.UNNOTED, Optional.of(shown));
    }

    private Rows rows(Relation node, Map<String, List<Object[]>> database) {
      Relation made = read.of(node);
      return new Interpreter(database).rows(rules.orderOfAll() ? OrderOfAll.in(made) : made);
    }

    /** Showing owners changes nothing else. */
    private void sameMeaning(Map<String, List<Object[]>> database) {
      Relation narrowed = Trees.project(read.of(rewritten), tree.columns().toArray(Column[]::new));
      Map<List<Object>, Integer> one = new Interpreter(database).rows(narrowed).counted();
      Map<List<Object>, Integer> two =
          new Interpreter(database)
              .rows(Trees.project(plain, tree.columns().toArray(Column[]::new)))
              .counted();
      expect(one.equals(two), "another meaning: " + one + " for " + two);
    }

    /** r(x without p) is the rows of r(x) whose owner is not p. */
    private void ownership(Map<String, List<Object[]>> database) {
      List<Long> people = new ArrayList<>(databases.everybody(database));
      if (people.isEmpty()) {
        return;
      }
      long person = people.get(random.nextInt(people.size()));
      Map<String, List<Object[]>> without = PeopleDatabases.without(database, person);
      for (Relation node : Truth.nodes(rewritten)) {
        Optional<Column> owner = shown.owner(node);
        if (owner.isEmpty()) {
          continue;
        }
        Rows all = rows(node, database);
        int at = all.positions().get(owner.get().id());
        List<Object[]> others = all.rows().stream().filter(row -> !isOf(row[at], person)).toList();
        expect(all.rows().stream().allMatch(row -> row[at] != null), "a row of nobody in " + node);
        expect(
            new Rows(all.positions(), others).counted().equals(rows(node, without).counted()),
            "removal touches others in " + node);
      }
    }

    /** Where rows are kept, texts name rows and people alike. */
    private static boolean isOf(Object owner, long person) {
      return Long.valueOf(person).equals(owner) || PeopleDatabases.name(person).equals(owner);
    }

    private void bounds(Map<String, List<Object[]>> here, Map<PrivacyUnit, BigInteger> distance) {
      SensitivityAnalysis analysis = analysis(start);
      List<Relation> nodes = Truth.nodes(rewritten);
      Relation node = nodes.get(random.nextInt(nodes.size()));
      Rows nodeRows = rows(node, here);
      FrequencyKey key = StabilityFuzzTest.key(node, random);
      within(
          "mf of " + key, Truth.frequency(nodeRows, key), analysis.frequency(key, node), distance);
      for (PrivacyUnit unit : units) {
        PeopleDatabases.Step step = databases.stepOfAnybody(random, here, unit);
        Truth.Change change =
            Truth.change(rows(rewritten, step.smaller()), rows(rewritten, step.larger()));
        Stability signed = analysis.stability(rewritten, unit);
        within("P of " + unit, change.added(), signed.added(), distance);
        within("M of " + unit, change.removed(), signed.removed(), distance);
        within("T of " + unit, change.both(), signed.both(), distance);
        Set<Integer> group =
            random.nextInt(3) == 0
                ? Set.of(node.columns().get(random.nextInt(node.columns().size())).id())
                : new TreeSet<>(StabilityFuzzTest.key(node, random).columns());
        int touched = Truth.touched(rows(node, step.smaller()), rows(node, step.larger()), group);
        within(
            "D of " + unit + group, touched, analysis.affectedGroups(group, node, unit), distance);
        smooth(here, step.next(), unit, distance);
      }
    }

    /** U_κ(x) ≤ U_{κ+e}(y). */
    private void smooth(
        Map<String, List<Object[]>> here,
        Map<String, List<Object[]>> there,
        PrivacyUnit changed,
        Map<PrivacyUnit, BigInteger> distance) {
      Map<PrivacyUnit, BigInteger> further = new HashMap<>(distance);
      further.merge(changed, BigInteger.ONE, BigInteger::add);
      for (PrivacyUnit unit : units) {
        BoundOrReason near = analysis(here).stability(rewritten, unit).both();
        BoundOrReason far = analysis(there).stability(rewritten, unit).both();
        if (near instanceof BoundOrReason.Known one && far instanceof BoundOrReason.Known two) {
          expect(
              one.bound().evaluate(distance).compareTo(two.bound().evaluate(further)) <= 0,
              "not smooth for " + unit);
        }
      }
    }

    private void within(
        String what, int truth, BoundOrReason bound, Map<PrivacyUnit, BigInteger> distance) {
      if (bound instanceof BoundOrReason.Known known) {
        BigInteger most = known.bound().evaluate(distance);
        expect(
            most.compareTo(BigInteger.valueOf(truth)) >= 0,
            what + " is " + truth + ", the bound says " + most);
      }
    }

    private void expect(boolean holds, String otherwise) {
      checks++;
      if (!holds) {
        violations.add("seed " + seed + ": " + otherwise + "\n" + tree);
      }
    }
  }
}
