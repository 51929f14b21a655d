package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueConversion;
import flexdp.marginals.MeasuredMarginals;
import flexdp.plan.EstimateNoise;
import flexdp.plan.PublicNoise;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Noisy rows, and what is public of them now.
 *
 * @param notes what should be known beside them
 * @param noise whose level was chosen with them, by the column of the noisy value
 * @param fits of values that are estimated with such noise
 * @param cuboids that some of them were estimated from
 * @param caps of what people contribute to them
 */
public record Released(
    RowTable rows,
    List<String> notes,
    Map<Integer, PublicNoise> noise,
    Map<Integer, EstimateNoise> fits,
    List<MeasuredMarginals> cuboids,
    List<ContributionCap> caps) {
  public Released {
    notes = List.copyOf(notes);
    noise = Map.copyOf(noise);
    fits = Map.copyOf(fits);
    cuboids = List.copyOf(cuboids);
    caps = List.copyOf(caps);
  }

  static Released of(RowTable rows) {
    return new Released(rows, List.of(), Map.of(), Map.of(), List.of(), List.of());
  }

  /**
   * Rows of values that have their noise already.
   *
   * @param columns by measurement and bin
   */
  public static RowTable rows(
      NoisyAggregate point, ExactHistogram bins, List<? extends List<BigDecimal>> columns) {
    List<List<Object>> rows = new ArrayList<>();
    for (int bin = 0; bin < bins.bins().size(); bin++) {
      rows.add(row(point, bins.bins().get(bin), columns, bin));
    }
    return new RowTable(ExactHistogram.columns(point), rows);
  }

  static List<Object> row(
      NoisyAggregate point,
      ExactHistogram.Bin bin,
      List<? extends List<BigDecimal>> columns,
      int index) {
    List<Object> row = ExactHistogram.labels(point, bin);
    for (int m = 0; m < columns.size(); m++) {
      Measurement measurement = point.measurements().get(m);
      row.add(ValueConversion.to(measurement.output().type(), columns.get(m).get(index)));
    }
    return row;
  }
}
