package flexdp.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far a sum of independent symmetric draws lies from zero, by its characteristic function
 * (Gil-Pelaez): P(|X| ≤ w) = 2/π ∫ sin(wt)/t φ(t) dt. A little normal noise is added, which makes
 * the integral end and the answer larger, never smaller by more than it.
 */
public final class Tail {
  /** The noise that is added, of the deviation: it widens bars by 0.02 %. */
  private static final double SMOOTH = 0.02;

  /** The same where bars have to hold whatever the sum is made of. */
  private static final double FINE = 0.01;

  /** By so many of its deviations the added noise is passed over then. */
  private static final double MARGIN = 2.5;

  /** How likely normal noise is not below minus so many of its deviations, rounded down. */
  private static final double ABOVE_MARGIN = 0.9937;

  /** φ is looked at up to here, where the added noise makes an end of it. */
  private static final double END = 6.5;

  /** Distances up to so many deviations are told apart. */
  private static final double REACH = 45;

  /** How exactly a distance is found, in deviations. */
  private static final double CLOSE = 1e-6;

  private static final int MOST_STEPS = 60;

  private final List<Term> terms = new ArrayList<>();
  private double variance;
  private double[] values = new double[0];
  private double step;
  private double added = SMOOTH;

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
    double deviation = Math.sqrt(variance);
    double low = 0;
    double high = REACH * deviation / 2;
    double w = 2 * deviation;
    for (int i = 0; i < MOST_STEPS && high - low > CLOSE * deviation; i++) {
      double[] there = at(w);
      if (there[0] < confidence) {
        low = w;
      } else {
        high = w;
      }
      // Newton's step, and by halves where that leaves what is known.
      double next = w + (confidence - there[0]) / there[1];
      if (there[0] >= confidence && Math.abs(next - w) < CLOSE * deviation) {
        return w;
      }
      next += CLOSE / 2 * deviation;
      w = next > low && next < high ? next : (low + high) / 2;
    }
    return high;
  }

  /**
   * No less than that, also where the sum takes few values, far apart: the noise that is added
   * spreads them, and may come to the confidence before the value does. Where X &gt; w + c and the
   * noise is not below −c, their sum is &gt; w; so P(|X| &gt; w + c) is at most P(|sum| &gt; w)
   * over the chance of that.
   */
  public double surely(double confidence) {
    added = FINE;
    return within(1 - (1 - confidence) * ABOVE_MARGIN) + MARGIN * FINE * Math.sqrt(variance);
  }

  private void prepare() {
    double deviation = Math.sqrt(variance);
    double smooth = added * deviation;
    step = 2 * Math.PI / (REACH * deviation);
    int count = (int) Math.ceil(END / smooth / step);
    // From here on draws on a lattice come round again.
    double round = Math.PI / terms.stream().mapToDouble(Tail::spacing).max().orElseThrow();
    double[] seen = new double[count];
    int used = count;
    for (int k = 0; k < count; k++) {
      double t = (k + 0.5) * step;
      double log = -smooth * smooth * t * t / 2;
      for (Term term : terms) {
        log += logarithm(term, t);
      }
      // All terms are at most 1: peaks that return later are below the added noise's end.
      seen[k] = log < -32 ? 0 : Math.exp(log);
      if (log < -32 && round > count * step) {
        used = k;
        break;
      }
    }
    values = Arrays.copyOf(seen, used);
  }

  private static double spacing(Term term) {
    return term.times() == 0 ? 0 : Math.abs(term.coefficient());
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

  /** P(|X| ≤ w), and how fast that grows with w. */
  private double[] at(double w) {
    double sum = 0;
    double slope = 0;
    double sine = Math.sin(w * step / 2);
    double cosine = Math.cos(w * step / 2);
    double turn = Math.sin(w * step);
    double stay = Math.cos(w * step);
    for (int k = 0; k < values.length; k++) {
      sum += sine / ((k + 0.5) * step) * values[k];
      slope += cosine * values[k];
      double next = sine * stay + cosine * turn;
      cosine = cosine * stay - sine * turn;
      sine = next;
    }
    return new double[] {2 / Math.PI * sum * step, 2 / Math.PI * slope * step};
  }
}
