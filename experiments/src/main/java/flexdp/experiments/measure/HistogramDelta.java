package flexdp.experiments.measure;

/**
 * What δ the paper's mechanism really has on a histogram of d bins, in doubles and for comparison
 * only: answers use the certain calibration of the noise package.
 *
 * <p>Between neighbours S may grow by the factor e^β, and with it all d scales at once. Where the
 * L1 norm of the noise, Gamma(d) in units of the larger scale, passes g = (ε + dβ)/(e^β − 1), the
 * densities differ by more than e^ε.
 */
public final class HistogramDelta {
  private HistogramDelta() {}

  /** The paper's β = ε/(2 ln(2/δ)). */
  public static double paperBeta(double epsilon, double delta) {
    return epsilon / (2 * Math.log(2 / delta));
  }

  /**
   * No (ε, δ) with a smaller δ holds: the two scales S and e^β·S around the same centre already
   * differ by so much.
   */
  public static double atLeast(double epsilon, double beta, int bins) {
    double g = (epsilon + bins * beta) / Math.expm1(beta);
    double far = GammaTail.of(bins, g) - Math.exp(epsilon) * GammaTail.of(bins, Math.exp(beta) * g);
    return Math.max(0, Math.max(far, near(epsilon, beta, bins)));
  }

  /** The other direction: near the centre the smaller scale is the likelier, once dβ passes ε. */
  private static double near(double epsilon, double beta, int bins) {
    double h = (bins * beta - epsilon) / -Math.expm1(-beta);
    if (h <= 0) {
      return 0;
    }
    double small = 1 - GammaTail.of(bins, h);
    double large = 1 - GammaTail.of(bins, h * Math.exp(-beta));
    return small - Math.exp(epsilon) * large;
  }

  /**
   * The largest β for which Laplace noise of scale 2S/ε on d bins is (ε, δ)-private: half of ε pays
   * for the shift, the other half for the stretch.
   */
  public static double soundBeta(double epsilon, double delta, int bins) {
    double low = 0;
    double high = epsilon / 2 / bins;
    if (suffices(epsilon, delta, bins, high)) {
      return high;
    }
    for (int i = 0; i < 100 && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (suffices(epsilon, delta, bins, middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static boolean suffices(double epsilon, double delta, int bins, double beta) {
    double half = epsilon / 2;
    double g = (half + bins * beta) / Math.expm1(beta);
    double excess = GammaTail.of(bins, g) - Math.exp(half) * GammaTail.of(bins, Math.exp(beta) * g);
    return excess <= delta;
  }
}
