package flexdp.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How far a sum of independent symmetric draws lies from zero, by its characteristic function
 * (Gil-Pelaez): P(|X| ≤ w) = 2/π ∫ sin(wt)/t φ(t) dt. A little normal noise is added, which makes
 * the integral end and the answer larger, never smaller by more than it.
 */
public final class TailProbability {
  /** The noise that is added, of the deviation: it widens bars by 0.02 %. */
  private static final double SMOOTH = 0.02;

  /** The noise that is added where bars have to hold whatever the sum is made of. */
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

  /** The logarithm of what adds nothing to a sum of doubles. */
  private static final double NOTHING = -32;

  private final List<Term> terms = new ArrayList<>();
  private double variance;
  private double[] values = new double[0];
  private double step;
  private double added = SMOOTH;

  /** Independent draws, each times the coefficient. */
  private sealed interface Term {
    double coefficient();

    /** The logarithm of its characteristic function. */
    double logarithm(double t);
  }

  private record LaplaceDraws(double coefficient, double times, double decay) implements Term {
    @Override
    public double logarithm(double t) {
      double sine = Math.sin(coefficient * t / 2);
      double odds = 4 * decay * sine * sine / ((1 - decay) * (1 - decay));
      return -times * Math.log1p(odds);
    }
  }

  /** Of the discrete Gaussian distribution: waves of the continuous one, one for each turn. */
  private record GaussianDraws(double coefficient, double times, double deviation) implements Term {
    /** Less than this and whole numbers are fewer than turns. */
    private static final double NARROW = 1;

    @Override
    public double logarithm(double t) {
      double turn = Math.IEEEremainder(coefficient * t, 2 * Math.PI);
      return times * (deviation < NARROW ? byNumbers(turn) : byTurns(turn));
    }

    private double byNumbers(double turn) {
      double sum = 1;
      double all = 1;
      for (int k = 1; k <= 9; k++) {
        double weight = 2 * Math.exp(-k * k / (2 * deviation * deviation));
        sum += weight * Math.cos(k * turn);
        all += weight;
      }
      return Math.log(Math.max(Double.MIN_NORMAL, sum / all));
    }

    private double byTurns(double turn) {
      double sum = 0;
      double all = 0;
      for (int m = -1; m <= 1; m++) {
        double beyond = 2 * Math.PI * m;
        double here = turn * turn - (turn + beyond) * (turn + beyond);
        sum += Math.exp(deviation * deviation * here / 2);
        all += Math.exp(-deviation * deviation * beyond * beyond / 2);
      }
      return Math.log(sum / all) - deviation * deviation * turn * turn / 2;
    }
  }

  private record Continuous(double deviation) implements Term {
    @Override
    public double coefficient() {
      return 0;
    }

    @Override
    public double logarithm(double t) {
      return -deviation * deviation * t * t / 2;
    }
  }

  /**
   * Adds draws of the discrete Laplace distribution.
   *
   * @param scale in the steps that the coefficient multiplies
   */
  public void laplace(double coefficient, double times, double scale) {
    terms.add(new LaplaceDraws(Math.abs(coefficient), times, Math.exp(-1 / scale)));
    variance += times * coefficient * coefficient * laplaceVariance(scale);
  }

  /** Adds draws of the discrete Gaussian distribution. */
  public void gaussian(double coefficient, double times, double deviation) {
    terms.add(new GaussianDraws(Math.abs(coefficient), times, deviation));
    variance += times * coefficient * coefficient * deviation * deviation;
  }

  /** Adds draws of a normal distribution, or of one that is no wider. */
  public void normal(double coefficient, double times, double deviation) {
    double part = times * coefficient * coefficient * deviation * deviation;
    terms.add(new Continuous(Math.sqrt(part)));
    variance += part;
  }

  /** The variance of the discrete Laplace distribution. */
  public static double laplaceVariance(double scale) {
    double half = Math.sinh(0.5 / scale);
    return 1 / (2 * half * half);
  }

  /**
   * Hardly more than the least w with P(|X| ≤ w) at least the confidence, and never less. Sums of
   * draws with one factor are its multiples, less likely the farther from zero: half a step beyond
   * each of them, the noise that is added takes no less than it gives.
   */
  public double within(double confidence) {
    double[] factors = terms.stream().mapToDouble(Term::coefficient).distinct().toArray();
    if (factors.length != 1) {
      return surely(confidence);
    }
    double w = smoothed(confidence);
    return factors[0] == 0 ? w : factors[0] * Math.ceil(w / factors[0] - 0.5);
  }

  /** The least w with P(|X + noise| ≤ w) at least the confidence. */
  double smoothed(double confidence) {
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
  private double surely(double confidence) {
    added = FINE;
    return smoothed(1 - (1 - confidence) * ABOVE_MARGIN) + MARGIN * FINE * Math.sqrt(variance);
  }

  private void prepare() {
    double deviation = Math.sqrt(variance);
    double smooth = added * deviation;
    step = 2 * Math.PI / (REACH * deviation);
    int count = (int) Math.ceil(END / smooth / step);
    // From here on draws on a lattice come round again.
    double round = Math.PI / terms.stream().mapToDouble(Term::coefficient).max().orElseThrow();
    // Those first that soon make an end, continuous ones before all.
    List<Term> known =
        terms.stream().sorted(Comparator.comparingDouble(TailProbability::order)).toList();
    double[] seen = new double[count];
    int used = count;
    for (int k = 0; k < count; k++) {
      double t = (k + 0.5) * step;
      double log = -smooth * smooth * t * t / 2;
      // All terms are at most 1: once one of them is next to nothing the others do not matter.
      for (int i = 0; i < known.size() && log >= NOTHING; i++) {
        log += known.get(i).logarithm(t);
      }
      // Peaks that return later are below the added noise's end.
      seen[k] = log < NOTHING ? 0 : Math.exp(log);
      if (log < NOTHING && round > count * step) {
        used = k;
        break;
      }
    }
    values = Arrays.copyOf(seen, used);
  }

  private static double order(Term term) {
    return switch (term) {
      case Continuous ignored -> Double.NEGATIVE_INFINITY;
      case LaplaceDraws some -> some.logarithm(1 / Math.max(1e-9, some.coefficient()));
      case GaussianDraws some -> some.logarithm(1 / Math.max(1e-9, some.coefficient()));
    };
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
