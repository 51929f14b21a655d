package flexdp.smooth;

import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CompiledFormula;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * γ = min Σκ over the distance vectors κ at which a bound exceeds b: how many steps the data are
 * away from such on which b would not do. A neighbour's γ differs by one at most, since U_κ(x) ≤
 * U_{κ+e}(y); so does the least of γ and a public number. Where vectors would be too many, one
 * distance stands for all units, for which the same holds and which is never more.
 */
public final class SafeDistance {
  /** For how many steps, at most, so many units are searched through, one by one. */
  private static final long MOST_OF_TWO = 100_000;

  private static final long MOST_OF_THREE = 2_000;

  private final CompiledFormula formula;
  private final BigInteger within;

  private SafeDistance(Bound bound, BigInteger within) {
    this.formula = new CompiledFormula(bound);
    this.within = within;
  }

  /**
   * The distance, or {@code most} where that is less. Private, as the bound is.
   *
   * @param within b
   * @param units how many the question has, by its structure: what is searched must not depend on
   *     numbers in the bound
   */
  public static long of(Bound bound, BigInteger within, int units, long most) {
    SafeDistance search = new SafeDistance(bound, within);
    boolean each =
        units <= 1 || units == 2 && most <= MOST_OF_TWO || units == 3 && most <= MOST_OF_THREE;
    return each ? search.least(most) : search.diagonal(most);
  }

  private boolean exceeds(long... distances) {
    return formula.at(distances).compareTo(within) > 0;
  }

  /** One distance for all. */
  private long diagonal(long most) {
    long[] vector = new long[formula.units().size()];
    return first(most, k -> Arrays.fill(vector, k), vector);
  }

  private interface Place {
    void at(long k);
  }

  /** The least k below the limit with the vector in its place beyond b; else the limit. */
  private long first(long limit, Place place, long[] vector) {
    long low = 0;
    long high = limit;
    while (low < high) {
      long middle = low + (high - low) / 2;
      place.at(middle);
      if (exceeds(vector)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private long least(long most) {
    long[] vector = new long[formula.units().size()];
    return switch (vector.length) {
      case 0 -> exceeds(vector) ? 0 : most;
      case 1 -> first(most, k -> vector[0] = k, vector);
      default -> search(vector, 0, 0, most);
    };
  }

  /** The least sum below {@code best} with the first components as they are. */
  private long search(long[] vector, int from, long used, long best) {
    int last = vector.length - 1;
    Arrays.fill(vector, from, vector.length, Math.max(0, best - used - 1));
    if (used >= best || !exceeds(vector)) {
      return best;
    }
    if (from == last - 1) {
      return staircase(vector, used, best);
    }
    long least = best;
    for (long share = 0; used + share < least; share++) {
      vector[from] = share;
      least = search(vector, from + 1, used + share, least);
    }
    return least;
  }

  /** Along the edge of what exceeds b, in the last two components: one goes up, the other down. */
  private long staircase(long[] vector, long used, long best) {
    int one = vector.length - 2;
    int other = vector.length - 1;
    long least = best;
    long down = best - used;
    for (long up = 0; used + up < least; up++) {
      down = Math.min(down, least - used - up);
      vector[one] = up;
      vector[other] = down - 1;
      while (down > 0 && exceeds(vector)) {
        down--;
        least = used + up + down;
        vector[other] = down - 1;
      }
    }
    return least;
  }
}
