package flexdp.workload;

import java.util.Arrays;
import java.util.List;

/**
 * A guess of all cells of the finest cuboid, none of them below zero, that is made to agree with
 * noisy cuboids by multiplicative weights. A pure function of noisy numbers: it never sees others.
 */
public final class MultiplicativeWeights {
  /** More cells are not held. */
  public static final long MOST_CELLS = 1L << 20;

  private static final double RATE = 0.5;
  private static final double LARGEST_STEP = 2;

  /** Differences in cells smaller than this part of the total are not chased. */
  private static final double LEAST_PART = 1e-4;

  /** Noisy cells of a cuboid. */
  public record Measured(int cuboid, double[] cells) {}

  private final CuboidLattice lattice;
  private final double total;
  private final double[] cells;

  /** Every cell alike. */
  public MultiplicativeWeights(CuboidLattice lattice, double total) {
    this.lattice = lattice;
    this.total = Math.max(1, total);
    this.cells = new double[(int) cells(lattice)];
    Arrays.fill(cells, this.total / cells.length);
  }

  /** How many cells the finest cuboid has; more than {@link #MOST_CELLS} are too many. */
  public static long cells(CuboidLattice lattice) {
    return lattice.cells(lattice.size() - 1);
  }

  /** The cells of a cuboid, by what is guessed. */
  public double[] marginal(int cuboid) {
    double[] sums = new double[(int) lattice.cells(cuboid)];
    walk(cuboid, (cell, block) -> sums[block] += cells[cell]);
    return sums;
  }

  /** Moves the guess towards all that was measured, so many times over. */
  public void fit(List<Measured> measured, int passes) {
    for (int pass = 0; pass < passes; pass++) {
      measured.forEach(this::fit);
    }
  }

  private void fit(Measured one) {
    double[] factors = marginal(one.cuboid());
    for (int i = 0; i < factors.length; i++) {
      double wanted = one.cells()[i];
      double size = Math.max(Math.max(factors[i], wanted), total * LEAST_PART);
      double step = RATE * (wanted - factors[i]) / size;
      factors[i] = StrictMath.exp(Math.clamp(step, -LARGEST_STEP, LARGEST_STEP));
    }
    double[] sum = {0};
    walk(
        one.cuboid(),
        (cell, block) -> {
          cells[cell] *= factors[block];
          sum[0] += cells[cell];
        });
    double scale = total / sum[0];
    for (int cell = 0; cell < cells.length; cell++) {
      cells[cell] *= scale;
    }
  }

  private interface Visit {
    void at(int cell, int block);
  }

  /** All cells in order, each with its place in a cuboid. */
  private void walk(int cuboid, Visit visit) {
    int keys = lattice.keys();
    int[] digits = new int[keys];
    int[] labels = new int[keys];
    int[] width = new int[keys];
    int[] strides = new int[keys];
    int stride = 1;
    for (int key = keys - 1; key >= 0; key--) {
      labels[key] = lattice.blocks(key, lattice.finest(key));
      int blocks = lattice.blocks(key, lattice.level(cuboid, key));
      width[key] = labels[key] / blocks;
      strides[key] = stride;
      stride *= blocks;
    }
    for (int cell = 0; cell < cells.length; cell++) {
      int block = 0;
      for (int key = 0; key < keys; key++) {
        block += digits[key] / width[key] * strides[key];
      }
      visit.at(cell, block);
      int key = keys - 1;
      while (key >= 0 && ++digits[key] == labels[key]) {
        digits[key--] = 0;
      }
    }
  }
}
