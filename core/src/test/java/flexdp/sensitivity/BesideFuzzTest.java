package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.metrics.Metrics;
import flexdp.ownership.OwnedRelations;
import flexdp.ownership.OwnedScans;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.people.clipping.CrossUnitSensitivity;
import flexdp.policy.PrivacyUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Clipping beside a table whose rows stand for themselves: what one of those rows moves is bounded
 * by the rows and people that it touches, by structure or, here where bounds need not be public, as
 * measured. Wrong twins are noticed.
 */
class BesideFuzzTest {
  private static final int WIDEST = 3;
  private static final BigInteger MANY = BigInteger.ONE.shiftLeft(60);
  private final Map<String, Integer> caught = new TreeMap<>();
  private int checked;

  /** What one person has: how many rows, their sum, and how many by label. */
  private static final class Person {
    private long rows;
    private long sum;
    private final long[] labels = new long[3];

    double weight(long tau) {
      return Math.min(1, (double) tau / rows);
    }

    int bucket() {
      return 64 - Long.numberOfLeadingZeros(Math.max(0, rows - 1));
    }
  }

  private static Map<Object, Person> people(Rows rows, int owner) {
    Map<Object, Person> people = new TreeMap<>();
    for (Object[] row : rows.rows()) {
      Object[] values = row.clone();
      values[owner] = null;
      int hash = Arrays.hashCode(values) * 31 >>> 3;
      Person person = people.computeIfAbsent(row[owner], o -> new Person());
      person.rows++;
      person.sum += hash % (2 * WIDEST + 1) - WIDEST;
      person.labels[hash / 7 % 3]++;
    }
    return people;
  }

  private interface Number {
    double of(Map<Object, Person> people, long tau);
  }

  private static double count(Map<Object, Person> people, long tau) {
    return people.values().stream().mapToLong(p -> Math.min(p.rows, tau)).sum();
  }

  private static double sum(Map<Object, Person> people, long tau) {
    return people.values().stream().mapToLong(p -> Math.clamp(p.sum, -tau, tau)).sum();
  }

  private static double weighted(Map<Object, Person> people, long tau) {
    return people.values().stream().mapToDouble(p -> p.weight(tau) * p.sum).sum();
  }

  private static double bin(Map<Object, Person> people, long tau, int label) {
    return people.values().stream().mapToDouble(p -> p.weight(tau) * p.labels[label]).sum();
  }

  /** The rank of q among labels, of those up to one and of those beyond it. */
  private static double rank(Map<Object, Person> people, long tau, int upTo, double q) {
    double score = 0;
    for (int label = 0; label < 3; label++) {
      score += (label < upTo ? 1 - q : -q) * bin(people, tau, label);
    }
    return score;
  }

  private static double histogram(Map<Object, Person> x, Map<Object, Person> y) {
    Map<Integer, Integer> buckets = new TreeMap<>();
    x.values().forEach(p -> buckets.merge(p.bucket(), 1, Integer::sum));
    y.values().forEach(p -> buckets.merge(p.bucket(), -1, Integer::sum));
    return buckets.values().stream().mapToInt(Math::abs).sum();
  }

  @Test
  void aRowOfAnotherTableMovesNoMoreThanItsBounds() {
    for (long seed = 0; seed < 30_000 && checked < 1_200; seed++) {
      judge(seed);
    }
    assertTrue(checked >= 300, checked + " trees");
    assertEquals(3, caught.size(), caught.toString());
  }

