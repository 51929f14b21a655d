package flexdp.workload;

/**
 * One key of a cuboid, seen in its flat cells: they are {@code outer} times {@code parents} times
 * {@code children} times {@code inner}.
 */
record Axis(int outer, int parents, int children, int inner) {
  /** Of a key whose level in the cuboid is not the first. */
  static Axis of(Lattice lattice, int point, int key) {
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
