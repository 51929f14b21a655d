package flexdp.experiments.people;

import flexdp.gateway.engine.InstalledSolver;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.packing.OwnerSets;
import flexdp.people.packing.PackingSolver;
import flexdp.people.packing.PackingValues;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Q(τ) as the race needs it: the best way in which nobody counts for more than τ. With two owners a
 * result it is a flow. With three it is a linear program: where few people have more than τ the
 * simplex method solves it; where many have, it does not come to an end, and a first-order method
 * gives two bounds, of which the race is given the upper one. That favours the race.
 */
final class RacePrograms implements Race.Truncated {
  /** One program, as it was solved. */
  record Solved(
      double level,
      int results,
      int people,
      String by,
      double seconds,
      double lower,
      double upper) {}

  static final Duration LIMIT = Duration.ofSeconds(90);

  /** The simplex method takes seconds up to so many people with more than τ. */
  private static final int FEW = 1_000;

  /** Steps of a level: the first of the race are whole in them. */
  private static final int STEPS = 16;

  private final List<int[]> results;
  private final int owners;
  private final long[] degrees;
  private final List<Solved> solved = new ArrayList<>();

  /**
   * @param results the people of each, numbered from 0, each of them once
   * @param owners how many a result has
   */
  RacePrograms(List<int[]> results, int owners) {
    this.results = results;
    this.owners = owners;
    int people = results.stream().flatMapToInt(Arrays::stream).max().orElse(-1) + 1;
    this.degrees = new long[people];
    results.forEach(r -> Arrays.stream(r).forEach(p -> degrees[p]++));
  }

  List<Solved> solved() {
    return List.copyOf(solved);
  }

  @Override
  public double at(double level) {
    long start = System.nanoTime();
    long heavy = Arrays.stream(degrees).filter(d -> d > level).count();
    if (heavy == 0) {
      return results.size();
    }
    Bounds found = owners <= 2 || heavy <= FEW ? exact(level) : near(level);
    solved.add(
        new Solved(
            level,
            found.variables(),
            (int) heavy,
            found.by(),
            (System.nanoTime() - start) / 1e9,
            found.lower(),
            found.upper()));
    return found.upper();
  }

  /** What is known of a program's value. */
  private record Bounds(int variables, String by, double lower, double upper) {}

  private Bounds exact(double level) {
    ClipLevels one = new ClipLevels(BigInteger.valueOf(Math.round(level * STEPS)), 0);
    OwnerSets sets = new OwnerSets(one.unit());
    for (int[] result : results) {
      sets.add(
          BigInteger.valueOf(STEPS),
          Arrays.stream(result).mapToObj(p -> new OwnerSets.Owner(0, p)).toList());
    }
    PackingSolver solver = InstalledSolver.find().orElse(null);
    double value = new PackingValues(sets, one, solver).inSteps(0).doubleValue() / STEPS;
    return new Bounds(reduced(level).weights().size(), owners <= 2 ? "flow" : "GLOP", value, value);
  }

  private Bounds near(double level) {
    Reduced reduced = reduced(level);
    PackingSolver.Packing packing = reduced.packing(level);
    FirstOrder.Near said = (FirstOrder.Near) new FirstOrder(LIMIT).solve(packing);
    // No program exceeds this: every result is counted by each of its owners.
    double counted = Arrays.stream(degrees).mapToDouble(d -> Math.min(d, level)).sum() / owners;
    double upper = reduced.untouched() + level * upper(packing, said);
    return new Bounds(
        packing.sets().length,
        said.isDone() ? "PDLP" : "not in " + LIMIT.toSeconds() + " s",
        reduced.untouched() + level * lower(packing, said),
        Math.min(results.size(), Math.min(counted, upper)));
  }

  /** Each result scaled down by the fullest of its owners is a way that exists. */
  static double lower(PackingSolver.Packing packing, PackingSolver.Solution said) {
    double[] loads = new double[packing.people()];
    double[] u = new double[packing.sets().length];
    for (int i = 0; i < u.length; i++) {
      u[i] = Math.clamp(said.of(i), 0, packing.weights()[i]);
      for (int person : packing.sets()[i]) {
        loads[person] += u[i];
      }
    }
    double sum = 0;
    for (int i = 0; i < u.length; i++) {
      double fullest = 1;
      for (int person : packing.sets()[i]) {
        fullest = Math.max(fullest, loads[person]);
      }
      sum += u[i] / fullest;
    }
    return sum;
  }

  /** Any prices of room from 0 on give a bound from above. */
  static double upper(PackingSolver.Packing packing, PackingSolver.Solution said) {
    double sum = 0;
    for (int person = 0; person < packing.people(); person++) {
      sum += Math.max(0, said.price(person));
    }
    for (int i = 0; i < packing.sets().length; i++) {
      double left = 1;
      for (int person : packing.sets()[i]) {
        left -= Math.max(0, said.price(person));
      }
      sum += packing.weights()[i] * Math.max(0, left);
    }
    return sum;
  }

  /** The results that somebody with more than τ has, by all of these. */
  private record Reduced(long untouched, int people, Map<List<Integer>, Integer> weights) {
    PackingSolver.Packing packing(double level) {
      return new PackingSolver.Packing(
          people,
          weights.values().stream().mapToDouble(w -> Math.min(1, w / level)).toArray(),
          weights.keySet().stream()
              .map(s -> s.stream().mapToInt(p -> p).toArray())
              .toArray(int[][]::new));
    }
  }

  private Reduced reduced(double level) {
    long untouched = 0;
    Map<Integer, Integer> numbers = new HashMap<>();
    Map<List<Integer>, Integer> weights = new LinkedHashMap<>();
    for (int[] result : results) {
      List<Integer> heavy =
          Arrays.stream(result)
              .filter(p -> degrees[p] > level)
              .map(p -> numbers.computeIfAbsent(p, q -> numbers.size()))
              .sorted()
              .boxed()
              .toList();
      if (heavy.isEmpty()) {
        untouched++;
      } else {
        weights.merge(heavy, 1, Integer::sum);
      }
    }
    return new Reduced(untouched, numbers.size(), weights);
  }
}
