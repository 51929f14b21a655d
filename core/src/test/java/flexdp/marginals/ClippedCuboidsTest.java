package flexdp.marginals;

import static flexdp.marginals.CubesOfPeople.contributions;
import static flexdp.marginals.CubesOfPeople.cube;
import static flexdp.marginals.CubesOfPeople.rows;
import static flexdp.marginals.CubesOfPeople.values;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.PersonCell;
import flexdp.marginals.CubesOfPeople.Cube;
import flexdp.marginals.CubesOfPeople.Row;
import flexdp.noise.Rational;
import flexdp.people.clipping.Contributions;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

/** CUBEs of what people own: what one person moves, against what noise is made for. */
class ClippedCuboidsTest {
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
      for (MeasurementStrategy.Cuboid cuboid : cube.strategies().get(m).cuboids()) {
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
}
