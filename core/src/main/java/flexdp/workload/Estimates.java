package flexdp.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
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
      return Math.max(1e-9, normal ? scale * scale : TailProbability.laplaceVariance(scale));
    }
  }

  private record Width(int cuboid, double confidence) {}

  private final CuboidLattice lattice;
  private final List<Cuboid> measured;
  private final LeastSquares fit;
  private final Map<Width, Double> widths = new ConcurrentHashMap<>();

  public Estimates(CuboidLattice lattice, List<Cuboid> measured) {
    this.lattice = lattice;
    this.measured = List.copyOf(measured);
    double[] precision = new double[lattice.size()];
    for (Cuboid cuboid : measured) {
      precision[cuboid.point()] = 1 / cuboid.variance();
    }
    this.fit = new LeastSquares(lattice, precision);
  }

  public CuboidLattice lattice() {
    return lattice;
  }

  public List<Cuboid> measured() {
    return measured;
  }

  public LeastSquares fit() {
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
  public SumDistribution law(int cuboid, int[][] blocks) {
    List<SumDistribution.Draws> draws = new ArrayList<>();
    for (CellDraws one : CellDraws.of(fit, cuboid, blocks)) {
      for (Cuboid from : measured) {
        if (from.point() == one.cuboid()) {
          draws.add(
              new SumDistribution.Draws(
                  one.coefficient(), one.times(), from.scale(), from.normal()));
        }
      }
    }
    return SumDistribution.of(draws);
  }

  private TailProbability tail(int cuboid) {
    TailProbability tail = new TailProbability();
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

  /**
   * What the error of an estimated cell, or of a sum of such, is made of: draws of the measured
   * cuboids, each so many times with a coefficient.
   *
   * @param cuboid the measured one
   */
  record CellDraws(int cuboid, double coefficient, double times) {
    /** Of a cell of a cuboid, whichever it is. */
    public static List<CellDraws> of(LeastSquares fit, int cuboid) {
      int[][] first = new int[fit.lattice().keys()][1];
      return of(fit, cuboid, first);
    }

    /**
     * Of the sum of the cells of a cuboid that are in some blocks of every key.
     *
     * @param blocks by key, in ascending order, each once; of the cuboid's own level
     */
    public static List<CellDraws> of(LeastSquares fit, int cuboid, int[][] blocks) {
      List<CellDraws> draws = new ArrayList<>();
      CuboidLattice lattice = fit.lattice();
      for (int s = 0; s < lattice.size(); s++) {
        if (fit.precision(s) > 0) {
          new Classes(fit, cuboid, s, blocks).collect(draws);
        }
      }
      return draws;
    }

    /**
     * Cells of a measured cuboid that are alike in one key.
     *
     * @param parts by level: what the coefficients have there beyond the level before
     */
    private record Alike(double times, double[] parts) {}

    /** The classes of cells of one measured cuboid. */
    private static final class Classes {
      private final LeastSquares fit;
      private final CuboidLattice lattice;
      private final int measured;
      private final List<List<Alike>> byKey = new ArrayList<>();
      private final Alike[] chosen;

      Classes(LeastSquares fit, int cuboid, int measured, int[][] blocks) {
        this.fit = fit;
        this.lattice = fit.lattice();
        this.measured = measured;
        this.chosen = new Alike[lattice.keys()];
        for (int key = 0; key < lattice.keys(); key++) {
          byKey.add(new KeyClasses(lattice, key, cuboid, measured, blocks[key]).all());
        }
      }

      void collect(List<CellDraws> draws) {
        collect(0, 1, draws);
      }

      private void collect(int key, double times, List<CellDraws> draws) {
        if (key == lattice.keys()) {
          double weight = fit.precision(measured) / lattice.cells(measured);
          double coefficient = weight * coefficient(0, 0, 1);
          if (coefficient != 0) {
            draws.add(new CellDraws(measured, coefficient, times));
          }
          return;
        }
        for (Alike alike : byKey.get(key)) {
          chosen[key] = alike;
          collect(key + 1, times * alike.times(), draws);
        }
      }

      /** Σ over components below both cuboids of cells/W times the product of the keys' parts. */
      private double coefficient(int key, int component, double product) {
        if (product == 0) {
          return 0;
        }
        if (key == lattice.keys()) {
          double information = fit.information(component);
          return information > 0 ? product * lattice.cells(component) / information : 0;
        }
        double sum = 0;
        int step = 1;
        for (int k = key + 1; k < lattice.keys(); k++) {
          step *= lattice.finest(k) + 1;
        }
        double[] parts = chosen[key].parts();
        for (int level = 0; level < parts.length; level++) {
          sum += coefficient(key + 1, component + level * step, product * parts[level]);
        }
        return sum;
      }
    }

    /**
     * The blocks of one key of a measured cuboid, by what of the sum they share at each level.
     * Blocks in which all is added up, or nothing, are not looked into.
     */
    private static final class KeyClasses {
      private final CuboidLattice lattice;
      private final int key;
      private final int level;
      private final int deepest;
      private final int width;
      private final int[] blocks;
      private final Map<List<Double>, Double> found = new LinkedHashMap<>();

      KeyClasses(CuboidLattice lattice, int key, int cuboid, int measured, int[] blocks) {
        this.lattice = lattice;
        this.key = key;
        this.level = lattice.level(cuboid, key);
        this.deepest = Math.min(level, lattice.level(measured, key));
        this.width = lattice.width(measured, key);
        this.blocks = blocks;
      }

      List<Alike> all() {
        walk(0, 0, blocks.length, 0, 1, new double[deepest + 1]);
        List<Alike> all = new ArrayList<>();
        found.forEach(
            (parts, times) ->
                all.add(new Alike(times, parts.stream().mapToDouble(part -> part).toArray())));
        return all;
      }

      /**
       * @param before how many are added up in the block around it
       * @param alike how many such blocks there are
       */
      private void walk(int at, int from, int to, int before, int alike, double[] parts) {
        int own = to - from;
        double mean = at == 0 ? 0 : (double) before / lattice.children(key, at);
        double share = (double) lattice.blocks(key, at) / lattice.blocks(key, level);
        double[] next = parts.clone();
        next[at] = (own - mean) * share;
        int whole = lattice.blocks(key, level) / lattice.blocks(key, at);
        if (at == deepest || own == 0 || own == whole) {
          List<Double> name = Arrays.stream(next).boxed().toList();
          found.merge(name, alike * ((double) width / lattice.blocks(key, at)), Double::sum);
          return;
        }
        int per = lattice.blocks(key, level) / lattice.blocks(key, at + 1);
        int others = lattice.children(key, at + 1);
        for (int i = from; i < to; others--) {
          int first = i;
          while (i < to && blocks[i] / per == blocks[first] / per) {
            i++;
          }
          walk(at + 1, first, i, own, alike, next);
        }
        if (others > 0) {
          walk(at + 1, 0, 0, own, alike * others, next);
        }
      }
    }
  }
}
