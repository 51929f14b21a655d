package flexdp.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Estimates from measured cuboids, and how far they are from the truth. */
public final class Estimates {
  /**
   * A measured cuboid.
   *
   * @param normal whether its noise is Gaussian, else Laplace; both discrete
   * @param scale in steps: the deviation, or the mean size
   */
  public record Cuboid(int point, boolean normal, double scale) {
    /** At least a little: what has hardly any noise is no surer than rounding lets it be. */
    double variance() {
      return Math.max(1e-9, normal ? scale * scale : Tail.laplaceVariance(scale));
    }
  }

  private record Width(int cuboid, double confidence) {}

  private final Lattice lattice;
  private final List<Cuboid> measured;
  private final Fit fit;
  private final Map<Width, Double> widths = new ConcurrentHashMap<>();

  public Estimates(Lattice lattice, List<Cuboid> measured) {
    this.lattice = lattice;
    this.measured = List.copyOf(measured);
    double[] precision = new double[lattice.size()];
    for (Cuboid cuboid : measured) {
      precision[cuboid.point()] = 1 / cuboid.variance();
    }
    this.fit = new Fit(lattice, precision);
  }

  public Lattice lattice() {
    return lattice;
  }

  public List<Cuboid> measured() {
    return measured;
  }

  public Fit fit() {
    return fit;
  }

  /** How far an estimated cell is from the truth, with this probability at most, in steps. */
  public double within(int cuboid, double confidence) {
    return widths.computeIfAbsent(
        new Width(cuboid, confidence), width -> tail(cuboid).within(confidence));
  }

  /**
   * The error of a sum of estimated cells, in steps.
   *
   * @param blocks by key, those of the cuboid's level whose cells are added up, in ascending order
   */
  public SumLaw law(int cuboid, int[][] blocks) {
    List<SumLaw.Draws> draws = new ArrayList<>();
    for (CellDraws one : CellDraws.of(fit, cuboid, blocks)) {
      for (Cuboid from : measured) {
        if (from.point() == one.cuboid()) {
          draws.add(new SumLaw.Draws(one.coefficient(), one.times(), from.scale(), from.normal()));
        }
      }
    }
    return SumLaw.of(draws);
  }

  private Tail tail(int cuboid) {
    Tail tail = new Tail();
    for (CellDraws draws : CellDraws.of(fit, cuboid)) {
      for (Cuboid from : measured) {
        if (from.point() == draws.cuboid() && from.normal()) {
          tail.gaussian(draws.coefficient(), draws.times(), from.scale());
        } else if (from.point() == draws.cuboid()) {
          tail.laplace(draws.coefficient(), draws.times(), from.scale());
        }
      }
    }
    return tail;
  }
}
