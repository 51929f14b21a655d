package flexdp.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * Keys with nested levels, and their cuboids. A level cuts the labels of its key into blocks of one
 * size, level 0 is all of them in one, the last one has a block per label. A cuboid is one level
 * per key: an ordinary GROUP BY. Cells are numbered with the last key fastest.
 */
public final class CuboidLattice {
  private final int[][] blocks;
  private final int[] strides;
  private final int[][] points;
  private final long[] cells;

  /**
   * @param blocks how many blocks the levels of each key have: 1, …, the number of its labels; each
   *     number divides the next one and is below it
   */
  public CuboidLattice(List<int[]> blocks) {
    this.blocks = blocks.stream().map(int[]::clone).toArray(int[][]::new);
    this.strides = new int[this.blocks.length];
    int size = 1;
    for (int key = this.blocks.length - 1; key >= 0; key--) {
      check(this.blocks[key]);
      strides[key] = size;
      size = Math.multiplyExact(size, this.blocks[key].length);
    }
    this.points = new int[size][this.blocks.length];
    this.cells = new long[size];
    for (int point = 0; point < size; point++) {
      cells[point] = 1;
      for (int key = 0; key < this.blocks.length; key++) {
        int level = point / strides[key] % this.blocks[key].length;
        points[point][key] = level;
        cells[point] = Math.multiplyExact(cells[point], (long) this.blocks[key][level]);
      }
    }
  }

  private static void check(int[] levels) {
    boolean nested = levels.length > 0 && levels[0] == 1;
    for (int i = 1; i < levels.length; i++) {
      nested &= levels[i] > levels[i - 1] && levels[i] % levels[i - 1] == 0;
    }
    if (!nested) {
      throw new IllegalArgumentException("levels must nest evenly, from one block on");
    }
  }

  /** Keys without levels between all labels and each of them. */
  public static CuboidLattice flat(int... labels) {
    List<int[]> blocks = new ArrayList<>();
    for (int n : labels) {
      blocks.add(n == 1 ? new int[] {1} : new int[] {1, n});
    }
    return new CuboidLattice(blocks);
  }

  public int keys() {
    return blocks.length;
  }

  /** The number of cuboids. */
  public int size() {
    return points.length;
  }

  /** The last level of a key: its labels. */
  public int finest(int key) {
    return blocks[key].length - 1;
  }

  public int level(int point, int key) {
    return points[point][key];
  }

  /** How many blocks a key has at a level. */
  public int blocks(int key, int level) {
    return blocks[key][level];
  }

  /** The blocks of a key in a cuboid. */
  int width(int point, int key) {
    return blocks[key][points[point][key]];
  }

  /** How many blocks of a level lie in one of the level before. */
  int children(int key, int level) {
    return blocks[key][level] / blocks[key][level - 1];
  }

  /** The cuboid with these levels. */
  public int point(int... levels) {
    int point = 0;
    for (int key = 0; key < blocks.length; key++) {
      if (levels[key] < 0 || levels[key] >= blocks[key].length) {
        throw new IllegalArgumentException("there is no such level");
      }
      point += levels[key] * strides[key];
    }
    return point;
  }

  /** The cuboid whose level of one key is the one before, which exists. */
  int coarser(int point, int key) {
    return point - strides[key];
  }

  public long cells(int point) {
    return cells[point];
  }

  /** Whether a cuboid follows from the other by adding up. */
  public boolean isBelow(int point, int other) {
    for (int key = 0; key < blocks.length; key++) {
      if (points[point][key] > points[other][key]) {
        return false;
      }
    }
    return true;
  }

  /** Every cuboid gets the sum of all that are as fine as it or finer, in place. */
  void sumOfFiner(double[] numbers) {
    for (int key = 0; key < blocks.length; key++) {
      int stride = strides[key];
      int levels = blocks[key].length;
      for (int base = 0; base < numbers.length; base += stride * levels) {
        for (int i = base + stride * (levels - 1) - 1; i >= base; i--) {
          numbers[i] += numbers[i + stride];
        }
      }
    }
  }

  /** Every cuboid gets the sum of all that are as coarse as it or coarser, in place. */
  void sumOfCoarser(double[] numbers) {
    for (int key = 0; key < blocks.length; key++) {
      int stride = strides[key];
      int levels = blocks[key].length;
      for (int base = 0; base < numbers.length; base += stride * levels) {
        for (int i = base + stride; i < base + stride * levels; i++) {
          numbers[i] += numbers[i - stride];
        }
      }
    }
  }

  /**
   * How much of the variance of one cell of a cuboid stems from each component, by point: it is Σ
   * share/W. The component of a key's level is what the blocks differ by within a block of the
   * level before; all cells of a cuboid are alike.
   */
  public double[] cell(int cuboid) {
    double[] shares = new double[size()];
    for (int r = 0; r < shares.length; r++) {
      if (isBelow(r, cuboid)) {
        shares[r] = 1;
        for (int key = 0; key < blocks.length; key++) {
          int level = points[r][key];
          double part = (double) blocks[key][level] / width(cuboid, key);
          shares[r] *= part * part * (level == 0 ? 1 : 1 - 1.0 / children(key, level));
        }
      }
    }
    return shares;
  }

  /**
   * The estimate of a sum with a coefficient per label of every key, multiplied.
   *
   * @param coefficients one vector per key
   */
  public double[] product(double[][] coefficients) {
    double[][] norms = new double[blocks.length][];
    for (int key = 0; key < blocks.length; key++) {
      norms[key] = norms(key, coefficients[key]);
    }
    return product(norms, 1);
  }

  /** Shares from the squared norms of each key's components, times a factor. */
  public double[] product(double[][] norms, double factor) {
    double[] shares = new double[size()];
    for (int r = 0; r < shares.length; r++) {
      shares[r] = factor;
      for (int key = 0; key < blocks.length; key++) {
        shares[r] *= norms[key][points[r][key]];
      }
    }
    return shares;
  }

  /** The squared norm of the component of each level of one key's coefficients. */
  public double[] norms(int key, double[] coefficients) {
    int labels = blocks[key][finest(key)];
    double[] norms = new double[blocks[key].length];
    double[] before = new double[0];
    for (int level = 0; level < norms.length; level++) {
      int count = blocks[key][level];
      int width = labels / count;
      double[] sums = new double[count];
      for (int label = 0; label < labels; label++) {
        sums[label / width] += coefficients[label];
      }
      double scale = (double) count / labels;
      double norm = 0;
      for (int block = 0; block < count; block++) {
        double mean = level == 0 ? 0 : before[block / children(key, level)] / children(key, level);
        double centred = (sums[block] - mean) * scale;
        norm += centred * centred;
      }
      norms[level] = norm;
      before = sums;
    }
    return norms;
  }
}
