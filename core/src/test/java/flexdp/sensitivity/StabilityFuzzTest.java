package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Random relations over tiny tables (guarantee §3): for every neighbour the true change never
 * exceeds P, M and T, and mf, mf⁰ and D never theirs; and a bound at a database never exceeds that
 * of its neighbour one step further out, which together covers every distance.
 */
class StabilityFuzzTest {
  private static final int TREES = Integer.getInteger("fuzz.trees", 8_800);
  private static final int DATABASES = 3;
  private static final long SEED = Long.getLong("fuzz.seed", 20_180_501L);

  private long checks;
  private long smoothness;

  @Test
  void theTrueChangeNeverExceedsTheBound() {
    RandomTrees.Aim[] aims = RandomTrees.Aim.values();
    Map<RandomTrees.Aim, Integer> accepted = new HashMap<>();
    for (int i = 0; i < TREES; i++) {
      RandomTrees.Aim aim = aims[i % aims.length];
      long seed = SEED + i;
      if (tree(aim, seed)) {
        accepted.merge(aim, 1, Integer::sum);
      }
    }
    for (RandomTrees.Aim aim : aims) {
      assertTrue(accepted.getOrDefault(aim, 0) * 2 > TREES / aims.length, () -> aim + " starves");
    }
    assertTrue(checks >= 200_000, () -> "only " + checks + " checks of neighbours");
    assertTrue(smoothness >= 600_000, () -> "only " + smoothness + " checks of smoothness");
  }

  private boolean tree(RandomTrees.Aim aim, long seed) {
    Random random = new Random(seed);
    Relation relation = new RandomTrees(random).tree(aim, 1 + random.nextInt(3));
    try {
      for (int i = 0; i < DATABASES; i++) {
        database(relation, TinyDatabases.random(random), random, seed);
      }
      return true;
    } catch (Rejection rejection) {
      return false;
    }
  }

  static SensitivityAnalysis analysis(Metrics metrics, RuleSet rules) {
    return new SensitivityAnalysis(
        new ScanFrequencies(metrics, ScanFrequencies.Source.PRIVATE, rules),
        rules,
        BoundArithmetic.EXACT);
  }

  private void database(
      Relation relation, Map<String, List<Object[]>> database, Random random, long seed) {
    boolean compound = random.nextBoolean();
    Metrics metrics = TinyDatabases.measure(database, compound);
    SensitivityAnalysis here = analysis(metrics, RuleSet.FLEXDP);
    TotalOrder.requireTotal(here, relation);
    Set<PrivacyUnit> units = here.ancestors(relation);
    SensitivityAnalysis paper = analysis(metrics, RuleSet.PAPER);
    for (PrivacyUnit unit : units) {
      signed(here, relation, unit);
    }
    Interpreter interpreter = new Interpreter(database);
    Rows rows = interpreter.rows(relation);
    List<Relation> nodes = Truth.nodes(relation);
    Relation node = nodes.get(random.nextInt(nodes.size()));
    Rows nodeRows = interpreter.rows(node);
    FrequencyKey key = key(node, random);
    frequency(here, node, nodeRows, key, seed);
    Set<Integer> group = new TreeSet<>(key(node, random).columns());
    Truth.neighbours(database, units)
        .forEach(
            (unit, neighbours) -> {
              Stability signed = here.stability(relation, unit);
              Stability literal = paper.stability(relation, PrivacyUnit.ANY);
              BoundOrReason touched = here.affectedGroups(group, node, unit);
              for (Map<String, List<Object[]>> neighbour : neighbours) {
                Interpreter other = new Interpreter(neighbour);
                Truth.Change change = Truth.change(rows, other.rows(relation));
                within("P of " + unit, change.added(), signed.added(), relation, seed);
                within("M of " + unit, change.removed(), signed.removed(), relation, seed);
                within("T of " + unit, change.both(), signed.both(), relation, seed);
                within("paper P", change.added(), literal.added(), relation, seed);
                within("paper M", change.removed(), literal.removed(), relation, seed);
                within("paper T", change.both(), literal.both(), relation, seed);
                int values = Truth.touched(nodeRows, other.rows(node), group);
                within("D of " + unit + group, values, touched, node, seed);
                checks++;
              }
              if (!neighbours.isEmpty()) {
                Map<String, List<Object[]>> one = neighbours.get(random.nextInt(neighbours.size()));
                smooth(relation, here, unit, one, compound, seed);
              }
            });
  }

