package flexdp.workload;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
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

  /** Goes downhill with a limited memory of the slopes seen on the way (L-BFGS). */
  private static final class Downhill {
    /** A smooth function; fills in its gradient. */
    interface Smooth {
      double at(double[] place, double[] gradient);
    }

    private record Step(double[] moved, double[] turned, double weight) {}

    private static final int MEMORY = 8;
    private static final int HALVINGS = 30;
    private static final double ENOUGH = 1e-12;

    private final Smooth function;
    private final Deque<Step> steps = new ArrayDeque<>();
    private double[] place;
    private double[] gradient;
    private double value;
    private boolean done;

    Downhill(Smooth function, double[] start) {
      this.function = function;
      this.place = start.clone();
      this.gradient = new double[start.length];
      this.value = function.at(place, gradient);
    }

    double value() {
      return value;
    }

    double[] place() {
      return place;
    }

    void run(int most) {
      for (int i = 0; i < most && !done; i++) {
        step();
      }
    }

    private void step() {
      double[] direction = direction();
      double slope = dot(direction, gradient);
      if (slope >= 0) {
        steps.clear();
        direction = scaled(gradient, -1);
        slope = -dot(gradient, gradient);
      }
      double[] next = new double[place.length];
      double[] there = new double[place.length];
      double length = 1;
      for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
        for (int i = 0; i < next.length; i++) {
          next[i] = place[i] + length * direction[i];
        }
        double reached = function.at(next, there);
        if (reached <= value + 1e-4 * length * slope) {
          remember(next, there);
          done = value - reached <= ENOUGH * Math.abs(value);
          place = next;
          gradient = there;
          value = reached;
          return;
        }
      }
      done = true;
    }

    private void remember(double[] next, double[] there) {
      double[] moved = minus(next, place);
      double[] turned = minus(there, gradient);
      double curve = dot(moved, turned);
      if (curve > 1e-14) {
        steps.addLast(new Step(moved, turned, 1 / curve));
        if (steps.size() > MEMORY) {
          steps.removeFirst();
        }
      }
    }

    private double[] direction() {
      double[] q = scaled(gradient, -1);
      double[] taken = new double[steps.size()];
      int i = steps.size();
      for (Iterator<Step> back = steps.descendingIterator(); back.hasNext(); ) {
        Step step = back.next();
        taken[--i] = step.weight() * dot(step.moved(), q);
        add(q, step.turned(), -taken[i]);
      }
      if (!steps.isEmpty()) {
        Step last = steps.getLast();
        q = scaled(q, 1 / (last.weight() * dot(last.turned(), last.turned())));
      }
      for (Step step : steps) {
        add(q, step.moved(), taken[i++] - step.weight() * dot(step.turned(), q));
      }
      return q;
    }

    private static double dot(double[] a, double[] b) {
      double sum = 0;
      for (int i = 0; i < a.length; i++) {
        sum += a[i] * b[i];
      }
      return sum;
    }

    private static void add(double[] to, double[] what, double times) {
      for (int i = 0; i < to.length; i++) {
        to[i] += times * what[i];
      }
    }

    private static double[] minus(double[] a, double[] b) {
      double[] difference = a.clone();
      add(difference, b, -1);
      return difference;
    }

    private static double[] scaled(double[] a, double by) {
      double[] scaled = new double[a.length];
      add(scaled, a, by);
      return scaled;
    }
  }
}
