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
public final class Fit {
  private final Lattice lattice;
  private final double[] precision;
  private final double[] information;

  /**
   * @param precision of a cell of each cuboid, one over its variance; 0 where it is not measured
   */
  public Fit(Lattice lattice, double[] precision) {
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

  public Lattice lattice() {
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
}
