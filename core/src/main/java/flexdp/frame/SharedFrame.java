package flexdp.frame;

import flexdp.noise.Gaussian;
import flexdp.noise.Mechanism;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.workload.Estimates;
import flexdp.workload.Lattice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * A frame that answers several statements.
 *
 * @param read what the database is to compute, by cuboids
 * @param answers what each member needs
 * @param names of the keys, for show
 * @param mwem where the cuboids are not all measured, but some of them chosen
 */
public record SharedFrame(
    ReleasePoint read,
    Strategy strategy,
    List<Answer> answers,
    List<String> names,
    Optional<Mwem> mwem) {
  /** Where all cuboids are measured. */
  SharedFrame(ReleasePoint read, Strategy strategy, List<Answer> answers, List<String> names) {
    this(read, strategy, answers, names, Optional.empty());
  }

  /** Whether its noise is Gaussian. */
  public boolean isNormal() {
    return mwem.isEmpty()
        && strategy.cuboids().stream().anyMatch(c -> c.mechanism() instanceof Gaussian);
  }

  /** One for every measured cuboid. */
  public List<Mechanism> mechanisms() {
    return strategy.cuboids().stream().<Mechanism>map(Strategy.Cuboid::mechanism).toList();
  }

  /** The ε of every draw. */
  public List<BigDecimal> epsilons() {
    return mwem.map(Mwem::epsilons)
        .orElseGet(() -> strategy.cuboids().stream().map(c -> c.mechanism().epsilon()).toList());
  }

  /**
   * How a member's numbers follow from the frame.
   *
   * @param keys by key of the frame: the place of the member's own key; −1 where it has none
   * @param chosen by key of the frame, the labels that are added up, where some are
   */
  public record Answer(Member member, int[] keys, List<Optional<int[]>> chosen) {
    boolean reads(int key) {
      return keys[key] >= 0 || chosen.get(key).isPresent();
    }

    int cuboid(Lattice lattice) {
      int[] levels = new int[keys.length];
      for (int key = 0; key < keys.length; key++) {
        levels[key] = reads(key) ? lattice.finest(key) : 0;
      }
      return lattice.point(levels);
    }

    /** The shares of components in the variance of one of its numbers, all of which are alike. */
    double[] shares(Lattice lattice) {
      double[][] norms = new double[keys.length][];
      for (int key = 0; key < keys.length; key++) {
        int labels = lattice.blocks(key, lattice.finest(key));
        double[] coefficients = new double[labels];
        if (keys[key] >= 0) {
          coefficients[0] = 1;
        } else if (chosen.get(key).isPresent()) {
          for (int label : chosen.get(key).get()) {
            coefficients[label] = 1;
          }
        } else {
          Arrays.fill(coefficients, 1);
        }
        norms[key] = lattice.norms(key, coefficients);
      }
      return lattice.product(norms, 1);
    }
  }

  /** The deviation of one of a member's numbers, in its own units. */
  public double deviation(Answer answer) {
    Estimates estimates = strategy.estimates();
    double steps = Math.sqrt(estimates.fit().variance(answer.shares(estimates.lattice())));
    return steps * strategy.measurement().grid().doubleValue();
  }

  /** What the keys of a measured cuboid are called. */
  public List<String> names(Strategy.Cuboid cuboid) {
    return strategy.frame().keys(cuboid.point()).stream().map(names::get).toList();
  }

  /** How many cells a measured cuboid has. */
  public long cells(Strategy.Cuboid cuboid) {
    return strategy.frame().lattice().cells(cuboid.point());
  }

  /**
   * The numbers of all members, each with one for every bin.
   *
   * @param noisy cells by cuboid, in steps
   */
  Map<Member, List<BigDecimal>> estimates(Map<Integer, double[]> noisy) {
    Lattice lattice = strategy.frame().lattice();
    List<Integer> wanted = answers.stream().map(a -> a.cuboid(lattice)).distinct().toList();
    double[][] fitted = strategy.estimates().fit().cuboids(noisy, wanted);
    return estimates(cuboid -> fitted[cuboid]);
  }

  /**
   * @param fitted estimated cells by cuboid, in steps
   */
  Map<Member, List<BigDecimal>> estimates(IntFunction<double[]> fitted) {
    Lattice lattice = strategy.frame().lattice();
    Map<Integer, double[]> known = new HashMap<>();
    Map<Member, List<BigDecimal>> all = new HashMap<>();
    for (Answer answer : answers) {
      List<BigDecimal> values = new ArrayList<>();
      double[] cells = known.computeIfAbsent(answer.cuboid(lattice), fitted::apply);
      for (Histogram.Bin bin :
          Histogram.of(answer.member().point(), answer.member().labels()).bins()) {
        double steps = sum(answer, cells, 0, 0, bin.labels());
        BigDecimal whole = new BigDecimal(steps).setScale(0, RoundingMode.HALF_EVEN);
        values.add(whole.multiply(strategy.measurement().grid()));
      }
      all.put(answer.member(), values);
    }
    return all;
  }

  private double sum(Answer answer, double[] cells, int key, int cell, List<Object> labels) {
    Lattice lattice = strategy.frame().lattice();
    if (key == answer.keys().length) {
      return cells[cell];
    }
    int width = lattice.blocks(key, lattice.finest(key));
    if (answer.keys()[key] >= 0) {
      int label = strategy.frame().label(key, labels.get(answer.keys()[key]));
      return sum(answer, cells, key + 1, cell * width + label, labels);
    }
    if (answer.chosen().get(key).isEmpty()) {
      return sum(answer, cells, key + 1, cell, labels);
    }
    double sum = 0;
    for (int label : answer.chosen().get(key).get()) {
      sum += sum(answer, cells, key + 1, cell * width + label, labels);
    }
    return sum;
  }
}
