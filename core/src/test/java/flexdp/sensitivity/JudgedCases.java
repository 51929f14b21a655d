package flexdp.sensitivity;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Questions with the truth about them: a rule that says less is wrong; and where the bound is met
 * exactly, one that says more is worse than it need be.
 */
final class JudgedCases {
  /** One number that the rules give, or null where they give none. */
  interface Asked {
    BigInteger ask(SensitivityAnalysis analysis);
  }

  /** A question, the truth about it, and the mistakes that could show in it. */
  record Case(
      String what,
      Metrics metrics,
      Asked asked,
      BigInteger truth,
      BigInteger bound,
      Set<Mutant> visible) {
    BigInteger by(BoundArithmetic terms) {
      return asked.ask(analysis(terms));
    }

    private SensitivityAnalysis analysis(BoundArithmetic terms) {
      return new SensitivityAnalysis(
          new ScanFrequencies(metrics, ScanFrequencies.Source.PRIVATE, RuleSet.FLEXDP),
          RuleSet.FLEXDP,
          terms);
    }
  }

  private final Predicate<Set<Mutant>> interesting;
  private final Consumer<Case> found;

  /** Asks only where the mistakes that could show are of interest. */
  JudgedCases(Predicate<Set<Mutant>> interesting, Consumer<Case> found) {
    this.interesting = interesting;
    this.found = found;
  }

  void random(RandomTrees.Aim aim, long seed) {
    Random random = new Random(seed);
    Relation relation =
        new RandomTrees(random, random.nextBoolean() ? 45 : 10).tree(aim, 1 + random.nextInt(3));
    for (int i = 0; i < 2; i++) {
      Map<String, List<Object[]>> database = TinyDatabases.random(random);
      try {
        add("seed " + seed, relation, database, random.nextBoolean(), random);
      } catch (Rejection ignored) {
        return;
      }
    }
  }

  private void add(
      String what,
      Relation relation,
      Map<String, List<Object[]>> database,
      boolean compound,
      Random random) {
    List<Relation> nodes = Truth.nodes(relation);
    Relation node = nodes.get(random.nextInt(nodes.size()));
    FrequencyKey key = StabilityFuzzTest.key(node, random);
    Set<Integer> group = new TreeSet<>(StabilityFuzzTest.key(node, random).columns());
    add(what, relation, node, group, key, database, compound);
  }

  /** A case made by hand, asked about its own keys. */
  void pin(
      String what,
      Relation relation,
      Set<Integer> group,
      FrequencyKey key,
      Map<String, List<Object[]>> database) {
    add(what, relation, relation, group, key, database, true);
  }

  private void add(
      String what,
      Relation relation,
      Relation node,
      Set<Integer> group,
      FrequencyKey key,
      Map<String, List<Object[]>> database,
      boolean compound) {
    Metrics metrics = TinyDatabases.measure(database, compound);
    SensitivityAnalysis analysis = StabilityFuzzTest.analysis(metrics, RuleSet.FLEXDP);
    TotalOrder.requireTotal(analysis, relation);
    Interpreter interpreter = new Interpreter(database);
    keep(
        what,
        metrics,
        a -> value(a.frequency(key, node)),
        () -> Truth.frequency(interpreter.rows(node), key));
    for (PrivacyUnit unit : analysis.ancestors(relation)) {
      Supplier<int[]> most = once(() -> most(relation, node, group, database, unit));
      keep(what, metrics, a -> value(a.stability(relation, unit).added()), () -> most.get()[0]);
      keep(what, metrics, a -> value(a.stability(relation, unit).removed()), () -> most.get()[1]);
      keep(what, metrics, a -> value(a.stability(relation, unit).both()), () -> most.get()[2]);
      keep(what, metrics, a -> value(a.affectedGroups(group, node, unit)), () -> most.get()[3]);
    }
  }

  private static int[] most(
      Relation relation,
      Relation node,
      Set<Integer> group,
      Map<String, List<Object[]>> database,
      PrivacyUnit unit) {
    Interpreter interpreter = new Interpreter(database);
    Rows rows = interpreter.rows(relation);
    Rows nodeRows = interpreter.rows(node);
    int[] most = new int[4];
    for (var neighbour : Truth.neighbours(database, Set.of(unit)).get(unit)) {
      Interpreter other = new Interpreter(neighbour);
      Truth.Change change = Truth.change(rows, other.rows(relation));
      int touched = Truth.touched(nodeRows, other.rows(node), group);
      int[] now = {change.added(), change.removed(), change.both(), touched};
      Arrays.setAll(most, i -> Math.max(most[i], now[i]));
    }
    return most;
  }

  private static <E> Supplier<E> once(Supplier<E> supplier) {
    List<E> kept = new ArrayList<>();
    return () -> {
      if (kept.isEmpty()) {
        kept.add(supplier.get());
      }
      return kept.get(0);
    };
  }

  private static BigInteger value(BoundOrReason estimate) {
    return estimate instanceof BoundOrReason.Known known ? known.bound().atZero() : null;
  }

  private void keep(String what, Metrics metrics, Asked asked, Supplier<Integer> truth) {
    Mutant.Recorder recorder = new Mutant.Recorder();
    Case unknown =
        new Case(what, metrics, asked, BigInteger.ZERO, BigInteger.ZERO, recorder.possible);
    BigInteger bound = unknown.by(recorder);
    if (bound != null && interesting.test(recorder.possible)) {
      BigInteger real = BigInteger.valueOf(truth.get());
      if (real.compareTo(bound) > 0) {
        throw new AssertionError(what + ": " + real + " exceeds the bound " + bound);
      }
      found.accept(new Case(what, metrics, asked, real, bound, recorder.possible));
    }
  }
}
