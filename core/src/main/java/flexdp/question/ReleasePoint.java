package flexdp.question;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import java.util.List;

/**
 * A topmost aggregate: where protected rows become noisy numbers (guarantee D12).
 *
 * @param input the rows, keys among their columns
 * @param groupingSets indexes into keys, as in {@link Relation.Aggregate}; every set is a histogram
 *     of its own
 * @param groupingIds as in {@link Relation.Aggregate}
 */
public record ReleasePoint(
    int id,
    Relation input,
    List<Column> keys,
    List<List<Integer>> groupingSets,
    List<Relation.Aggregate.GroupingId> groupingIds,
    List<Measurement> measurements,
    Labels labels,
    Position at) {
  public ReleasePoint {
    keys = List.copyOf(keys);
    groupingSets = groupingSets.stream().map(List::copyOf).toList();
    measurements = List.copyOf(measurements);
  }

  /** The same release point with its measurements described anew. */
  public ReleasePoint with(List<Measurement> others) {
    return new ReleasePoint(id, input, keys, groupingSets, groupingIds, others, labels, at);
  }

  /** The same over other rows, which have the same columns among theirs. */
  public ReleasePoint over(Relation rows) {
    return new ReleasePoint(id, rows, keys, groupingSets, groupingIds, measurements, labels, at);
  }
}
