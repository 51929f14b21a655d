package flexdp.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.Metrics;
import flexdp.noise.Laplace;
import flexdp.noise.Rational;
import flexdp.noise.SeededBits;
import flexdp.people.clip.Contributions;
import flexdp.plan.Calibrated;
import flexdp.plan.Clipping;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.PeopleReleaser;
import flexdp.release.PersonCell;
import flexdp.sensitivity.Rules;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/**
 * CUBEs of what people own: what one person moves, whole answers of neighbours, and what is won.
 */
class ClippedCuboidsTest {
  private static final int LABELS = 3;
  private static final Policy POLICY = policy();

  /** The last label is not listed. */
  private record Row(int a, int b, int v, int w) {}

  private static Policy policy() {
    Map<String, Object> id = Map.of("type", "bigint", "unique", true, "nullable", false);
    Map<String, Object> label = Map.of("type", "integer", "domain", List.of(0, 1, 2));
    Map<String, Object> visits = new LinkedHashMap<>();
    visits.put("id", id);
    visits.put("person", Map.of("type", "bigint"));
    visits.put("a", label);
    visits.put("b", label);
    visits.put("v", Map.of("type", "integer", "range", List.of(0, 9)));
    visits.put("w", Map.of("type", "integer", "range", List.of(-5, 5)));
    return PolicyReader.read(
        Map.of(
            "privacy",
            Map.of("epsilon", 1, "budget", Map.of("epsilon", 1000)),
            "people",
            Map.of("person", Map.of("key", "persons.id")),
            "tables",
            Map.of(
                "persons",
                Map.of("owners", Map.of("person", "id"), "columns", Map.of("id", id)),
                "visits",
                Map.of("owners", Map.of("person", "person"), "columns", visits))));
  }

  /** A planned CUBE, its cuboids, and the noise of every measurement. */
  private record Cube(
      ReleasePoint point,
      ReleasePoint read,
      List<Calibrated.Clipped> noise,
      List<Strategy> strategies) {
    Clipping clipping() {
      return noise.getFirst().clipping();
    }

    Cube with(List<Strategy> others) {
      return new Cube(point, read, noise, others);
    }
  }

