package flexdp.plan;

import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which measurements of a release point are clipped together, at one level and with one weight for
 * each person.
 *
 * <p>P-APART: people who are counted by groups are clipped by themselves, beside whatever else is
 * asked for. A person is in a group or is not, so her size is the number of groups that she is in,
 * not that of her rows: of someone with a hundred rows in two groups all would count, where a
 * weight by rows leaves a fraction of her.
 */
public final class Together {
  private Together() {}

  /** The places of measurements, each in one list. */
  public static List<List<Integer>> of(ReleasePoint point) {
    List<Integer> all = IntStream.range(0, point.measurements().size()).boxed().toList();
    if (point.keys().isEmpty() || all.size() < 2) {
      return List.of(all);
    }
    List<List<Integer>> parts = new ArrayList<>();
    List<Integer> others = all.stream().filter(m -> !isPeople(point, m)).toList();
    if (!others.isEmpty()) {
      parts.add(others);
    }
    all.stream().filter(m -> isPeople(point, m)).forEach(m -> parts.add(List.of(m)));
    return parts;
  }

  private static boolean isPeople(ReleasePoint point, int measurement) {
    return point.measurements().get(measurement) instanceof Measurement.CountDistinct;
  }

  /** The release point with those measurements alone. */
  public static ReleasePoint some(ReleasePoint point, List<Integer> measurements) {
    return point.with(measurements.stream().map(point.measurements()::get).toList());
  }
}
