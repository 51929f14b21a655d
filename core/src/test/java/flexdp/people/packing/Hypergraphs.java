package flexdp.people.packing;

import flexdp.people.clipping.ClipLevels;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** Small random results with sets of owners, and what can be said of them by hand. */
final class Hypergraphs {
  static final ClipLevels LEVELS = new ClipLevels(BigInteger.ONE, 4);

  record Result(long weight, Set<OwnerSets.Owner> owners) {}

  private Hypergraphs() {}

  /** Up to a few owners each, sometimes two kinds, sometimes a hub that shares with everybody. */
  static List<Result> draw(SplittableRandom random, int most) {
    List<Result> results = new ArrayList<>();
    int people = 2 + random.nextInt(5);
    boolean kinds = random.nextInt(10) < 3;
    int count = random.nextInt(13);
    long[] weights = {1, 1, 1, 2, 3, 7};
    for (int i = 0; i < count; i++) {
      Set<OwnerSets.Owner> owners = new LinkedHashSet<>();
      if (kinds) {
        owners.add(new OwnerSets.Owner(0, random.nextInt(3)));
        owners.add(new OwnerSets.Owner(1, random.nextInt(3)));
      } else {
        int n = 1 + random.nextInt(most);
        for (int k = 0; k < n; k++) {
          owners.add(new OwnerSets.Owner(0, random.nextInt(people)));
        }
      }
      results.add(new Result(weights[random.nextInt(weights.length)], owners));
    }
    if (!results.isEmpty() && random.nextInt(10) < 4) {
      OwnerSets.Owner hub = new OwnerSets.Owner(2, "hub");
      int times = random.nextInt(3) == 0 ? 4 : 1;
      List<Result> shared = new ArrayList<>();
      for (OwnerSets.Owner owner : people(results)) {
        shared.add(new Result(random.nextBoolean() ? 1 : 3, Set.of(hub, owner)));
      }
      for (int t = 0; t < times; t++) {
        results.addAll(shared);
      }
    }
    return results;
  }

  static List<OwnerSets.Owner> people(List<Result> results) {
    Set<OwnerSets.Owner> all = new LinkedHashSet<>();
    results.forEach(r -> all.addAll(r.owners()));
    return List.copyOf(all);
  }

  static List<Result> without(List<Result> results, OwnerSets.Owner person) {
    return results.stream().filter(r -> !r.owners().contains(person)).toList();
  }

  static OwnerSets sets(List<Result> results) {
    return sets(results, LEVELS);
  }

  static OwnerSets sets(List<Result> results, ClipLevels levels) {
    OwnerSets sets = new OwnerSets(levels.at(levels.last()));
    results.forEach(r -> sets.add(BigInteger.valueOf(r.weight()), r.owners()));
    return sets;
  }

  static Map<OwnerSets.Owner, Long> degrees(List<Result> results) {
    Map<OwnerSets.Owner, Long> degrees = new LinkedHashMap<>();
    results.forEach(r -> r.owners().forEach(o -> degrees.merge(o, r.weight(), Long::sum)));
    return degrees;
  }

  static int together(List<Result> results) {
    return results.stream().mapToInt(r -> r.owners().size()).max().orElse(0);
  }

  /** The value by a linear program of all owners and results, nothing simplified. */
  static double byProgram(List<Result> results, long level) {
    if (results.isEmpty()) {
      return 0;
    }
    List<OwnerSets.Owner> people = people(results);
    double[] weights = new double[results.size()];
    int[][] members = new int[results.size()][];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (double) results.get(i).weight() / level;
      members[i] = results.get(i).owners().stream().mapToInt(people::indexOf).toArray();
    }
    PackingSolver.Solution solution =
        new TableauSolver().solve(new PackingSolver.Packing(people.size(), weights, members));
    double sum = 0;
    for (int i = 0; i < weights.length; i++) {
      sum += solution.of(i);
    }
    return sum * level;
  }

  // ---- values that look alike and are not stable
  // -------------------------------------------------

  /** Results none of whose owners weighs more than τ. */
  static double dropHeavy(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> d = degrees(results);
    return results.stream()
        .filter(r -> r.owners().stream().allMatch(o -> d.get(o) <= level))
        .mapToLong(Result::weight)
        .sum();
  }

  /** Every result scaled by τ/degree of its heaviest owner. */
  static double scaled(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> d = degrees(results);
    double sum = 0;
    for (Result r : results) {
      double least = 1;
      for (OwnerSets.Owner o : r.owners()) {
        least = Math.min(least, (double) level / d.get(o));
      }
      sum += r.weight() * least;
    }
    return sum;
  }

  /** Charged to one owner of each result. */
  static double oneOwnerPays(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> paid = new LinkedHashMap<>();
    for (Result r : results) {
      OwnerSets.Owner payer =
          r.owners().stream().min((a, b) -> a.toString().compareTo(b.toString())).orElseThrow();
      paid.merge(payer, r.weight(), Long::sum);
    }
    return paid.values().stream().mapToLong(w -> Math.min(w, level)).sum();
  }

  /** The lower bound that needs no solver, taken for the value. */
  static double lowerBound(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> d = degrees(results);
    long excess = d.values().stream().mapToLong(x -> Math.max(0, x - level)).sum();
    long most = d.values().stream().mapToLong(x -> Math.min(x, level)).max().orElse(0);
    long total = results.stream().mapToLong(Result::weight).sum();
    return Math.max(Math.max(0, total - excess), most);
  }

  /** The closed form although a result may touch two heavy owners. */
  static double closedForm(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> d = degrees(results);
    Set<OwnerSets.Owner> heavy = new HashSet<>();
    d.forEach(
        (o, x) -> {
          if (x > level) {
            heavy.add(o);
          }
        });
    return results.stream()
            .filter(r -> r.owners().stream().noneMatch(heavy::contains))
            .mapToLong(Result::weight)
            .sum()
        + (double) level * heavy.size();
  }

  /** Results in a fixed order, each as far as every owner has room. */
  static double greedy(List<Result> results, long level) {
    Map<OwnerSets.Owner, Long> used = new LinkedHashMap<>();
    List<Result> order = new ArrayList<>(results);
    order.sort((a, b) -> key(a).compareTo(key(b)));
    long sum = 0;
    for (Result r : order) {
      long u = r.weight();
      for (OwnerSets.Owner o : r.owners()) {
        u = Math.min(u, level - used.getOrDefault(o, 0L));
      }
      sum += u;
      for (OwnerSets.Owner o : r.owners()) {
        used.merge(o, u, Long::sum);
      }
    }
    return sum;
  }

  private static String key(Result result) {
    TreeSet<String> names = new TreeSet<>();
    result.owners().forEach(o -> names.add(o.toString()));
    return names + " " + result.weight();
  }

  /** A solver that may be off by a tenth and is believed. */
  static double uncertified(List<Result> results, long level) {
    return byProgram(results, level) * (1 - 0.1 * (results.size() % 2));
  }
}
