package flexdp.workload;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Good shares where precisions go with the squares of shares. The problem is not convex: descents
 * from many starts, the same ones everywhere, of which a few promising ones are followed to their
 * ends. The split has to be a function of the question, so the starts are numbered, not drawn.
 */
final class SeededSplit {
  private static final int TRIES = 40;
  private static final int FOLLOWED = 4;
  private static final int FIRST_STEPS = 25;
  private static final int MOST_STEPS = 600;
  private static final double[] SPREADS = {0.1, 1, 2, 3};

  private final Design design;
  private long state = 0x5DEECE66DL;

  private SeededSplit(Design design) {
    this.design = design;
  }

  /**
   * @param convex the shares that would be best if precisions went with shares
   */
  static double[] of(Design design, double[] convex) {
    return new SeededSplit(design).best(convex);
  }

  private double[] best(double[] convex) {
    List<Downhill> descents = new ArrayList<>();
    for (double[] start : starts(convex)) {
      Downhill descent = new Downhill(this::value, start);
      descent.run(FIRST_STEPS);
      descents.add(descent);
    }
    descents.sort(Comparator.comparingDouble(Downhill::value));
    Downhill best = descents.getFirst();
    for (Downhill descent : descents.subList(0, Math.min(FOLLOWED, descents.size()))) {
      descent.run(MOST_STEPS);
      best = descent.value() < best.value() - 1e-12 ? descent : best;
    }
    return shares(best.place());
  }

  private List<double[]> starts(double[] convex) {
    int size = design.size();
    List<double[]> starts = new ArrayList<>();
    starts.add(logarithms(convex, 1));
    starts.add(logarithms(convex, 0.5));
    IntStream.range(0, size)
        .filter(design::isEnough)
        .boxed()
        .sorted(Comparator.comparingDouble(this::alone))
        .limit(4)
        .forEach(
            c -> {
              double[] start = new double[size];
              java.util.Arrays.fill(start, -4);
              start[c] = 2;
              starts.add(start);
            });
    for (int i = 0; i < TRIES; i++) {
      double spread = SPREADS[(int) (next() >>> 62)];
      starts.add(IntStream.range(0, size).mapToDouble(c -> spread * normal()).toArray());
    }
    return starts;
  }

  private double alone(int candidate) {
    double[] shares = new double[design.size()];
    shares[candidate] = 1;
    return design.loss(shares, Norm.SUM);
  }

  private static double[] logarithms(double[] shares, double power) {
    double[] logs = new double[shares.length];
    for (int i = 0; i < logs.length; i++) {
      logs[i] = StrictMath.log(Math.max(StrictMath.pow(shares[i], power), 1e-6));
    }
    return logs;
  }

  /** About normal: the sum of twelve uniform numbers, centred. */
  private double normal() {
    double sum = -6;
    for (int i = 0; i < 12; i++) {
      sum += (next() >>> 11) * 0x1p-53;
    }
    return sum;
  }

  /** SplitMix64: these numbers choose starts and must be the same everywhere; they hide nothing. */
  private long next() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  static double[] shares(double[] logs) {
    double most = Double.NEGATIVE_INFINITY;
    for (double log : logs) {
      most = Math.max(most, log);
    }
    double[] shares = new double[logs.length];
    double sum = 0;
    for (int i = 0; i < logs.length; i++) {
      shares[i] = StrictMath.exp(logs[i] - most);
      sum += shares[i];
    }
    for (int i = 0; i < logs.length; i++) {
      shares[i] /= sum;
    }
    return shares;
  }

  /** The logarithm of the loss, and its gradient in the logarithms of shares. */
  private double value(double[] logs, double[] gradient) {
    double[] shares = shares(logs);
    double[] slopes = design.slopes(shares, Norm.SUM);
    double loss = slopes[shares.length];
    double mean = 0;
    for (int c = 0; c < shares.length; c++) {
      gradient[c] = -2 * shares[c] * slopes[c] / loss;
      mean += gradient[c] * shares[c];
    }
    for (int c = 0; c < shares.length; c++) {
      gradient[c] = shares[c] * (gradient[c] - mean);
    }
    return StrictMath.log(loss);
  }
}
