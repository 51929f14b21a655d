package flexdp.people.packing;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is left of owner sets at a level τ: the weight of the results that only light people own
 * (theirs weigh at most τ, so those count in full), and the others with their heavy owners alone.
 * The constraints of light people are slack and are forgotten.
 *
 * @param untouched the weight of results without heavy owners
 * @param weights of the other results, equal sets merged
 * @param sets their heavy owners, numbered anew from 0, ascending
 * @param kinds of the heavy owners
 */
record ResidualPacking(
    long level, BigInteger untouched, long[] weights, int[][] sets, int[] kinds) {
  static ResidualPacking of(OwnerSets all, long level) {
    long[] degrees = all.degrees();
    int[] numbers = new int[degrees.length];
    Arrays.fill(numbers, -1);
    int heavy = 0;
    for (int person = 0; person < degrees.length; person++) {
      if (degrees[person] > level) {
        numbers[person] = heavy++;
      }
    }
    int[] kinds = new int[heavy];
    for (int person = 0; person < degrees.length; person++) {
      if (numbers[person] >= 0) {
        kinds[numbers[person]] = all.kind(person);
      }
    }
    OwnerSets.Total untouched = new OwnerSets.Total();
    Map<List<Integer>, Long> merged = new LinkedHashMap<>();
    List<Integer> set = new ArrayList<>();
    for (int result = 0; result < all.size(); result++) {
      set.clear();
      for (int i = all.from(result); i < all.to(result); i++) {
        if (numbers[all.member(i)] >= 0) {
          set.add(numbers[all.member(i)]);
        }
      }
      if (set.isEmpty()) {
        untouched.add(all.weight(result));
      } else {
        set.sort(null);
        // No result counts for more than τ, so neither do several with the same owners.
        long weight = Math.min(level, all.weight(result));
        Long known = merged.get(set);
        if (known == null) {
          merged.put(List.copyOf(set), weight);
        } else {
          merged.put(List.copyOf(set), Math.min(level, known + weight));
        }
      }
    }
    long[] weights = merged.values().stream().mapToLong(Long::longValue).toArray();
    int[][] sets =
        merged.keySet().stream()
            .map(s -> s.stream().mapToInt(Integer::intValue).toArray())
            .toArray(int[][]::new);
    return new ResidualPacking(level, untouched.value(), weights, sets, kinds);
  }

  int people() {
    return kinds.length;
  }

  /** The most heavy owners that one result has. */
  int together() {
    return Arrays.stream(sets).mapToInt(set -> set.length).max().orElse(0);
  }
}
