package flexdp.workload;

import java.util.ArrayList;
import java.util.List;

/**
 * What the error of one estimated cell is made of: draws of the measured cuboids, each so many
 * times with a coefficient. Cells of a measured cuboid are alike that share as many levels of each
 * key with the estimated one.
 *
 * @param cuboid the measured one
 */
public record CellDraws(int cuboid, double coefficient, double times) {
  /** Of a cell of a cuboid, whichever it is. */
  public static List<CellDraws> of(Fit fit, int cuboid) {
    List<CellDraws> draws = new ArrayList<>();
    Lattice lattice = fit.lattice();
    for (int s = 0; s < lattice.size(); s++) {
      if (fit.precision(s) > 0) {
        new Classes(fit, cuboid, s).collect(draws);
      }
    }
    return draws;
  }

  /** The classes of cells of one measured cuboid. */
  private static final class Classes {
    private final Fit fit;
    private final Lattice lattice;
    private final int cuboid;
    private final int measured;
    private final int[] shared;

    Classes(Fit fit, int cuboid, int measured) {
      this.fit = fit;
      this.lattice = fit.lattice();
      this.cuboid = cuboid;
      this.measured = measured;
      this.shared = new int[lattice.keys()];
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
      int deepest = Math.min(lattice.level(cuboid, key), lattice.level(measured, key));
      int width = lattice.width(measured, key);
      for (int level = 0; level <= deepest; level++) {
        double alike = (double) width / lattice.blocks(key, level);
        double more = level == deepest ? 0 : (double) width / lattice.blocks(key, level + 1);
        if (alike > more) {
          shared[key] = level;
          collect(key + 1, times * (alike - more), draws);
        }
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
      int deepest = Math.min(lattice.level(cuboid, key), lattice.level(measured, key));
      int step = 1;
      for (int k = key + 1; k < lattice.keys(); k++) {
        step *= lattice.finest(k) + 1;
      }
      for (int level = 0; level <= deepest; level++) {
        double part = part(key, level) * lattice.blocks(key, level) / lattice.width(cuboid, key);
        sum += coefficient(key + 1, component + level * step, product * part);
      }
      return sum;
    }

    /** The entry of the projection to a level, between blocks that share so many levels. */
    private double part(int key, int level) {
      if (level == 0) {
        return 1;
      }
      double same = level <= shared[key] ? 1 : 0;
      double parent = level - 1 <= shared[key] ? 1.0 / lattice.children(key, level) : 0;
      return same - parent;
    }
  }
}
