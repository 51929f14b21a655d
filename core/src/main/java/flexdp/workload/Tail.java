package flexdp.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * How far a sum of independent symmetric draws lies from zero, by its characteristic function
 * (Gil-Pelaez): P(|X| ≤ w) = 2/π ∫ sin(wt)/t φ(t) dt. A little normal noise is added, which makes
 * the integral end and the answer larger, never smaller by more than it.
 */
public final class Tail {
  /** The noise that is added, of the deviation: it widens bars by 0.02 %. */
  private static final double SMOOTH = 0.02;

  /** φ is looked at up to here, where the added noise makes an end of it. */
  private static final double END = 6.5;

  /** Distances up to so many deviations are told apart. */
  private static final double REACH = 45;

  private final List<Term> terms = new ArrayList<>();
  private double variance;
  private double[] values = new double[0];
  private double step;

  private record Term(double coefficient, double times, double decay) {}

  /**
   * Adds draws of the discrete Laplace distribution.
   *
   * @param scale in the steps that the coefficient multiplies
   */
  public void laplace(double coefficient, double times, double scale) {
    terms.add(new Term(coefficient, times, Math.exp(-1 / scale)));
    variance += times * coefficient * coefficient * laplaceVariance(scale);
  }

  /** Adds draws of a normal distribution, or of one that is no wider. */
  public void normal(double coefficient, double times, double deviation) {
    double part = times * coefficient * coefficient * deviation * deviation;
    terms.add(new Term(Math.sqrt(part), 0, 0));
    variance += part;
  }

  /** The variance of the discrete Laplace distribution. */
  public static double laplaceVariance(double scale) {
    double half = Math.sinh(0.5 / scale);
    return 1 / (2 * half * half);
  }

  public double variance() {
    return variance;
  }

  /** The least w with P(|X| ≤ w) at least the confidence. */
  public double within(double confidence) {
    if (variance == 0) {
      return 0;
    }
    prepare();
    double low = 0;
    double high = REACH * Math.sqrt(variance) / 2;
    for (int i = 0; i < 50; i++) {
      double middle = (low + high) / 2;
      if (probability(middle) < confidence) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private void prepare() {
    double deviation = Math.sqrt(variance);
    double smooth = SMOOTH * deviation;
    step = 2 * Math.PI / (REACH * deviation);
    int count = (int) Math.ceil(END / smooth / step);
    List<Double> seen = new ArrayList<>();
    for (int k = 0; k < count; k++) {
      double t = (k + 0.5) * step;
      double log = -smooth * smooth * t * t / 2;
      for (Term term : terms) {
        log += logarithm(term, t);
      }
      if (log < -32) {
        // All terms are at most 1: peaks that return later are below the added noise's end.
        seen.add(0.0);
      } else {
        seen.add(Math.exp(log));
      }
    }
    values = seen.stream().mapToDouble(x -> x).toArray();
  }

  private static double logarithm(Term term, double t) {
    if (term.times() == 0) {
      return -term.coefficient() * term.coefficient() * t * t / 2;
    }
    double p = term.decay();
    double sine = Math.sin(term.coefficient() * t / 2);
    double odds = 4 * p * sine * sine / ((1 - p) * (1 - p));
    return -term.times() * Math.log1p(odds);
  }

  private double probability(double w) {
    double sum = 0;
    for (int k = 0; k < values.length; k++) {
      double t = (k + 0.5) * step;
      sum += Math.sin(w * t) / t * values[k];
    }
    return 2 / Math.PI * sum * step;
  }
}
