package flexdp.people.packing;

import java.util.Arrays;

/**
 * Something that solves packing programs in floating point. Nothing rests on its word: {@link
 * PackingValues.DualBound} turns whatever it says into numbers that are right.
 */
public interface PackingSolver {
  /**
   * max Σu_i with 0 ≤ u_i ≤ weights[i] and, for each person p, the sum of u_i over the sets that
   * hold p at most 1.
   *
   * @param people how many there are
   * @param sets of people, numbered from 0
   */
  record Packing(int people, double[] weights, int[][] sets) {
    @Override
    public String toString() {
      return "Packing of " + sets.length + " results of " + people + " people";
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Packing p
          && people == p.people
          && Arrays.equals(weights, p.weights)
          && Arrays.deepEquals(sets, p.sets);
    }

    @Override
    public int hashCode() {
      return 31 * Arrays.deepHashCode(sets) + Arrays.hashCode(weights);
    }
  }

  /** About an optimum: u per result, y (the price of room) per person. */
  interface Solution {
    double of(int result);

    double price(int person);
  }

  Solution solve(Packing packing);
}
