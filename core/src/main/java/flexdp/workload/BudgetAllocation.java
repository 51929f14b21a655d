package flexdp.workload;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much of what is spent each cuboid gets, so that questions are answered as well as possible
 * and none worse than by itself. A function of the questions and of public numbers: two gateways
 * find the same.
 *
 * @param shares by cuboid, 0 for those that are not measured; their sum is at most 1
 */
public record BudgetAllocation(double[] shares, BudgetNorm norm) {
  private static final int ROUNDS = 10;
  private static final int PARTS = 32;
  private static final double LITTLE = 1.001;
  private static final double[] CUTS = {1e-2, 3e-3, 1e-3, 1e-4};

  /** Shares are multiples of this, so that they are the same number everywhere. */
  private static final double STEP = 1e-9;

  /**
   * The best split found that answers every question at least as well as it has to be.
   *
   * @param full the precision of a cell of each cuboid that gets everything; 0 for cuboids that
   *     must not be measured
   * @param plain shares that do so in any case, for want of better ones
   */
  public static BudgetAllocation of(
      CuboidLattice lattice,
      List<WorkloadGoal> questions,
      double[] full,
      double[] plain,
      BudgetNorm norm) {
    BudgetAllocation best = new BudgetAllocation(stepped(plain), norm);
    double least = best.loss(lattice, questions, full);
    double[] weights = questions.stream().mapToDouble(WorkloadGoal::weight).toArray();
    for (int round = 0; round < ROUNDS; round++) {
      BudgetAllocation split = weighted(lattice, questions, weights, full, norm);
      for (int part = 0; part < PARTS; part++) {
        BudgetAllocation mixed = split.mixed(plain, (double) part / PARTS);
        if (mixed.isGood(lattice, questions, full)) {
          double loss = mixed.loss(lattice, questions, full);
          best = loss < least ? mixed : best;
          least = Math.min(loss, least);
          break;
        }
      }
      if (!split.raise(lattice, questions, full, weights)) {
        break;
      }
    }
    return best;
  }

  /** A mixture of this split, by so much of it, and another. */
  private BudgetAllocation mixed(double[] other, double part) {
    double[] mixed = new double[shares.length];
    for (int s = 0; s < mixed.length; s++) {
      mixed[s] = (1 - part) * shares[s] + part * other[s];
    }
    return part == 0 ? this : new BudgetAllocation(stepped(mixed), norm);
  }

  private double loss(CuboidLattice lattice, List<WorkloadGoal> questions, double[] full) {
    LeastSquares fit = fit(lattice, full);
    return questions.stream().mapToDouble(q -> q.weight() * fit.variance(q.shares())).sum();
  }

  private boolean isGood(CuboidLattice lattice, List<WorkloadGoal> questions, double[] full) {
    LeastSquares fit = fit(lattice, full);
    return questions.stream().allMatch(q -> fit.variance(q.shares()) <= q.most());
  }

  /** Makes questions count more that are answered worse than they may be, if there are any. */
  private boolean raise(
      CuboidLattice lattice, List<WorkloadGoal> questions, double[] full, double[] weights) {
    LeastSquares fit = fit(lattice, full);
    boolean raised = false;
    for (int q = 0; q < weights.length; q++) {
      double ratio = fit.variance(questions.get(q).shares()) / questions.get(q).most();
      if (ratio > 1) {
        weights[q] *= Math.min(1e3, ratio * ratio);
        raised = true;
      }
    }
    return raised;
  }

  private static BudgetAllocation weighted(
      CuboidLattice lattice,
      List<WorkloadGoal> questions,
      double[] weights,
      double[] full,
      BudgetNorm norm) {
    double[] shares = new double[lattice.size()];
    for (int q = 0; q < weights.length; q++) {
      double[] own = questions.get(q).shares();
      for (int r = 0; r < shares.length; r++) {
        shares[r] += weights[q] * own[r];
      }
    }
    StrategyDesign design = new StrategyDesign(lattice, full, shares);
    double[] convex = ConvexSplit.of(design);
    double[] best =
        switch (norm) {
          case SQUARES -> convex;
          case SUM -> SeededSplit.of(design, convex);
        };
    return new BudgetAllocation(stepped(design.spread(fewer(design, best, norm))), norm);
  }

