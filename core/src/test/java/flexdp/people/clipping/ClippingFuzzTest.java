package flexdp.people.clipping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.Laplace.LabelThreshold;
import flexdp.noise.Rational;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Clipped values on small databases of people: one person comes, and nothing moves by more than its
 * noise is made for, in exact integers. Each check has a wrong twin which it must catch.
 */
class ClippingFuzzTest {
  private static final ClipLevels LEVELS = new ClipLevels(BigInteger.ONE, 4);
  private static final int DIGITS = 10;
  private static final int LABELS = 4;

  private record Row(int label, long value) {}

  private final Map<String, Integer> checks = new TreeMap<>();
  private final Map<String, Integer> violations = new TreeMap<>();
  private final Map<String, Integer> caught = new TreeMap<>();

  @Test
  void onePersonMovesNothingByMoreThanItsNoiseIsMadeFor() {
    run(500, 1);
  }

  @Test
  @Tag("soak")
  void onePersonMovesNothingByMoreThanItsNoiseIsMadeForAtLength() {
    run(100_000, 2);
  }

  private void run(int cases, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < cases; i++) {
      Map<String, List<Row>> without = new LinkedHashMap<>();
      int people = random.nextInt(5);
      for (int p = 0; p < people; p++) {
        without.put("p" + p, rows(random, 1 + random.nextInt(4), 1, 1, 2, 5, -3, 9));
      }
      Map<String, List<Row>> with = new LinkedHashMap<>(without);
      int[] sizes = {1, 1, 2, 5, 9};
      with.put("new", rows(random, sizes[random.nextInt(5)], 1, 2, 5, -3, -9, 9));
      oneNumber(with, without);
      bins(with, without);
      weights(with, without);
      labels(with, without);
    }
    assertEquals(Map.of(), violations);
    for (String name : checks.keySet()) {
      assertTrue(
          name.startsWith("!") || caught.getOrDefault(name, 0) > cases / 200,
          name + " has a wrong twin that was not caught: " + caught);
    }
  }

  private static List<Row> rows(SplittableRandom random, int count, long... values) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Row(random.nextInt(LABELS), values[random.nextInt(values.length)]));
    }
    return rows;
  }

  /** A name with "!" has no wrong twin. */
  private void check(String name, boolean holds, boolean wrongHolds) {
    checks.merge(name, 1, Integer::sum);
    if (!holds) {
      violations.merge(name, 1, Integer::sum);
    }
    if (!wrongHolds) {
      caught.merge(name, 1, Integer::sum);
    }
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static Contributions<Integer> sums(Map<String, List<Row>> db, boolean positive) {
    Contributions<Integer> table = new Contributions<>(LEVELS, 0);
    for (List<Row> rows : db.values()) {
      BigInteger c = big(sum(rows, positive));
      table.person(c, Map.of(0, c));
    }
    return table;
  }

  private static long sum(List<Row> rows, boolean positive) {
    return rows.stream().mapToLong(Row::value).filter(v -> !positive || v > 0).sum();
  }

  private void oneNumber(Map<String, List<Row>> x, Map<String, List<Row>> y) {
    for (boolean positive : new boolean[] {true, false}) {
      Contributions<Integer> one = sums(x, positive);
      Contributions<Integer> two = sums(y, positive);
      BigInteger moved = BigInteger.ZERO;
      BigInteger tails = BigInteger.ZERO;
      BigInteger tail = BigInteger.ZERO;
      for (int b = LEVELS.buckets() - 1; b >= 0; b--) {
        BigInteger difference = one.people(b).subtract(two.people(b));
        moved = moved.add(difference.abs());
        tail = tail.add(difference);
        tails = tails.add(tail.abs());
      }
      // Twin: how many people have at least so much, each number with the noise of one.
      check(
          "histogram of people",
          moved.compareTo(BigInteger.ONE) <= 0,
          tails.compareTo(BigInteger.ONE) <= 0);
      for (int level = 0; level <= LEVELS.last(); level++) {
        long t = LEVELS.at(level).longValueExact();
        long direct =
            x.values().stream()
                .mapToLong(r -> Math.clamp(sum(r, positive), -t, t))
                .reduce(0, Long::sum);
        long q = one.clipped(0, level).longValueExact();
        check("! one pass gives every level", q == direct, true);
        long change = q - two.clipped(0, level).longValueExact();
        long plain = total(x, positive) - total(y, positive);
        check("clipped sum", Math.abs(change) <= t, Math.abs(plain) <= t);
        long half = half(x, t) - half(y, t);
        check("sum of either sign", Math.abs(change) <= t, Math.abs(half) <= t);
      }
    }
    // Twin: buckets that count rows.
    long rows = x.get("new").size();
    check("buckets count people", true, rows <= 1);
    // Twin: people from each level upwards, each number with the noise of one.
    check("a person is in one bucket", true, LEVELS.bucket(big(sum(x.get("new"), true))) < 1);
  }

  private static long total(Map<String, List<Row>> db, boolean positive) {
    return db.values().stream().mapToLong(r -> sum(r, positive)).sum();
  }

  /** Wrong: clipped from above only. */
  private static long half(Map<String, List<Row>> db, long t) {
    return db.values().stream().mapToLong(r -> Math.min(t, sum(r, false))).sum();
  }

  private static Map<Integer, BigInteger> vector(List<Row> rows) {
    Map<Integer, BigInteger> vector = new TreeMap<>();
    rows.forEach(r -> vector.merge(r.label(), big(r.value()), BigInteger::add));
    return vector;
  }

  private static BigInteger norm(Map<Integer, BigInteger> vector) {
    return vector.values().stream().map(BigInteger::abs).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static Contributions<Integer> histogram(Map<String, List<Row>> db) {
    Contributions<Integer> table = new Contributions<>(LEVELS, DIGITS);
    db.values().forEach(r -> table.person(norm(vector(r)), vector(r)));
    return table;
  }

  private void bins(Map<String, List<Row>> x, Map<String, List<Row>> y) {
    Contributions<Integer> one = histogram(x);
    Contributions<Integer> two = histogram(y);
    for (int level = 0; level <= 2; level++) {
      BigInteger tau = LEVELS.at(level);
      int at = level;
      BigInteger most = tau.shiftLeft(DIGITS);
      BigInteger moved = distance(l -> one.clipped(l, at), l -> two.clipped(l, at));
      BigInteger perBin = distance(l -> perBin(x, l, tau), l -> perBin(y, l, tau));
      check("bins of a person together", moved.compareTo(most) <= 0, perBin.compareTo(most) <= 0);
      BigInteger late = distance(l -> lateFloor(x, l, tau), l -> lateFloor(y, l, tau));
      check("rounded per person", moved.compareTo(most) <= 0, late.compareTo(most) <= 0);
      BigInteger halves = distance(l -> half(x, l, tau), l -> half(y, l, tau));
      check(
          "levels are whole steps",
          moved.compareTo(most) <= 0,
          halves.compareTo(halfway(tau.shiftLeft(DIGITS))) <= 0);
      BigInteger floors = distance(l -> floors(x, l, tau), l -> floors(y, l, tau));
      check("truncated toward zero", moved.compareTo(most) <= 0, floors.compareTo(most) <= 0);
      for (int label = 0; label < LABELS; label++) {
        BigInteger direct = BigInteger.ZERO;
        for (List<Row> rows : x.values()) {
          BigInteger v = vector(rows).getOrDefault(label, BigInteger.ZERO);
          BigInteger n = norm(vector(rows));
          direct =
              direct.add(
                  n.compareTo(tau) <= 0
                      ? v.shiftLeft(DIGITS)
                      : tau.multiply(v.shiftLeft(DIGITS).divide(n)));
        }
        check("! one pass gives every bin", one.clipped(label, level).equals(direct), true);
      }
    }
  }

  private interface Bin {
    BigInteger of(int label);
  }

  private static BigInteger distance(Bin one, Bin two) {
    BigInteger sum = BigInteger.ZERO;
    for (int label = 0; label < LABELS; label++) {
      sum = sum.add(one.of(label).subtract(two.of(label)).abs());
    }
    return sum;
  }

  /** Wrong: each bin clipped by itself. */
  private static BigInteger perBin(Map<String, List<Row>> db, int label, BigInteger tau) {
    return db.values().stream()
        .map(r -> vector(r).getOrDefault(label, BigInteger.ZERO).max(tau.negate()).min(tau))
        .reduce(BigInteger.ZERO, BigInteger::add)
        .shiftLeft(DIGITS);
  }

  /** Wrong: rounded to whole steps when everybody has been added. */
  private static BigInteger lateFloor(Map<String, List<Row>> db, int label, BigInteger tau) {
    Rational sum = Rational.ZERO;
    for (List<Row> rows : db.values()) {
      BigInteger n = norm(vector(rows)).max(BigInteger.ONE);
      BigInteger v = vector(rows).getOrDefault(label, BigInteger.ZERO);
      sum = sum.plus(new Rational(v.multiply(tau.min(n)), n));
    }
    return sum.floor().shiftLeft(DIGITS);
  }

  /** τ·√2, between two powers of two. */
  private static BigInteger halfway(BigInteger tau) {
    return tau.multiply(tau).shiftLeft(1).sqrt();
  }

  /** Wrong: a level that is no whole number of steps, rounded when everybody has been added. */
  private static BigInteger half(Map<String, List<Row>> db, int label, BigInteger tau) {
    BigInteger within = BigInteger.ZERO;
    BigInteger shares = BigInteger.ZERO;
    for (List<Row> rows : db.values()) {
      BigInteger n = norm(vector(rows));
      BigInteger v = vector(rows).getOrDefault(label, BigInteger.ZERO);
      if (n.compareTo(halfway(tau)) <= 0) {
        within = within.add(v);
      } else {
        shares = shares.add(Contributions.share(v, n, DIGITS));
      }
    }
    double beyond = Math.rint(shares.doubleValue() * tau.doubleValue() * Math.sqrt(2));
    return within.shiftLeft(DIGITS).add(BigInteger.valueOf((long) beyond));
  }

  /** Wrong: shares rounded down, whatever their sign. */
  private static BigInteger floors(Map<String, List<Row>> db, int label, BigInteger tau) {
    BigInteger sum = BigInteger.ZERO;
    for (List<Row> rows : db.values()) {
      BigInteger n = norm(vector(rows));
      BigInteger v = vector(rows).getOrDefault(label, BigInteger.ZERO);
      sum =
          sum.add(
              n.compareTo(tau) <= 0
                  ? v.shiftLeft(DIGITS)
                  : tau.multiply(new Rational(v.shiftLeft(DIGITS), n).floor()));
    }
    return sum;
  }

  private record Measured(String part, int label, long step) {}

  private static final long CENTRE = 4;
  private static final long LEAST = -4;
  private static final long MOST = 5;

  /** Several measurements: a person's rows weigh τ/rows each, whatever is measured of them. */
  private static Contributions<Measured> weighted(Map<String, List<Row>> db, boolean weighed) {
    Contributions<Measured> table = new Contributions<>(LEVELS, DIGITS);
    for (List<Row> rows : db.values()) {
      Map<Measured, BigInteger> values = new HashMap<>();
      for (Row row : rows) {
        long centred = Math.clamp(Math.abs(row.value()) - CENTRE, LEAST, MOST);
        values.merge(new Measured("count", row.label(), 0), BigInteger.ONE, BigInteger::add);
        values.merge(new Measured("sum", row.label(), 0), big(centred), BigInteger::add);
        values.merge(
            new Measured("step", 0, Math.abs(row.value())), BigInteger.ONE, BigInteger::add);
      }
      table.person(weighed ? big(rows.size()) : BigInteger.ONE, values);
    }
    return table;
  }

  private void weights(Map<String, List<Row>> x, Map<String, List<Row>> y) {
    Contributions<Measured> one = weighted(x, true);
    Contributions<Measured> two = weighted(y, true);
    Contributions<Measured> plainOne = weighted(x, false);
    Contributions<Measured> plainTwo = weighted(y, false);
    for (int level = 0; level <= 2; level++) {
      BigInteger tau = LEVELS.at(level).shiftLeft(DIGITS);
      BiFunction<Contributions<Measured>, Contributions<Measured>, Map<String, BigInteger>> moved =
          moved(level);
      Map<String, BigInteger> right = moved.apply(one, two);
      Map<String, BigInteger> wrong = moved.apply(plainOne, plainTwo);
      for (String part : List.of("count", "sum")) {
        BigInteger most = part.equals("count") ? tau : tau.multiply(big(MOST));
        check(
            "weighted " + part,
            right.get(part).compareTo(most) <= 0,
            wrong.get(part).compareTo(most) <= 0);
      }
      for (int tenths : new int[] {1, 5, 9}) {
        for (long at : new long[] {1, 3, 6}) {
          BigInteger most = tau.multiply(big(Math.max(tenths, 10 - tenths)));
          BigInteger a = score(one, level, tenths, at).subtract(score(two, level, tenths, at));
          BigInteger b =
              score(plainOne, level, tenths, at).subtract(score(plainTwo, level, tenths, at));
          check("quantile score", a.abs().compareTo(most) <= 0, b.abs().compareTo(most) <= 0);
        }
      }
    }
  }

  private static BiFunction<
          Contributions<Measured>, Contributions<Measured>, Map<String, BigInteger>>
      moved(int level) {
    return (one, two) -> {
      Map<String, BigInteger> moved = new HashMap<>();
      one.cells()
          .forEach(
              c ->
                  moved.merge(
                      c.part(),
                      one.clipped(c, level).subtract(two.clipped(c, level)).abs(),
                      BigInteger::add));
      return moved;
    };
  }

  /** Ten times −|rows below·(1−q) − rows from there·q|. */
  private static BigInteger score(Contributions<Measured> table, int level, int tenths, long at) {
    BigInteger sum = BigInteger.ZERO;
    for (Measured cell : table.cells()) {
      if (cell.part().equals("step")) {
        long factor = cell.step() < at ? 10 - tenths : -tenths;
        sum = sum.add(table.clipped(cell, level).multiply(big(factor)));
      }
    }
    return sum.abs().negate();
  }

  private static final BigDecimal EPSILON = new BigDecimal("0.5");
  private static final BigDecimal DELTA = new BigDecimal("0.001");

  private void labels(Map<String, List<Row>> x, Map<String, List<Row>> y) {
    for (int k = 1; k <= 3; k++) {
      Rational scale = Rational.of(k).over(Rational.of(EPSILON));
      BigDecimal threshold =
          LabelThreshold.of(BigDecimal.ONE, scale, BigDecimal.valueOf(k), DELTA, BigDecimal.ONE);
      Map<Integer, Long> one = people(x, k, false);
      Map<Integer, Long> two = people(y, k, false);
      long moved = 0;
      for (int label = 0; label < LABELS; label++) {
        moved += Math.abs(one.getOrDefault(label, 0L) - two.getOrDefault(label, 0L));
      }
      boolean shown = shown(one, two, scale, threshold) <= DELTA.doubleValue();
      check(
          "labels by people",
          shown && moved <= k,
          shown(people(x, k, true), people(y, k, true), scale, threshold) <= DELTA.doubleValue());
      Rational single = Rational.ONE.over(Rational.of(EPSILON));
      BigDecimal low =
          LabelThreshold.of(BigDecimal.ONE, single, BigDecimal.ONE, DELTA, BigDecimal.ONE);
      check(
          "labels of a person bounded",
          shown,
          shown(people(x, LABELS, false), people(y, LABELS, false), single, low)
              <= DELTA.doubleValue());
    }
  }

  /** People, or wrongly their rows, under the first labels of each. */
  private static Map<Integer, Long> people(Map<String, List<Row>> db, int k, boolean rows) {
    Map<Integer, Long> bins = new HashMap<>();
    for (Map.Entry<String, List<Row>> person : db.entrySet()) {
      person.getValue().stream()
          .map(Row::label)
          .distinct()
          .sorted((a, b) -> (a + person.getKey()).hashCode() - (b + person.getKey()).hashCode())
          .limit(k)
          .forEach(
              label ->
                  bins.merge(
                      label,
                      rows
                          ? person.getValue().stream().filter(r -> r.label() == label).count()
                          : 1L,
                      Long::sum));
    }
    return bins;
  }

  /** How probably a label is shown that exists in one of both only. */
  private static double shown(
      Map<Integer, Long> x, Map<Integer, Long> y, Rational scale, BigDecimal threshold) {
    double r = Math.exp(-1 / scale.doubleValue());
    double sum = 0;
    for (Map.Entry<Integer, Long> bin : x.entrySet()) {
      if (y.getOrDefault(bin.getKey(), 0L) == 0) {
        double m = threshold.doubleValue() + 1 - bin.getValue();
        sum += m > 0 ? Math.pow(r, m) / (1 + r) : 1 - Math.pow(r, 1 - m) / (1 + r);
      }
    }
    return sum;
  }
}
