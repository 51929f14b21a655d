package flexdp.release;

import flexdp.noise.Exponential;
import flexdp.noise.MostFrequent;
import flexdp.noise.Noise;
import flexdp.noise.Quantiles;
import flexdp.question.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/** A value that is chosen for a label; candidates are the steps of its range. */
final class SelectedValue {
  private SelectedValue() {}

  /**
   * One value, or null.
   *
   * @param moved how far one step moves what scores are computed of; public
   * @param row what a whole row counts for
   * @param rows by the step of their value; private
   */
  static BigDecimal of(
      Measurement.Picked picked,
      Exponential mechanism,
      BigDecimal moved,
      BigInteger row,
      NavigableMap<BigInteger, BigInteger> rows,
      Noise noise) {
    BigInteger first = picked.clamp().firstStep();
    BigInteger candidates = picked.clamp().lastStep().subtract(first).add(BigInteger.ONE);
    List<Quantiles.Bucket> buckets = new ArrayList<>();
    rows.forEach((step, n) -> buckets.add(new Quantiles.Bucket(step.subtract(first), n)));
    Optional<BigInteger> chosen =
        switch (picked) {
          case Measurement.Quantile quantile ->
              Quantiles.choose(
                  mechanism, quantile.fraction(), moved, row, candidates, buckets, noise.source());
          case Measurement.Mode ignored ->
              MostFrequent.choose(mechanism, moved, row, candidates, buckets, noise.source());
        };
    return chosen.map(s -> picked.grid().multiply(new BigDecimal(first.add(s)))).orElse(null);
  }
}
