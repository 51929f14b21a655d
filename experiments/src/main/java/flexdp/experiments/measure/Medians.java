package flexdp.experiments.measure;

import flexdp.noise.Noise;
import java.util.Arrays;

/**
 * The paper's measure of error: the relative error of every cell, and the median of those. Cells
 * that are empty have no relative error and are left out, as they are from an SQL result.
 */
public final class Medians {
  /** Enough for a median to two digits; histograms of thousands of bins get fewer rounds. */
  private static final int MOST_DRAWS = 5_000;

  private Medians() {}

  public static double of(double[] values) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** In percent, from draws of the mechanism: so many rounds over all cells. */
  public static double sampled(Law law, double[] cells, int rounds, Noise noise) {
    int step = Math.max(1, (int) Math.ceil((double) cells.length * rounds / MOST_DRAWS));
    double[] errors = new double[(cells.length * rounds + step - 1) / step];
    int at = 0;
    for (int i = 0; i < cells.length * rounds; i += step) {
      errors[at++] = 100 * Math.abs(law.draw(noise)) / cells[i % cells.length];
    }
    return of(errors);
  }

  /** In percent, from the law: half of all errors over all cells are below. */
  public static double expected(Law law, double[] cells) {
    if (cells.length == 0) {
      return Double.NaN;
    }
    double low = 0;
    double high = 1;
    while (above(law, cells, high) > 0.5) {
      high *= 2;
    }
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (above(law, cells, middle) > 0.5) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return 100 * high;
  }

  private static double above(Law law, double[] cells, double error) {
    double sum = 0;
    for (double cell : cells) {
      sum += law.exceeds(error * cell);
    }
    return sum / cells.length;
  }
}
