package flexdp.query;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A topmost aggregate: where protected rows become noisy numbers (guarantee §2).
 *
 * @param input the rows, keys among their columns
 * @param groupingSets indexes into keys, as in {@link Relation.Aggregate}; every set is a histogram
 *     of its own
 * @param groupingIds as in {@link Relation.Aggregate}
 */
public record NoisyAggregate(
    int id,
    Relation input,
    List<Column> keys,
    List<List<Integer>> groupingSets,
    List<Relation.Aggregate.GroupingId> groupingIds,
    List<Measurement> measurements,
    Labels labels,
    Position at) {
  /** Keys whose presence fits into a number with a sign. */
  private static final int MOST_TOLD_APART = 62;

  public NoisyAggregate {
    keys = List.copyOf(keys);
    groupingSets = groupingSets.stream().map(List::copyOf).toList();
    measurements = List.copyOf(measurements);
    if (groupingSets.size() > 1 && keys.size() > MOST_TOLD_APART) {
      throw new IllegalArgumentException("two grouping sets would have the same bits");
    }
  }

  /** This release point with its measurements described anew. */
  public NoisyAggregate with(List<Measurement> others) {
    return new NoisyAggregate(id, input, keys, groupingSets, groupingIds, others, labels, at);
  }

  /** This release point by other grouping sets. */
  public NoisyAggregate by(List<List<Integer>> sets) {
    return new NoisyAggregate(id, input, keys, sets, groupingIds, measurements, labels, at);
  }

  /** The column that says of which grouping set a row is, where there are several. */
  public Optional<Column> set() {
    if (groupingSets.size() < 2) {
      return Optional.empty();
    }
    List<Integer> all = IntStream.range(0, keys.size()).boxed().toList();
    return groupingIds.stream()
        .filter(g -> g.keys().equals(all))
        .map(Relation.Aggregate.GroupingId::output)
        .findFirst();
  }

  /** What {@link #set} says of a grouping set: a bit per key, 1 where the set lacks it. */
  public long bits(List<Integer> set) {
    long bits = 0;
    for (int key = 0; key < keys.size(); key++) {
      bits = bits << 1 | (set.contains(key) ? 0 : 1);
    }
    return bits;
  }

  /** This release point over other rows, which have these columns among theirs. */
  public NoisyAggregate over(Relation rows) {
    return new NoisyAggregate(id, rows, keys, groupingSets, groupingIds, measurements, labels, at);
  }
}
