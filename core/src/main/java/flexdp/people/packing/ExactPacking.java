package flexdp.people.packing;

import flexdp.noise.Rational;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The value of a packing by the simplex method in fractions, for the day on which no solution in
 * floating point comes near enough: slow, and always right. Bland's rule makes it end; people who
 * share no result are looked at apart.
 */
final class ExactPacking {
  /** A row of the dictionary: what a variable is, in those that are zero now. */
  private static final class Row {
    private final int variable;
    private Rational value;
    private final TreeMap<Integer, Rational> coefficients = new TreeMap<>();

    Row(int variable, Rational value) {
      this.variable = variable;
      this.value = value;
    }

    /** Adds so many times another row. */
    void add(Rational times, Rational otherValue, Map<Integer, Rational> others) {
      value = value.plus(times.times(otherValue));
      others.forEach(
          (variable, by) -> {
            Rational sum = coefficients.getOrDefault(variable, Rational.ZERO).plus(times.times(by));
            if (sum.signum() == 0) {
              coefficients.remove(variable);
            } else {
              coefficients.put(variable, sum);
            }
          });
    }
  }

  private final Row gain = new Row(-1, Rational.ZERO);
  private final TreeMap<Integer, Row> rows = new TreeMap<>();

  private ExactPacking(ResidualPacking touched, List<Integer> results) {
    int people = touched.sets().length;
    for (int result : results) {
      gain.coefficients.put(result, Rational.ONE);
      if (touched.weights()[result] < touched.level()) {
        row(people + touched.people() + result, touched.weights()[result])
            .coefficients
            .put(result, Rational.of(-1));
      }
      for (int person : touched.sets()[result]) {
        row(people + person, touched.level()).coefficients.put(result, Rational.of(-1));
      }
    }
  }

  private Row row(int variable, long most) {
    return rows.computeIfAbsent(variable, v -> new Row(v, Rational.of(most)));
  }

  /** The value, rounded down to a whole number of 2^(−digits). */
  static BigInteger floor(ResidualPacking touched, int digits) {
    Rational sum = Rational.ZERO;
    for (List<Integer> results : apart(touched)) {
      sum = sum.plus(new ExactPacking(touched, results).most());
    }
    return sum.times(Rational.of(BigInteger.ONE.shiftLeft(digits))).floor();
  }

  /** Results of people who have nothing to do with each other. */
  private static Iterable<List<Integer>> apart(ResidualPacking touched) {
    int[] first = new int[touched.people()];
    for (int person = 0; person < first.length; person++) {
      first[person] = person;
    }
    for (int[] set : touched.sets()) {
      for (int person : set) {
        first[root(first, person)] = root(first, set[0]);
      }
    }
    Map<Integer, List<Integer>> parts = new HashMap<>();
    for (int result = 0; result < touched.sets().length; result++) {
      parts
          .computeIfAbsent(root(first, touched.sets()[result][0]), r -> new ArrayList<>())
          .add(result);
    }
    return parts.values();
  }

  private static int root(int[] first, int person) {
    int root = person;
    while (first[root] != root) {
      first[root] = first[first[root]];
      root = first[root];
    }
    return root;
  }

  private Rational most() {
    boolean grew = true;
    while (true) {
      OptionalInt entering = grew ? steepest() : first();
      if (entering.isEmpty()) {
        return gain.value;
      }
      Rational before = gain.value;
      exchange(entering.getAsInt(), tightest(entering.getAsInt()));
      grew = gain.value.compareTo(before) > 0;
    }
  }

  /** The one that gains most, which mostly is quick. */
  private OptionalInt steepest() {
    OptionalInt best = OptionalInt.empty();
    Rational most = Rational.ZERO;
    for (Map.Entry<Integer, Rational> one : gain.coefficients.entrySet()) {
      if (one.getValue().compareTo(most) > 0) {
        most = one.getValue();
        best = OptionalInt.of(one.getKey());
      }
    }
    return best;
  }

  /** The first that gains: as long as nothing grows, so that it does not go in circles. */
  private OptionalInt first() {
    return gain.coefficients.entrySet().stream()
        .filter(one -> one.getValue().signum() > 0)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  /** The row that ends the growth of a variable first; there is one, as nobody has endless room. */
  private Row tightest(int entering) {
    Row tightest = null;
    Rational least = Rational.ZERO;
    for (Row row : rows.values()) {
      Rational by = row.coefficients.getOrDefault(entering, Rational.ZERO);
      if (by.signum() < 0) {
        Rational room = row.value.over(by.negate());
        if (tightest == null || room.compareTo(least) < 0) {
          tightest = row;
          least = room;
        }
      }
    }
    if (tightest == null) {
      throw new IllegalStateException("a result that nobody bounds");
    }
    return tightest;
  }

  private void exchange(int entering, Row leaving) {
    rows.remove(leaving.variable);
    Rational by = leaving.coefficients.remove(entering).negate();
    Row row = new Row(entering, leaving.value.over(by));
    leaving.coefficients.forEach((v, c) -> row.coefficients.put(v, c.over(by)));
    row.coefficients.put(leaving.variable, Rational.of(-1).over(by));
    for (Row other : rows.values()) {
      into(other, row);
    }
    into(gain, row);
    rows.put(entering, row);
  }

  private static void into(Row other, Row row) {
    Rational times = other.coefficients.remove(row.variable);
    if (times != null) {
      other.add(times, row.value, row.coefficients);
    }
  }
}