  private static void signed(SensitivityAnalysis analysis, Relation relation, PrivacyUnit unit) {
    Stability signed = analysis.stability(relation, unit);
    signed.added().orReject();
    signed.removed().orReject();
    signed.both().orReject();
  }

  static FrequencyKey key(Relation relation, Random random) {
    Set<Integer> columns = new TreeSet<>();
    Set<Integer> withNull = new TreeSet<>();
    int kind = random.nextInt(3);
    ColumnReferences.ids(relation)
        .forEach(
            id -> {
              if (random.nextInt(3) > 0) {
                columns.add(id);
                if (kind == 1 || kind == 2 && random.nextBoolean()) {
                  withNull.add(id);
                }
              }
            });
    return new FrequencyKey(columns, withNull);
  }

  private void frequency(
      SensitivityAnalysis analysis, Relation node, Rows rows, FrequencyKey key, long seed) {
    within("mf of " + key, Truth.frequency(rows, key), analysis.frequency(key, node), node, seed);
    checks++;
  }

  private static void within(
      String what, int truth, BoundOrReason bound, Relation relation, long seed) {
    if (bound instanceof BoundOrReason.Known known
        && known.bound().atZero().compareTo(BigInteger.valueOf(truth)) < 0) {
      fail(
          "seed %d: %s is %d, the bound says %s\n%s"
              .formatted(seed, what, truth, known.bound().formula(), relation));
    }
  }

  /** U_κ(x) ≤ U_{κ+e_t}(y) for neighbours that differ in t, both ways round. */
  private void smooth(
      Relation relation,
      SensitivityAnalysis here,
      PrivacyUnit changed,
      Map<String, List<Object[]>> neighbour,
      boolean compound,
      long seed) {
    SensitivityAnalysis there =
        analysis(TinyDatabases.measure(neighbour, compound), RuleSet.FLEXDP);
    List<PrivacyUnit> units = new ArrayList<>(here.ancestors(relation));
    for (PrivacyUnit unit : units) {
      Stability one = here.stability(relation, unit);
      Stability two = there.stability(relation, unit);
      below(one.added(), two.added(), changed, units, relation, seed);
      below(two.added(), one.added(), changed, units, relation, seed);
      below(one.both(), two.both(), changed, units, relation, seed);
      below(two.both(), one.both(), changed, units, relation, seed);
    }
  }

  private void below(
      BoundOrReason one,
      BoundOrReason other,
      PrivacyUnit changed,
      List<PrivacyUnit> units,
      Relation relation,
      long seed) {
    CompiledFormula first = new CompiledFormula(one.orReject());
    CompiledFormula second = new CompiledFormula(other.orReject());
    if (first.units().isEmpty() && second.units().isEmpty() && checks % 8 != 0) {
      return;
    }
    for (Map<PrivacyUnit, BigInteger> distances : distances(units)) {
      Map<PrivacyUnit, BigInteger> further = new HashMap<>(distances);
      further.merge(changed, BigInteger.ONE, BigInteger::add);
      BigInteger near = first.at(distances);
      BigInteger far = second.at(further);
      smoothness++;
      if (near.compareTo(far) > 0) {
        fail(
            "seed %d: not smooth at %s: %s > %s\n%s"
                .formatted(seed, distances, near, far, relation));
      }
    }
  }

  /** All vectors of total 0, 1 and 2. */
  private static List<Map<PrivacyUnit, BigInteger>> distances(List<PrivacyUnit> units) {
    List<Map<PrivacyUnit, BigInteger>> all = new ArrayList<>(List.of(Map.of()));
    for (PrivacyUnit one : units) {
      all.add(Map.of(one, BigInteger.ONE));
      for (PrivacyUnit two : units) {
        Map<PrivacyUnit, BigInteger> both = new HashMap<>(Map.of(one, BigInteger.ONE));
        both.merge(two, BigInteger.ONE, BigInteger::add);
        all.add(both);
      }
    }
    return all;
  }
}
