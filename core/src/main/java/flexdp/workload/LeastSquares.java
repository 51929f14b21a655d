package flexdp.workload;

import java.util.Arrays;
import java.util.Map;

/**
 * The least squares estimate of every cuboid from noisy ones, in closed form. The data fall into
 * components, one per cuboid, that are orthogonal and that every measured cuboid holds: what the
 * cells of the cuboid have beyond those of all coarser ones. Noise that is independent and alike
 * within a cuboid stays so in each component, so components are estimated by themselves, as means
 * weighted by precision.
 */
public final class LeastSquares {
  private final CuboidLattice lattice;
  private final double[] precision;
  private final double[] information;

  /**
   * @param precision of a cell of each cuboid, one over its variance; 0 where it is not measured
   */
  public LeastSquares(CuboidLattice lattice, double[] precision) {
    this.lattice = lattice;
    this.precision = precision.clone();
    this.information = new double[lattice.size()];
    for (int s = 0; s < information.length; s++) {
      information[s] = precision[s] / lattice.cells(s);
    }
    lattice.sumOfFiner(information);
    for (int r = 0; r < information.length; r++) {
      information[r] *= lattice.cells(r);
    }
  }

  public CuboidLattice lattice() {
    return lattice;
  }

  double precision(int point) {
    return precision[point];
  }

  /** W: how well a component is known; 0 when nothing measured holds it. */
  double information(int component) {
    return information[component];
  }

  /** Whether a sum with these shares follows from what was measured. */
  public boolean knows(double[] shares) {
    double largest = Arrays.stream(shares).max().orElse(0);
    for (int r = 0; r < shares.length; r++) {
      if (shares[r] > 1e-12 * largest && information[r] <= 0) {
        return false;
      }
    }
    return true;
  }

  /** The variance of a sum with these shares; infinite when it is not known. */
  public double variance(double[] shares) {
    if (!knows(shares)) {
      return Double.POSITIVE_INFINITY;
    }
    double variance = 0;
    for (int r = 0; r < shares.length; r++) {
      if (information[r] > 0) {
        variance += shares[r] / information[r];
      }
    }
    return variance;
  }

  /**
   * The estimated cells of some cuboids, by cuboid. What is not known in them is taken for zero.
   *
   * @param measured noisy cells by cuboid
   */
  public double[][] cuboids(Map<Integer, double[]> measured, Iterable<Integer> wanted) {
    int size = lattice.size();
    boolean[] needed = new boolean[size];
    for (int q : wanted) {
      for (int r = 0; r < size; r++) {
        needed[r] |= lattice.isBelow(r, q);
      }
    }
    double[][] sums = new double[size][];
    measured.forEach(
        (s, cells) -> {
          double weight = precision[s] / lattice.cells(s);
          sums[s] = Arrays.stream(cells).map(x -> x * weight).toArray();
        });
    addUp(sums);
    double[][] fitted = new double[size][];
    for (int r = 0; r < size; r++) {
      if (needed[r]) {
        fitted[r] = component(r, sums[r]);
      }
    }
    spread(fitted);
    return fitted;
  }

  /** Each cuboid becomes the sum of all finer ones, added up to it, one key after the other. */
  private void addUp(double[][] sums) {
    for (int key = 0; key < lattice.keys(); key++) {
      for (int level = lattice.finest(key); level > 0; level--) {
        for (int point = 0; point < sums.length; point++) {
          if (lattice.level(point, key) == level && sums[point] != null) {
            int to = lattice.coarser(point, key);
            if (sums[to] == null) {
              sums[to] = new double[(int) lattice.cells(to)];
            }
            Axis.of(lattice, point, key).addUp(sums[point], sums[to]);
          }
        }
      }
    }
  }

  private double[] component(int r, double[] sums) {
    if (sums == null || information[r] <= 0) {
      return new double[(int) lattice.cells(r)];
    }
    double weight = lattice.cells(r) / information[r];
    double[] centred = Arrays.stream(sums).map(x -> x * weight).toArray();
    for (int key = 0; key < lattice.keys(); key++) {
      if (lattice.level(r, key) > 0) {
        Axis.of(lattice, r, key).centre(centred);
      }
    }
    return centred;
  }

  /** Each cuboid becomes the sum of all coarser components, spread over its cells. */
  private void spread(double[][] parts) {
    for (int key = 0; key < lattice.keys(); key++) {
      for (int level = 1; level <= lattice.finest(key); level++) {
        for (int point = 0; point < parts.length; point++) {
          if (lattice.level(point, key) == level && parts[point] != null) {
            Axis.of(lattice, point, key).spread(parts[lattice.coarser(point, key)], parts[point]);
          }
        }
      }
    }
  }

  /**
   * One key of a cuboid, seen in its flat cells: they are {@code outer} times {@code parents} times
   * {@code children} times {@code inner}.
   */
  private record Axis(int outer, int parents, int children, int inner) {
    /** Of a key whose level in the cuboid is not the first. */
    static Axis of(CuboidLattice lattice, int point, int key) {
      int outer = 1;
      for (int k = 0; k < key; k++) {
        outer *= lattice.width(point, k);
      }
      int inner = 1;
      for (int k = key + 1; k < lattice.keys(); k++) {
        inner *= lattice.width(point, k);
      }
      int children = lattice.children(key, lattice.level(point, key));
      return new Axis(outer, lattice.width(point, key) / children, children, inner);
    }

    /** Adds every cell to that of its parent. */
    void addUp(double[] fine, double[] coarse) {
      for (int block = 0; block < outer * parents; block++) {
        for (int child = 0; child < children; child++) {
          int from = (block * children + child) * inner;
          for (int i = 0; i < inner; i++) {
            coarse[block * inner + i] += fine[from + i];
          }
        }
      }
    }

    /** Adds to every cell its part of the parent. */
    void spread(double[] coarse, double[] fine) {
      for (int block = 0; block < outer * parents; block++) {
        for (int child = 0; child < children; child++) {
          int to = (block * children + child) * inner;
          for (int i = 0; i < inner; i++) {
            fine[to + i] += coarse[block * inner + i] / children;
          }
        }
      }
    }

    /** Takes the mean of its siblings from every cell. */
    void centre(double[] cells) {
      for (int block = 0; block < outer * parents; block++) {
        for (int i = 0; i < inner; i++) {
          double sum = 0;
          for (int child = 0; child < children; child++) {
            sum += cells[(block * children + child) * inner + i];
          }
          double mean = sum / children;
          for (int child = 0; child < children; child++) {
            cells[(block * children + child) * inner + i] -= mean;
          }
        }
      }
    }
  }
}
