package flexdp.experiments.median;

/**
 * The smooth sensitivity of the median (Nissim, Raskhodnikova, Smith 2007): max over k of e^(−βk)
 * times the widest stretch of k + 1 values around the middle, values beyond the ends being those of
 * the range. A row is replaced between neighbours.
 */
final class MedianSensitivity {
  private MedianSensitivity() {}

  static int middle(int values) {
    return (values - 1) / 2;
  }

  /**
   * @param sorted in steps of a grid
   */
  static double of(long[] sorted, long low, long high, double beta) {
    int middle = middle(sorted.length);
    double best = 0;
    for (int k = 0; Math.exp(-beta * k) * (high - low) > best; k++) {
      long widest = 0;
      for (int t = 0; t <= k + 1; t++) {
        widest =
            Math.max(
                widest,
                at(sorted, middle + t, low, high) - at(sorted, middle + t - k - 1, low, high));
      }
      best = Math.max(best, Math.exp(-beta * k) * widest);
    }
    return best;
  }

  private static long at(long[] sorted, int place, long low, long high) {
    return place < 0 ? low : place >= sorted.length ? high : sorted[place];
  }
}
