package flexdp.gateway.render;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * One statement about what people contribute. Its columns are, in order: the bucket of sizes, the
 * grouping where there are several sets, the keys, the step of a quantile, how many people are
 * counted in this row, and for each value its sum and the sum of its shares.
 *
 * @param grouping present where it tells grouping sets apart: how many bits stand behind those of
 *     the release point's keys
 * @param step turns the step of a quantile into steps of the grid; absent for amounts
 * @param countsPeople whether its people are to be counted: one statement says it for all
 * @param values what each value is of
 */
public record PersonStatement(
    String sql,
    Optional<Integer> grouping,
    Optional<ReleaseStatement.Cell> step,
    boolean countsPeople,
    List<Value> values) {
  public PersonStatement {
    values = List.copyOf(values);
  }

  /**
   * @param measurement its place among the measurements of the release point
   * @param labels of which bin it is, where bins stand beside each other; then there are no keys
   */
  public record Value(int measurement, Optional<List<Object>> labels) {}

  /** Whether rows have labels, each for itself. */
  public boolean hasKeys() {
    return values.stream().allMatch(value -> value.labels().isEmpty());
  }

  /** A whole number that came back. */
  public static BigInteger whole(java.math.BigDecimal number) {
    return ReleaseStatement.Cell.whole(number);
  }
}