  private static Cube cube(String sql, String epsilon) {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 1, 1, 0, 0))
            .plan(
                sql,
                new AnalysisOptions(
                    Rules.FLEXDP,
                    MechanismChoice.AUTO,
                    Optional.of(new BigDecimal(epsilon)),
                    Optional.empty(),
                    List.of(0L),
                    Optional.empty()));
    ReleasePoint point = plan.question().releases().getFirst();
    List<Calibrated.Clipped> noise =
        plan.measurements().stream()
            .map(p -> ((Calibrated.Clipped) p.noise().orElseThrow()).ofCuboids())
            .toList();
    List<Strategy> strategies =
        new Strategies().ofPeople(point, plan.measurements(), labels(), List.of());
    ReleasePoint read = point.by(new ClippedCuboids(point, noise, strategies).sets());
    return new Cube(point, read, noise, strategies);
  }

  private static List<List<Object>> labels() {
    List<List<Object>> rows = new ArrayList<>();
    for (int a = 0; a < LABELS; a++) {
      for (int b = 0; b < LABELS; b++) {
        rows.add(List.of(BigDecimal.valueOf(a), BigDecimal.valueOf(b)));
      }
    }
    return rows;
  }

  private static BigInteger value(Measurement measurement, Row row) {
    if (measurement instanceof Measurement.Sum sum) {
      return BigInteger.valueOf(sum.clamp().mostTaken().signum() > 0 ? row.w() : row.v());
    }
    return BigInteger.ONE;
  }

  private static Map<PersonCell, BigInteger> values(
      ReleasePoint read, List<Integer> set, List<Row> rows) {
    Map<PersonCell, BigInteger> values = new LinkedHashMap<>();
    for (Row row : rows) {
      List<Object> labels = new ArrayList<>();
      labels.add(set.contains(0) ? BigDecimal.valueOf(row.a()) : null);
      labels.add(set.contains(1) ? BigDecimal.valueOf(row.b()) : null);
      for (int m = 0; m < read.measurements().size(); m++) {
        values.merge(
            new PersonCell(Optional.of(read.bits(set)), labels, m, Optional.empty()),
            value(read.measurements().get(m), row),
            BigInteger::add);
      }
    }
    return values;
  }

  /** What the one pass of SQL tells. */
  private static Contributions<PersonCell> contributions(
      Clipping clipping, ReleasePoint read, List<List<Row>> people) {
    Contributions<PersonCell> all = new Contributions<>(clipping.levels(), clipping.digits());
    for (List<Row> rows : people) {
      BigInteger over = BigInteger.ZERO;
      for (List<Integer> set : read.groupingSets()) {
        over = over.add(clipping.byRows() ? size(rows) : norm(values(read, set, rows)));
      }
      for (int s = 0; s < read.groupingSets().size(); s++) {
        Map<PersonCell, BigInteger> own = values(read, read.groupingSets().get(s), rows);
        BigInteger size = !clipping.bySet() ? over : clipping.byRows() ? size(rows) : norm(own);
        int bucket = clipping.levels().bucket(size);
        if (s == 0) {
          all.people(bucket, BigInteger.ONE);
        }
        own.forEach(
            (cell, x) -> all.add(bucket, cell, x, Contributions.share(x, size, clipping.digits())));
      }
    }
    return all;
  }

  private static BigInteger size(List<Row> rows) {
    return BigInteger.valueOf(rows.size());
  }

  private static BigInteger norm(Map<PersonCell, BigInteger> values) {
    return values.values().stream().map(BigInteger::abs).reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static List<Row> rows(SplittableRandom random, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(
          new Row(
              random.nextInt(LABELS + 1),
              random.nextInt(LABELS + 1),
              random.nextInt(10),
              random.nextInt(-5, 6)));
    }
    return rows;
  }

  /** How a cell is clipped: by its person's size, or wrongly. */
  private interface Cells {
    BigInteger at(PersonCell cell);
  }

  /**
   * What all that is drawn loses, exactly: Σ ε_s·|change of cuboid s|/τ and that of the histogram
   * of people.
   *
   * @param epsilon of a cuboid, given what it has
   * @param histograms how many are published
   */
  private static Rational loss(
      Cube cube,
      int level,
      Set<PersonCell> all,
      Cells one,
      Cells two,
      BinaryOperator<BigDecimal> epsilon,
      int histograms,
      int movedPeople) {
    BigDecimal choosing = cube.noise().getFirst().mechanism().choosing(cube.noise().size());
    Rational loss =
        Rational.of(choosing.multiply(BigDecimal.valueOf((long) histograms * movedPeople)));
    for (int m = 0; m < cube.noise().size(); m++) {
      Rational most = Rational.of(cube.clipping().moved(cube.noise().get(m).measurement(), level));
      for (Strategy.Cuboid cuboid : cube.strategies().get(m).cuboids()) {
        long bits = cube.point().bits(cube.strategies().get(m).frame().keys(cuboid.point()));
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : all) {
          if (cell.measurement() == m && cell.grouping().orElseThrow() == bits) {
            moved = moved.add(one.at(cell).subtract(two.at(cell)).abs());
          }
        }
        BigDecimal own =
            epsilon.apply(cuboid.mechanism().epsilon(), cube.noise().get(m).mechanism().adding());
        loss = loss.plus(Rational.of(own).times(Rational.of(moved)).over(most));
      }
    }
    return loss;
  }

  /** Clipped cell by cell: every cell of a person may hold τ. */
  private static Cells eachCell(Cube cube, List<List<Row>> people, int level) {
    Map<PersonCell, BigInteger> sums = new HashMap<>();
    BigInteger tau = cube.clipping().levels().at(level);
    for (List<Row> rows : people) {
      for (List<Integer> set : cube.read().groupingSets()) {
        values(cube.read(), set, rows)
            .forEach((cell, x) -> sums.merge(cell, x.min(tau).max(tau.negate()), BigInteger::add));
      }
    }
    return cell -> sums.getOrDefault(cell, BigInteger.ZERO).shiftLeft(cube.clipping().digits());
  }

  @Test
  void onePersonLosesNoMoreThanEpsilonAndTwinsDoSo() {
    Map<String, Integer> caught = new HashMap<>();
    for (String sql :
        List.of(
            "SELECT a, b, COUNT(*) FROM visits GROUP BY CUBE(a, b)",
            "SELECT a, b, SUM(v) FROM visits GROUP BY ROLLUP(a, b)",
            "SELECT a, b, SUM(w) FROM visits GROUP BY CUBE(a, b)",
            "SELECT a, b, COUNT(*), SUM(w) FROM visits GROUP BY GROUPING SETS ((a), (b))")) {
      Cube cube = cube(sql, "0.7");
      Rational whole = Rational.of(new BigDecimal("0.7"));
      SplittableRandom random = new SplittableRandom(sql.length());
      int sets = cube.read().groupingSets().size();
      for (int round = 0; round < 25; round++) {
        List<List<Row>> without = new ArrayList<>();
        for (int p = random.nextInt(4); p > 0; p--) {
          without.add(rows(random, 1 + random.nextInt(6)));
        }
        List<List<Row>> with = new ArrayList<>(without);
        with.add(rows(random, new int[] {1, 2, 3, 8, 20}[random.nextInt(5)]));
        Contributions<PersonCell> one = contributions(cube.clipping(), cube.read(), with);
        Contributions<PersonCell> two = contributions(cube.clipping(), cube.read(), without);
        int moved = 0;
        for (int b = 0; b < cube.clipping().levels().buckets(); b++) {
          moved += one.people(b).subtract(two.people(b)).abs().intValueExact();
        }
        assertEquals(1, moved);
        for (int level = 0; level <= 6; level += 2) {
          int at = level;
          Set<PersonCell> all = new HashSet<>(one.cells());
          all.addAll(two.cells());
          Cells first = cell -> one.clipped(cell, at);
          Cells second = cell -> two.clipped(cell, at);
          Rational loss = loss(cube, level, all, first, second, (own, of) -> own, 1, 1);
          assertTrue(loss.compareTo(whole) <= 0, sql + " loses " + loss.doubleValue());
          Rational greedy = loss(cube, level, all, first, second, (own, of) -> of, 1, 1);
          Rational chosen = loss(cube, level, all, first, second, (own, of) -> own, sets, 1);
          Rational cells =
              loss(
                  cube,
                  level,
                  all,
                  eachCell(cube, with, level),
                  eachCell(cube, without, level),
                  (own, of) -> own,
                  1,
                  1);
          caught.merge(
              "a cuboid with all of it", greedy.compareTo(whole) > 0 ? 1 : 0, Integer::sum);
          caught.merge("a level of each", chosen.compareTo(whole) > 0 ? 1 : 0, Integer::sum);
          caught.merge("cell by cell", cells.compareTo(whole) > 0 ? 1 : 0, Integer::sum);
        }
      }
    }
    assertEquals(3, caught.size());
    caught.forEach((twin, times) -> assertTrue(times > 20, twin + " caught " + times));
  }

  private static final int OTHERS = 300;

  /** So many people with a row each, which makes one the likely level, and perhaps one more. */
  private static List<List<Row>> neighbour(boolean hers) {
    List<List<Row>> people = new ArrayList<>();
    for (int p = 0; p < OTHERS; p++) {
      people.add(List.of(new Row(1, 1, 0, 0)));
    }
    if (hers) {
      people.add(List.of(new Row(0, 0, 0, 0)));
    }
    return people;
  }

  /** How far the worst log ratio is above ε, in standard errors. */
  private static double excess(Cube cube, double epsilon) {
    int times = 2_000;
    int[] limits = {-1, 0, 1, 2, 3};
    int[][] seen = new int[2][2 * limits.length];
    List<Histogram.Bin> bins = Histogram.of(cube.point(), labels()).bins();
    for (int side = 0; side < 2; side++) {
      SeededBits bits = new SeededBits(60 + side);
      Contributions<PersonCell> exact =
          contributions(cube.clipping(), cube.read(), neighbour(side == 1));
      ClippedCuboids cuboids = new ClippedCuboids(cube.point(), cube.noise(), cube.strategies());
      for (int i = 0; i < times; i++) {
        ClippedCuboids.Estimated made = cuboids.estimates(cube.read(), exact, bins, bits);
        // Cells that hold her: her own, those of her keys, and the total.
        double most = Double.NEGATIVE_INFINITY;
        double least = Double.POSITIVE_INFINITY;
        for (int bin = 0; bin < bins.size(); bin++) {
          List<Object> own = bins.get(bin).labels();
          if (own.stream().allMatch(l -> l == null || ((BigDecimal) l).signum() == 0)) {
            boolean total = own.stream().allMatch(l -> l == null);
            double value = made.values().getFirst().get(bin).doubleValue() - (total ? OTHERS : 0);
            most = Math.max(most, value);
            least = Math.min(least, value);
          }
        }
        for (int e = 0; e < limits.length; e++) {
          seen[side][2 * e] += most <= limits[e] ? 1 : 0;
          seen[side][2 * e + 1] += least >= limits[e] ? 1 : 0;
        }
      }
    }
    double worst = Double.NEGATIVE_INFINITY;
    for (int e = 0; e < seen[0].length; e++) {
      double one = seen[0][e] + 1.0;
      double two = seen[1][e] + 1.0;
      double n = times + 2;
      double deviation = Math.sqrt((1 - one / n) / one + (1 - two / n) / two);
      worst = Math.max(worst, (Math.abs(Math.log(one / two)) - epsilon) / deviation);
    }
    return worst;
  }

  @Test
  void aWholeCubeKeepsItsPromiseAndOneWithGreedyCuboidsDoesNot() {
    Cube honest = cube("SELECT a, b, COUNT(*) FROM visits GROUP BY CUBE(a, b)", "1");
    assertTrue(excess(honest, 1) < 5);
    List<Strategy> greedy = new ArrayList<>();
    for (Strategy strategy : honest.strategies()) {
      greedy.add(
          new Strategy(
              strategy.frame(),
              strategy.measurement(),
              strategy.place(),
              strategy.cuboids().stream()
                  .map(c -> new Strategy.Cuboid(c.point(), Laplace.of(ONE), c.sensitivity()))
                  .toList()));
    }
    double excess = excess(honest.with(greedy), 1);
    assertTrue(excess > 5, "greedy cuboids exceed by " + excess);
  }

  private static final BigDecimal ONE = BigDecimal.ONE;

  /** At equal ε, against a person's size over all sets and even noise. */
  @Test
  void estimatesAreBetterThanAllSetsClippedTogether() {
    Cube cube = cube("SELECT a, b, COUNT(*) FROM visits GROUP BY CUBE(a, b)", "1");
    SplittableRandom random = new SplittableRandom(5);
    List<List<Row>> people = new ArrayList<>();
    for (int p = 0; p < 400; p++) {
      people.add(rows(random, 1 + random.nextInt(8)));
    }
    ReleasePoint point = cube.point();
    Clipping all = Clipping.of(point, Optional.empty(), List.of());
    Contributions<PersonCell> together = contributions(all, point, people);
    Contributions<PersonCell> framed = contributions(cube.clipping(), cube.read(), people);
    Map<List<Object>, Double> truth = new HashMap<>();
    List<Histogram.Bin> bins = Histogram.of(point, labels()).bins();
    for (PersonCell cell : together.cells()) {
      truth.put(
          List.of(cell.grouping().orElseThrow(), cell.labels().toString()),
          new BigDecimal(together.whole(cell).shiftRight(all.digits())).doubleValue());
    }
    double[] squares = new double[2];
    SeededBits bits = new SeededBits(8);
    ClippedCuboids cuboids = new ClippedCuboids(point, cube.noise(), cube.strategies());
    int times = 100;
    for (int i = 0; i < times; i++) {
      List<List<Object>> today =
          new PeopleReleaser(bits)
              .release(
                  point,
                  all,
                  cube.noise().getFirst().mechanism(),
                  together,
                  Histogram.of(point, labels()))
              .rows()
              .rows();
      ClippedCuboids.Estimated made = cuboids.estimates(cube.read(), framed, bins, bits);
      for (int bin = 0; bin < bins.size(); bin++) {
        long set = point.bits(point.groupingSets().get(bins.get(bin).set()));
        double exact = truth.get(List.of(set, bins.get(bin).labels().toString()));
        double old = ((BigDecimal) today.get(bin).getLast()).doubleValue() - exact;
        double now = made.values().getFirst().get(bin).doubleValue() - exact;
        squares[0] += old * old;
        squares[1] += now * now;
      }
    }
    double gain = Math.sqrt(squares[0] / squares[1]);
    assertTrue(gain > 1.6, "a factor of " + gain);
  }
}
