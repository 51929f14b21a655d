package flexdp.marginals;

import flexdp.cells.ExactHistogram;
import flexdp.compute.ValueOrdering;
import flexdp.noise.Gaussian;
import flexdp.noise.Mechanism;
import flexdp.plan.EstimateNoise;
import flexdp.query.NoisyAggregate;
import flexdp.workload.CuboidLattice;
import flexdp.workload.Estimates;
import flexdp.workload.SumDistribution;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * A frame that answers several statements.
 *
 * @param read what the database is to compute, by cuboids
 * @param answers what each member needs
 * @param names of the keys, for show
 * @param mwem where the cuboids are not all measured, but some of them chosen
 */
public record WorkloadGroup(
    NoisyAggregate read,
    MeasurementStrategy strategy,
    List<Answer> answers,
    List<String> names,
    Optional<Mwem> mwem) {
  /** A frame of which all cuboids are measured. */
  WorkloadGroup(
      NoisyAggregate read, MeasurementStrategy strategy, List<Answer> answers, List<String> names) {
    this(read, strategy, answers, names, Optional.empty());
  }

  /** Whether its noise is Gaussian. */
  public boolean isNormal() {
    return mwem.isEmpty()
        && strategy.cuboids().stream().anyMatch(c -> c.mechanism() instanceof Gaussian);
  }

  /** One for every measured cuboid. */
  public List<Mechanism> mechanisms() {
    return strategy.cuboids().stream()
        .<Mechanism>map(MeasurementStrategy.Cuboid::mechanism)
        .toList();
  }

  /** The ε of every draw. */
  public List<BigDecimal> epsilons() {
    return mwem.map(Mwem::epsilons)
        .orElseGet(() -> strategy.cuboids().stream().map(c -> c.mechanism().epsilon()).toList());
  }

  /**
   * How a member's numbers follow from the frame.
   *
   * @param parts by key of the frame
   */
  public record Answer(WorkloadQuery member, List<KeyMapping> parts) {
    public Answer {
      parts = List.copyOf(parts);
    }

    int cuboid(CuboidLattice lattice) {
      return lattice.point(parts.stream().mapToInt(KeyMapping::level).toArray());
    }

    /** The shares of components in the variance of its numbers, on average. */
    double[] shares(CuboidLattice lattice) {
      double[][] norms = new double[parts.size()][];
      for (int key = 0; key < norms.length; key++) {
        norms[key] = parts.get(key).norms(lattice, key);
      }
      return lattice.product(norms, 1);
    }
  }

  /** How far a member's numbers are from the truth. */
  public EstimateNoise errors(Answer answer) {
    return new AnswerErrors(strategy, answer).all();
  }

  /** What the keys of a measured cuboid are called. */
  public List<String> names(MeasurementStrategy.Cuboid cuboid) {
    CuboidLattice lattice = strategy.frame().lattice();
    List<String> all = new ArrayList<>();
    for (int key : strategy.frame().keys(cuboid.point())) {
      int level = lattice.level(cuboid.point(), key);
      String blocks =
          level == lattice.finest(key) ? "" : " in " + lattice.blocks(key, level) + " blocks";
      all.add(names.get(key) + blocks);
    }
    return all;
  }

  /** How many cells a measured cuboid has. */
  public long cells(MeasurementStrategy.Cuboid cuboid) {
    return strategy.frame().lattice().cells(cuboid.point());
  }

  /**
   * The numbers of all members, each with one for every bin.
   *
   * @param noisy cells by cuboid, in steps
   */
  Map<WorkloadQuery, List<BigDecimal>> estimates(Map<Integer, double[]> noisy) {
    CuboidLattice lattice = strategy.frame().lattice();
    List<Integer> wanted = answers.stream().map(a -> a.cuboid(lattice)).distinct().toList();
    double[][] fitted = strategy.estimates().fit().cuboids(noisy, wanted);
    return estimates(cuboid -> fitted[cuboid]);
  }

  /**
   * @param fitted estimated cells by cuboid, in steps
   */
  Map<WorkloadQuery, List<BigDecimal>> estimates(IntFunction<double[]> fitted) {
    CuboidLattice lattice = strategy.frame().lattice();
    Map<Integer, double[]> known = new HashMap<>();
    Map<WorkloadQuery, List<BigDecimal>> all = new HashMap<>();
    for (Answer answer : answers) {
      List<BigDecimal> values = new ArrayList<>();
      double[] cells = known.computeIfAbsent(answer.cuboid(lattice), fitted::apply);
      for (ExactHistogram.Bin bin :
          ExactHistogram.of(answer.member().point(), answer.member().labels()).bins()) {
        double steps = sum(answer, cells, 0, 0, bin.labels());
        BigDecimal whole = new BigDecimal(steps).setScale(0, RoundingMode.HALF_EVEN);
        values.add(whole.multiply(strategy.measurement().grid()));
      }
      all.put(answer.member(), values);
    }
    return all;
  }

  private double sum(Answer answer, double[] cells, int key, int cell, List<Object> labels) {
    if (key == answer.parts().size()) {
      return cells[cell];
    }
    KeyMapping part = answer.parts().get(key);
    int width = strategy.frame().lattice().blocks(key, part.level());
    double sum = 0;
    for (int block : part.blocks(strategy.frame().ruler(key), labels)) {
      sum += sum(answer, cells, key + 1, cell * width + block, labels);
    }
    return sum;
  }

  /**
   * The errors of one member's numbers. Cells of a listed key are alike, so only labels of ordered
   * keys can tell errors apart: some are made up of more blocks than others.
   */
  private static final class AnswerErrors {
    private final MeasurementStrategy strategy;
    private final WorkloadGroup.Answer answer;
    private final Estimates estimates;
    private final int cuboid;

    AnswerErrors(MeasurementStrategy strategy, WorkloadGroup.Answer answer) {
      this.strategy = strategy;
      this.answer = answer;
      this.estimates = strategy.estimates();
      this.cuboid = answer.cuboid(strategy.frame().lattice());
    }

    EstimateNoise all() {
      List<Integer> telling = telling();
      Map<SumDistribution, Integer> laws = new HashMap<>();
      List<SumDistribution> inOrder = new ArrayList<>();
      Map<List<Object>, Integer> byLabels = new HashMap<>();
      for (ExactHistogram.Bin bin :
          ExactHistogram.of(answer.member().point(), answer.member().labels()).bins()) {
        List<Object> told = new ArrayList<>();
        telling.forEach(key -> told.add(bin.labels().get(key)));
        List<Object> name = ValueOrdering.canonical(told);
        if (!byLabels.containsKey(name)) {
          SumDistribution law = law(bin.labels());
          if (laws.putIfAbsent(law, laws.size()) == null) {
            inOrder.add(law);
          }
          byLabels.put(name, laws.get(law));
        }
      }
      BigDecimal grid = strategy.measurement().grid();
      return inOrder.size() < 2
          ? new EstimateNoise.Sums(
              inOrder.isEmpty() ? SumDistribution.NONE : inOrder.getFirst(), grid)
          : new EstimateNoise.Sums(
              telling.stream().map(key -> answer.member().point().keys().get(key).id()).toList(),
              inOrder,
              byLabels,
              grid);
    }

    /** The member's keys that are labels of ordered columns, by place. */
    private List<Integer> telling() {
      TreeSet<Integer> places = new TreeSet<>();
      for (int key = 0; key < answer.parts().size(); key++) {
        if (strategy.frame().ruler(key) instanceof BinIndex.Ordered) {
          places.addAll(answer.parts().get(key).grouped().keySet());
        }
      }
      return List.copyOf(places);
    }

    private SumDistribution law(List<Object> labels) {
      int[][] blocks = new int[answer.parts().size()][];
      for (int key = 0; key < blocks.length; key++) {
        blocks[key] = answer.parts().get(key).blocks(strategy.frame().ruler(key), labels);
      }
      return estimates.law(cuboid, blocks);
    }
  }
}
