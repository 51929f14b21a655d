package flexdp.experiments.measure;

/** Q(d, x) = e^(−x)·Σ_{j&lt;d} x^j/j!, the chance that a Gamma(d) variable exceeds x. */
final class GammaTail {
  private GammaTail() {}

  static double of(int d, double x) {
    double logTerm = -x;
    double sum = Math.exp(logTerm);
    for (int j = 1; j < d; j++) {
      logTerm += Math.log(x / j);
      sum += Math.exp(logTerm);
    }
    return Math.min(1, sum);
  }
}