  /** Fewer cuboids are faster to read, and sums of fewer draws. */
  private static double[] fewer(StrategyDesign design, double[] shares, BudgetNorm norm) {
    double loss = design.loss(shares, norm);
    for (double cut : CUTS) {
      double[] kept = Arrays.stream(shares).map(x -> x < cut ? 0 : x).toArray();
      double sum = Arrays.stream(kept).sum();
      double[] whole = Arrays.stream(kept).map(x -> x / sum).toArray();
      if (sum > 0 && design.loss(whole, norm) <= loss * LITTLE) {
        return whole;
      }
    }
    return shares;
  }

  private static double[] stepped(double[] shares) {
    return Arrays.stream(shares).map(x -> Math.floor(x / STEP * (1 - 1e-7)) * STEP).toArray();
  }

  /** The share of a cuboid as an exact number; all of them add up to at most 1. */
  public BigDecimal share(int cuboid) {
    return new BigDecimal(shares[cuboid]).setScale(9, RoundingMode.HALF_EVEN);
  }

  /** The estimates that it will give. */
  public LeastSquares fit(CuboidLattice lattice, double[] full) {
    double[] precision = new double[full.length];
    for (int s = 0; s < full.length; s++) {
      precision[s] = full[s] * norm.precision(shares[s]);
    }
    return new LeastSquares(lattice, precision);
  }

  /**
   * The best shares where precisions go with shares: a convex problem. Every round multiplies each
   * share by the root of what it is worth, which never makes the loss larger.
   */
  private static final class ConvexSplit {
    private static final int ROUNDS = 3000;
    private static final double ENOUGH = 1e-9;

    private ConvexSplit() {}

    static double[] of(StrategyDesign design) {
      int size = design.size();
      double[] shares = new double[size];
      Arrays.fill(shares, 1.0 / size);
      double last = Double.POSITIVE_INFINITY;
      for (int round = 0; round < ROUNDS; round++) {
        double[] slopes = design.slopes(shares, BudgetNorm.SQUARES);
        double loss = slopes[size];
        double sum = 0;
        for (int c = 0; c < size; c++) {
          shares[c] *= Math.sqrt(slopes[c]);
          sum += shares[c];
        }
        for (int c = 0; c < size; c++) {
          shares[c] /= sum;
        }
        if (last - loss < ENOUGH * loss) {
          break;
        }
        last = loss;
      }
      return shares;
    }
  }

  /**
   * Good shares where precisions go with the squares of shares. The problem is not convex: descents
   * from many starts, the same ones everywhere, of which a few promising ones are followed to their
   * ends. The split has to be a function of the question, so the starts are numbered, not drawn.
   */
  private static final class SeededSplit {
    private static final int TRIES = 40;
    private static final int FOLLOWED = 4;
    private static final int FIRST_STEPS = 25;
    private static final int MOST_STEPS = 600;
    private static final double[] SPREADS = {0.1, 1, 2, 3};

    private final StrategyDesign design;
    private long state = 0x5DEECE66DL;

    private SeededSplit(StrategyDesign design) {
      this.design = design;
    }

    /**
     * @param convex the shares that would be best if precisions went with shares
     */
    static double[] of(StrategyDesign design, double[] convex) {
      return new SeededSplit(design).best(convex);
    }

    private double[] best(double[] convex) {
      List<Lbfgs> descents = new ArrayList<>();
      for (double[] start : starts(convex)) {
        Lbfgs descent = new Lbfgs(this::value, start);
        descent.run(FIRST_STEPS);
        descents.add(descent);
      }
      descents.sort(Comparator.comparingDouble(Lbfgs::value));
      Lbfgs best = descents.getFirst();
      for (Lbfgs descent : descents.subList(0, Math.min(FOLLOWED, descents.size()))) {
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
      return design.loss(shares, BudgetNorm.SUM);
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

    /**
     * SplitMix64: these numbers choose starts and must be the same everywhere; they hide nothing.
     */
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
      double[] slopes = design.slopes(shares, BudgetNorm.SUM);
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
    private static final class Lbfgs {
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

      Lbfgs(Smooth function, double[] start) {
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
}
