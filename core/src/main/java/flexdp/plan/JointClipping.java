package flexdp.plan;

import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Which measurements of a release point are clipped together, at one level and with one weight for
 * each person.
 *
 * <p>P-OWN: a sum, or a count of some rows, is clipped by its own norm, with a histogram of people
 * that its own share pays for. Beside another measurement it would be bounded by as many rows times
 * its range. Weights by rows are for what needs the same rows: numbers that one statistic is
 * computed of, and values that are chosen. The count of all rows goes with these, for its norm is
 * the number of rows; and beside it the counts of some rows, since shares are made of them: where
 * few people have these rows, their own histogram would not show that.
 *
 * <p>P-APART: people who are counted by groups are clipped by themselves, beside whatever else is
 * asked for. A person is in a group or is not, so her size is the number of groups that she is in,
 * not that of her rows: of someone with a hundred rows in two groups all would count, where a
 * weight by rows leaves a fraction of her.
 */
public final class JointClipping {
  private JointClipping() {}

  /** The places of measurements, each in one list. */
  public static List<List<Integer>> of(NoisyAggregate point) {
    List<Integer> all = IntStream.range(0, point.measurements().size()).boxed().toList();
    if (all.size() < 2) {
      return List.of(all);
    }
    boolean sets = point.groupingSets().stream().map(Set::copyOf).distinct().count() > 1;
    boolean counted = point.measurements().stream().anyMatch(Measurement::isOfAllRows);
    Predicate<Integer> isByRows =
        m -> {
          Measurement measurement = point.measurements().get(m);
          return isPeople(measurement)
              ? point.keys().isEmpty()
              : sets || isByRows(measurement) || counted && isCount(measurement);
        };
    List<List<Integer>> parts = new ArrayList<>();
    List<Integer> byRows = all.stream().filter(isByRows).toList();
    if (!byRows.isEmpty()) {
      parts.add(byRows);
    }
    all.stream().filter(isByRows.negate()).forEach(m -> parts.add(List.of(m)));
    return parts;
  }

  private static boolean isPeople(Measurement measurement) {
    return measurement instanceof Measurement.CountDistinct;
  }

  private static boolean isCount(Measurement measurement) {
    return measurement instanceof Measurement.Count;
  }

  private static boolean isByRows(Measurement measurement) {
    return measurement instanceof Measurement.Selected
        || measurement.isOfAllRows()
        || measurement.origin().together();
  }

  /** The release point with those measurements alone. */
  public static NoisyAggregate some(NoisyAggregate point, List<Integer> measurements) {
    return point.with(measurements.stream().map(point.measurements()::get).toList());
  }
}
