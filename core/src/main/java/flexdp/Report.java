package flexdp;

import flexdp.policy.Neighbors;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the owner's static analysis says of an accepted question. It holds private numbers: what
 * serves analysts never shows it.
 *
 * @param labels none, enumerated, supplied or thresholded
 * @param hint what to do when no mechanism is usable yet; empty otherwise
 */
public record Report(
    Neighbors neighbors,
    int joins,
    List<DpQuery.ResultColumn> columns,
    List<Aggregate> aggregates,
    String labels,
    String hint) {
  public Report {
    columns = List.copyOf(columns);
    aggregates = List.copyOf(aggregates);
  }

  /**
   * One measurement and the noise that it needs.
   *
   * @param column the result column that shows it as it is, if one does
   * @param elastic by distance k: the most it changes between a database within k and its neighbour
   * @param smooth absent when the scale is public
   * @param mechanism absent when none is usable yet
   */
  public record Aggregate(
      Optional<String> column,
      String part,
      String aggregate,
      String formula,
      Map<BigInteger, BigDecimal> elastic,
      Optional<Smooth> smooth,
      Optional<String> mechanism,
      Optional<BigDecimal> noiseScale,
      Optional<BigDecimal> epsilon,
      BigDecimal delta) {
    public Aggregate {
      elastic = Collections.unmodifiableMap(new LinkedHashMap<>(elastic));
    }
  }

  /** The smooth bound: its β, its value and the distance at which it is attained. */
  public record Smooth(BigDecimal beta, BigDecimal value, long distance) {}
}
