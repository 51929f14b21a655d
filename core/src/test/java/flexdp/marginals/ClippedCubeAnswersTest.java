package flexdp.marginals;

import static flexdp.marginals.CubesOfPeople.contributions;
import static flexdp.marginals.CubesOfPeople.cube;
import static flexdp.marginals.CubesOfPeople.labels;
import static flexdp.marginals.CubesOfPeople.rows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.ExactHistogram;
import flexdp.cells.PersonCell;
import flexdp.marginals.CubesOfPeople.Cube;
import flexdp.marginals.CubesOfPeople.Row;
import flexdp.noise.Laplace;
import flexdp.noise.Noise;
import flexdp.noise.SeededBits;
import flexdp.people.clipping.Contributions;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.query.NoisyAggregate;
import flexdp.release.ClippedMarginals;
import flexdp.release.ClippedRelease;
import flexdp.release.NeighborDistance;
import flexdp.release.ReleasePlan.Exact;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** CUBEs of what people own: whole answers of neighbours, and what is won. */
class ClippedCubeAnswersTest {
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
    List<ExactHistogram.Bin> bins = ExactHistogram.of(cube.point(), labels()).bins();
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
    List<MeasurementStrategy> greedy = new ArrayList<>();
    for (MeasurementStrategy strategy : honest.strategies()) {
      greedy.add(
          new MeasurementStrategy(
              strategy.frame(),
              strategy.measurement(),
              strategy.place(),
              strategy.cuboids().stream()
                  .map(
                      c ->
                          new MeasurementStrategy.Cuboid(
                              c.point(), Laplace.of(BigDecimal.ONE), c.sensitivity()))
                  .toList()));
    }
    double excess = excess(honest.with(greedy), 1);
    assertTrue(excess > 5, "greedy cuboids exceed by " + excess);
  }

  /** At equal ε, against a person's size over all sets and even noise. */
  @Test
  void estimatesAreBetterThanAllSetsClippedTogether() {
    Cube cube = cube("SELECT a, b, COUNT(*) FROM visits GROUP BY CUBE(a, b)", "1");
    SplittableRandom random = new SplittableRandom(5);
    List<List<Row>> people = new ArrayList<>();
    for (int p = 0; p < 400; p++) {
      people.add(rows(random, 1 + random.nextInt(8)));
    }
    NoisyAggregate point = cube.point();
    ClippingPlan all = ClippingPlan.of(point, Optional.empty(), List.of());
    Contributions<PersonCell> together = contributions(all, point, people);
    Contributions<PersonCell> framed = contributions(cube.clipping(), cube.read(), people);
    Map<List<Object>, Double> truth = new HashMap<>();
    List<ExactHistogram.Bin> bins = ExactHistogram.of(point, labels()).bins();
    for (PersonCell cell : together.cells()) {
      truth.put(
          List.of(cell.grouping().orElseThrow(), cell.labels().toString()),
          new BigDecimal(together.whole(cell).shiftRight(all.digits())).doubleValue());
    }
    double[] squares = new double[2];
    SeededBits bits = new SeededBits(8);
    ClippedCuboids cuboids = new ClippedCuboids(point, cube.noise(), cube.strategies());
    CalibratedMechanism.Clipped first = cube.noise().getFirst();
    ClippedRelease release =
        new ClippedRelease(
            point,
            point,
            List.of(
                new CalibratedMechanism.Clipped(
                    first.mechanism(),
                    all,
                    Optional.empty(),
                    first.owner(),
                    first.measurement(),
                    Optional.empty())),
            Optional.empty());
    Exact exact = release.read(new CubesOfPeople.Rows(people), Optional.of(labels()));
    Noise noise = new Noise(bits);
    int times = 100;
    for (int i = 0; i < times; i++) {
      List<List<Object>> today = release.draw(exact, noise).rows().rows();
      ClippedCuboids.Estimated made = cuboids.estimates(cube.read(), framed, bins, bits);
      for (int bin = 0; bin < bins.size(); bin++) {
        long set = point.bits(point.groupingSets().get(bins.get(bin).set()));
        double whole = truth.get(List.of(set, bins.get(bin).labels().toString()));
        double old = ((BigDecimal) today.get(bin).getLast()).doubleValue() - whole;
        double now = made.values().getFirst().get(bin).doubleValue() - whole;
        squares[0] += old * old;
        squares[1] += now * now;
      }
    }
    double gain = Math.sqrt(squares[0] / squares[1]);
    assertTrue(gain > 1.6, "a factor of " + gain);
  }

  @Test
  void onePersonMovesEveryCuboidByNoMoreThanItsNoiseIsMadeFor() {
    Cube cube = cube("SELECT a, b, COUNT(*) FROM visits GROUP BY CUBE(a, b)", "1");
    CalibratedMechanism.Clipped first = cube.noise().getFirst();
    CalibratedMechanism.Clipped noise =
        new CalibratedMechanism.Clipped(
            first.mechanism(),
            ClippingPlan.of(cube.point(), Optional.empty(), List.of()),
            Optional.of(cube.clipping()),
            first.owner(),
            first.measurement(),
            Optional.empty());
    ClippedMarginals release =
        new ClippedMarginals(
            new ClippedRelease(cube.point(), cube.point(), List.of(noise), Optional.empty()),
            cube.strategies());
    Exact without = read(release, neighbour(false));
    List<NeighborDistance> moved =
        release.distance(read(release, neighbour(true)), release, without);
    assertTrue(moved.stream().noneMatch(NeighborDistance::isTooFar), moved::toString);
    assertTrue(moved.stream().anyMatch(m -> m.moved().signum() > 0), moved::toString);
    List<List<Row>> two = new ArrayList<>(neighbour(true));
    two.add(List.of(new Row(0, 0, 0, 0)));
    List<NeighborDistance> more = release.distance(read(release, two), release, without);
    assertTrue(more.stream().anyMatch(NeighborDistance::isTooFar), more::toString);
  }

  private static Exact read(ClippedMarginals release, List<List<Row>> people) {
    return release.read(new CubesOfPeople.Rows(people), Optional.of(labels()));
  }
}
