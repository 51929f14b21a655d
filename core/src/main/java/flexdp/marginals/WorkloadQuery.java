package flexdp.marginals;

import flexdp.algebra.Expr;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import java.util.List;
import java.util.Optional;

/**
 * A measurement that wants to be estimated together with others of the same rows.
 *
 * @param statement whose it is
 * @param place among the measurements of its release point
 * @param labels of the release point, listed
 * @param complete groups of keys whose listed labels are all there are
 * @param weight how much it counts
 */
public record WorkloadQuery(
    int statement,
    NoisyAggregate point,
    int place,
    PlannedMeasurement planned,
    List<List<Object>> labels,
    List<List<Integer>> complete,
    double weight) {

  /**
   * What a member does with one key of a frame.
   *
   * @param keys its own keys that are labels of it, and their places
   * @param chosen values of it, by conditions
   * @param axis the ordered column that the key is, if it is one
   * @param spans values of that column, by conditions
   */
  record Use(
      String key,
      Expr expr,
      List<Expr> keys,
      List<Integer> places,
      Optional<List<Object>> chosen,
      Optional<Integer> axis,
      Optional<List<ColumnSpans.Span>> spans) {
    boolean isGrouped() {
      return !places.isEmpty();
    }
  }
}
