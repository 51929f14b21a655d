package flexdp.experiments.soundness;

import flexdp.experiments.measure.HistogramDelta;
import java.util.ArrayList;
import java.util.List;

/** The β of one output used for a histogram: what δ really is. */
final class ManyBins {
  private static final List<Integer> SIZES =
      List.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000);

  private ManyBins() {}

  /**
   * @param real a lower bound of the δ that holds
   * @param sound the β that would keep the nominal δ
   */
  record Row(int bins, double epsilon, double nominal, double beta, double real, double sound) {}

  static List<Row> all() {
    List<Row> rows = new ArrayList<>();
    for (double epsilon : new double[] {0.1, 1}) {
      for (int bins : SIZES) {
        double beta = HistogramDelta.paperBeta(epsilon, 1e-8);
        rows.add(
            new Row(
                bins,
                epsilon,
                1e-8,
                beta,
                HistogramDelta.atLeast(epsilon, beta, bins),
                HistogramDelta.soundBeta(epsilon, 1e-8, bins)));
      }
    }
    return rows;
  }

  /** Every number of bins from 1 to so many: how many of them break the nominal δ. */
  static Shortcut run(int most) {
    Shortcut.Tally tally = new Shortcut.Tally();
    double beta = HistogramDelta.paperBeta(1, 1e-8);
    for (int bins = 1; bins <= most; bins++) {
      double real = HistogramDelta.atLeast(1, beta, bins);
      double sound = HistogramDelta.atLeast(1, HistogramDelta.soundBeta(1, 1e-8, bins), bins);
      // Ours keeps the nominal δ exactly when the sound β does.
      tally.add(
          real * 1e8,
          1,
          sound <= 1e-8 ? real * 1e8 : 0,
          "%d bins at ε = 1: the nominal δ is 1e-8, the real one at least %.2g"
              .formatted(bins, real));
    }
    return tally.shortcut(
        "the β of one output for a histogram",
        "β = ε/(2 ln(2/δ)) for any number of bins",
        "β falls with the number of bins: d·β ≤ ε/2");
  }
}