  private void judge(long seed) {
    Random random = new Random(seed);
    PeopleDatabases databases = new PeopleDatabases(random);
    List<RandomTrees.Aim> aims = List.of(RandomTrees.Aim.values());
    Relation tree =
        new PeopleTrees(random, databases)
            .tree(aims.get(random.nextInt(aims.size())), 1 + random.nextInt(3));
    if (!AlgebraWalker.units(tree).contains(PeopleDatabases.ROW)
        || !AlgebraWalker.units(tree).contains(PeopleDatabases.PERSON)) {
      return;
    }
    FreshColumns ids = new FreshColumns(List.of(tree), List.of());
    OwnedScans scans = new OwnedScans(PeopleDatabases.PERSON, true, ids);
    OwnedRelations shown = new OwnedRelations(PeopleDatabases.PERSON, scans, ids);
    Relation rewritten = shown.rewritten(tree);
    Optional<Column> owner = shown.owner(rewritten);
    if (owner.isEmpty() || !isOrdered(tree)) {
      return;
    }
    Relation read = new OwnedTableExpansion(databases.policy, scans, ids).of(rewritten);
    for (PrivacyUnit unit : List.of(PeopleDatabases.ROW, PeopleDatabases.PERSON)) {
      PeopleDatabases.Step step = databases.step(random, databases.random(random), unit);
      Rows x = new Interpreter(step.smaller()).rows(read);
      Rows y = new Interpreter(step.larger()).rows(read);
      Map<Object, Person> one = people(x, x.positions().get(owner.get().id()));
      Map<Object, Person> two = people(y, y.positions().get(owner.get().id()));
      if (unit.equals(PeopleDatabases.PERSON)) {
        assertTrue(histogram(one, two) <= 1, "" + seed);
        continue;
      }
      String what = "seed " + seed + ": " + tree;
      PublicBound.of(shown, rewritten, unit)
          .ifPresent(
              b ->
                  compare(
                      new CrossUnitSensitivity(b.rows().orElse(MANY), b.people()), one, two, what));
      Metrics measured = databases.measure(step.smaller(), false);
      SensitivityAnalysis analysis =
          new SensitivityAnalysis(
              new ScanFrequencies(measured, ScanFrequencies.Source.PRIVATE, RuleSet.FLEXDP),
              RuleSet.FLEXDP,
              BoundArithmetic.EXACT,
              AppliedRules.UNNOTED,
              Optional.of(shown));
      if (analysis.stability(rewritten, unit).both() instanceof BoundOrReason.Known rows
          && analysis.affectedGroups(Set.of(owner.get().id()), rewritten, unit)
              instanceof BoundOrReason.Known people) {
        checked++;
        compare(
            new CrossUnitSensitivity(
                rows.bound().evaluate(Map.of()), people.bound().evaluate(Map.of())),
            one,
            two,
            what);
      }
    }
  }

  private static boolean isOrdered(Relation tree) {
    try {
      PublicBound.requireTotalOrders(tree);
      return true;
    } catch (Rejection e) {
      return false;
    }
  }

  private void compare(
      CrossUnitSensitivity crossUnit, Map<Object, Person> x, Map<Object, Person> y, String what) {
    BigInteger widest = BigInteger.valueOf(WIDEST);
    double rows = crossUnit.rows().doubleValue();
    for (long tau : new long[] {1, 2, 4}) {
      BigInteger level = BigInteger.valueOf(tau);
      double counted = moved(BesideFuzzTest::count, x, y, tau);
      within(counted, crossUnit.oneSided(level, BigInteger.ONE), what);
      within(counted, crossUnit.weightedCount(level), what);
      within(moved(BesideFuzzTest::sum, x, y, tau), crossUnit.twoSided(level, widest), what);
      double weighted = moved(BesideFuzzTest::weighted, x, y, tau);
      within(weighted, crossUnit.weightedSum(level, widest, widest), what);
      double bins = 0;
      for (int label = 0; label < 3; label++) {
        bins += Math.abs(bin(x, tau, label) - bin(y, tau, label));
      }
      within(bins, crossUnit.bins(level), what);
      for (String fraction : List.of("0", "0.25", "0.5", "0.9", "1")) {
        BigDecimal q = new BigDecimal(fraction);
        BigDecimal perRow = q.max(BigDecimal.ONE.subtract(q));
        double ranks = 0;
        for (int upTo = 0; upTo <= 3; upTo++) {
          int end = upTo;
          ranks = Math.max(ranks, moved((p, t) -> rank(p, t, end, q.doubleValue()), x, y, tau));
        }
        BigDecimal most = new BigDecimal(crossUnit.weightedRanks(level, perRow)).multiply(perRow);
        within(ranks, most, what);
        double asRows = crossUnit.weightedCount(level).doubleValue();
        note("ranks move as by so many rows", ranks > asRows * perRow.doubleValue() + 1e-9);
      }
      note("rows move one person only", counted > Math.min(rows, tau));
    }
    within(histogram(x, y), crossUnit.histogram(), what);
    note("the histogram moves by one", histogram(x, y) > 1);
  }

  private static double moved(
      Number number, Map<Object, Person> x, Map<Object, Person> y, long tau) {
    return Math.abs(number.of(x, tau) - number.of(y, tau));
  }

  private static void within(double moved, BigInteger most, String what) {
    within(moved, new BigDecimal(most), what);
  }

  private static void within(double moved, BigDecimal most, String what) {
    assertTrue(moved <= most.doubleValue() + 1e-9, what + " moved by " + moved + ", not " + most);
  }

  private void note(String twin, boolean exceeds) {
    if (exceeds) {
      caught.merge(twin, 1, Integer::sum);
    }
  }

  /** Nobody is in two buckets, and larger buckets hold more. */
  @Test
  void bucketsFollowTheLevels() {
    TreeSet<Integer> seen = new TreeSet<>();
    for (long rows = 1; rows <= 9; rows++) {
      Person person = new Person();
      person.rows = rows;
      seen.add(person.bucket());
    }
    assertEquals(List.of(0, 1, 2, 3, 4), List.copyOf(seen));
  }
}
