package flexdp.release;

import flexdp.algebra.Relation;
import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueConversion;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/** What {@link HistogramRelease} would release if there were no noise. Only tests may know it. */
public final class ExactRelease {
  private ExactRelease() {}

  /** The exact rows of a release point. */
  public static RowTable of(NoisyAggregate point, ExactHistogram histogram) {
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < histogram.bins().size(); bin++) {
      List<Object> row = new ArrayList<>(histogram.bins().get(bin).labels());
      for (Relation.Aggregate.GroupingId id : point.groupingIds()) {
        row.add(groupingId(point, id, histogram.bins().get(bin).set()));
      }
      for (int m = 0; m < point.measurements().size(); m++) {
        Measurement measurement = point.measurements().get(m);
        BigDecimal value =
            switch (measurement) {
              case Measurement.Additive amount ->
                  amount.grid().multiply(new BigDecimal(histogram.numbers(m).get(bin)));
              case Measurement.Quantile quantile -> quantile(quantile, histogram.buckets(bin, m));
              case Measurement.Mode ignored -> mode(histogram.buckets(bin, m));
            };
        row.add(ValueConversion.to(measurement.output().type(), value));
      }
      rows.add(row);
    }
    return new RowTable(ExactHistogram.columns(point), rows);
  }

  private static BigDecimal groupingId(
      NoisyAggregate point, Relation.Aggregate.GroupingId id, int set) {
    long bits = 0;
    for (int key : id.keys()) {
      bits = bits << 1 | (point.groupingSets().get(set).contains(key) ? 0 : 1);
    }
    return BigDecimal.valueOf(bits);
  }

  /** The number that most rows have, of equal ones the least; NULL without rows. */
  private static BigDecimal mode(NavigableMap<BigInteger, BigInteger> buckets) {
    BigInteger most = buckets.values().stream().reduce(BigInteger.ZERO, BigInteger::max);
    return buckets.entrySet().stream()
        .filter(bucket -> bucket.getValue().equals(most))
        .findFirst()
        .map(bucket -> new BigDecimal(bucket.getKey()))
        .orElse(null);
  }

  /** The least value that at least the fraction of all rows does not exceed; NULL without rows. */
  private static BigDecimal quantile(
      Measurement.Quantile measurement, NavigableMap<BigInteger, BigInteger> buckets) {
    BigInteger all = buckets.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
    BigInteger wanted =
        measurement
            .fraction()
            .multiply(new BigDecimal(all))
            .setScale(0, RoundingMode.CEILING)
            .toBigInteger()
            .max(BigInteger.ONE);
    BigInteger seen = BigInteger.ZERO;
    for (Map.Entry<BigInteger, BigInteger> bucket : buckets.entrySet()) {
      seen = seen.add(bucket.getValue());
      if (seen.compareTo(wanted) >= 0) {
        return measurement.grid().multiply(new BigDecimal(bucket.getKey()));
      }
    }
    return null;
  }
}
