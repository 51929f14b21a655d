package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueOrdering;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.Noise;
import flexdp.noise.PrivateMode;
import flexdp.noise.PrivateQuantiles;
import flexdp.plan.EstimateNoise;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How values are chosen at random: candidates are the steps of the grid from the low end of the
 * range.
 *
 * @param moved how many rows come and go between neighbours, at most; public
 * @param row what a whole row counts for
 */
record SelectionDraw(
    Measurement.Selected picked, ExponentialMechanism mechanism, BigDecimal moved, BigInteger row) {
  /**
   * @param value or null
   * @param bar to the ends of its interval; absent where it has none
   */
  record Cell(BigDecimal value, Optional<EstimateNoise.Ends.Bar> bar) {}

  /**
   * A value, and where that is possible an interval, for ε together.
   *
   * @param rows by step of the grid, ascending; private
   */
  Cell of(Map<BigInteger, BigInteger> rows, Noise drawing) {
    return picked instanceof Measurement.Quantile quantile && quantile.isBetween()
        ? between(
            PrivateQuantiles.between(
                mechanism,
                quantile.fraction(),
                moved,
                row,
                candidates(),
                buckets(rows),
                drawing.source()))
        : new Cell(alone(rows, drawing), Optional.empty());
  }

  /** A value alone, or null. */
  BigDecimal alone(Map<BigInteger, BigInteger> rows, Noise drawing) {
    Optional<BigInteger> chosen =
        switch (picked) {
          case Measurement.Quantile quantile ->
              PrivateQuantiles.choose(
                  mechanism,
                  quantile.fraction(),
                  moved,
                  row,
                  candidates(),
                  buckets(rows),
                  drawing.source());
          case Measurement.Mode ignored ->
              PrivateMode.choose(
                  mechanism, moved, row, candidates(), buckets(rows), drawing.source());
        };
    return chosen.map(this::value).orElse(null);
  }

  private BigInteger candidates() {
    return picked.clamp().lastStep().subtract(picked.clamp().firstStep()).add(BigInteger.ONE);
  }

  private List<PrivateQuantiles.Bucket> buckets(Map<BigInteger, BigInteger> rows) {
    List<PrivateQuantiles.Bucket> buckets = new ArrayList<>();
    rows.forEach(
        (step, n) ->
            buckets.add(new PrivateQuantiles.Bucket(step.subtract(picked.clamp().firstStep()), n)));
    return buckets;
  }

  /**
   * A value of the type is rounded to a coarser grid by half a step, so the interval has that more
   * on either side.
   */
  private Cell between(PrivateQuantiles.Between chosen) {
    if (chosen.value().isEmpty()) {
      return new Cell(null, Optional.empty());
    }
    BigInteger step = chosen.value().get();
    BigDecimal below = picked.grid().multiply(new BigDecimal(step.subtract(chosen.low())));
    BigDecimal above = picked.grid().multiply(new BigDecimal(chosen.high().subtract(step)));
    BigDecimal rounded = isRounded() ? picked.grid().divide(BigDecimal.TWO) : BigDecimal.ZERO;
    return new Cell(
        value(step),
        Optional.of(new EstimateNoise.Ends.Bar(below.add(rounded), above.add(rounded))));
  }

  /** Whether the grid lacks values of the type. */
  private boolean isRounded() {
    Type type = picked.output().type();
    return !type.isExact()
        || picked.grid().compareTo(BigDecimal.ONE.movePointLeft(type.scale())) > 0;
  }

  private BigDecimal value(BigInteger candidate) {
    return picked.grid().multiply(new BigDecimal(picked.clamp().firstStep().add(candidate)));
  }

  /**
   * The intervals of a measurement; none where values have none by what they are. Where nothing was
   * chosen in any bin there is no interval either, but what is shown is not exact.
   *
   * @param cells by bin
   */
  static Optional<EstimateNoise> ends(
      NoisyAggregate point, Measurement.Selected picked, ExactHistogram bins, List<Cell> cells) {
    if (!(picked instanceof Measurement.Quantile quantile) || !quantile.isBetween()) {
      return Optional.empty();
    }
    Map<List<Object>, EstimateNoise.Ends.Bar> bars = new HashMap<>();
    for (int bin = 0; bin < cells.size(); bin++) {
      List<Object> labels =
          ValueOrdering.canonical(ExactHistogram.labels(point, bins.bins().get(bin)));
      cells.get(bin).bar().ifPresent(bar -> bars.put(labels, bar));
    }
    List<Integer> telling =
        ExactHistogram.columns(point).stream()
            .limit(point.keys().size() + point.groupingIds().size())
            .map(column -> column.id())
            .toList();
    return Optional.of(new EstimateNoise.Ends(telling, bars, picked.grid()));
  }
}
