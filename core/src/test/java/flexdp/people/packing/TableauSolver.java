package flexdp.people.packing;

/** The simplex method on a dense tableau, for programs of a few dozen results. */
final class TableauSolver implements PackingSolver {
  private static final double TINY = 1e-9;

  @Override
  public Solution solve(Packing packing) {
    int n = packing.sets().length;
    int m = packing.people() + n;
    // Rows: people, then the upper bounds; columns: results, slacks, right-hand side.
    double[][] a = new double[m + 1][n + m + 1];
    int[] basis = new int[m];
    for (int i = 0; i < n; i++) {
      for (int person : packing.sets()[i]) {
        a[person][i] = 1;
      }
      a[packing.people() + i][i] = 1;
      a[packing.people() + i][n + m] = packing.weights()[i];
      a[m][i] = -1;
    }
    for (int row = 0; row < m; row++) {
      a[row][n + row] = 1;
      basis[row] = n + row;
      if (row < packing.people()) {
        a[row][n + m] = 1;
      }
    }
    for (int column = entering(a, m, n + m); column >= 0; column = entering(a, m, n + m)) {
      pivot(a, basis, leaving(a, basis, column, m, n + m), column);
    }
    double[] u = new double[n];
    for (int row = 0; row < m; row++) {
      if (basis[row] < n) {
        u[basis[row]] = a[row][n + m];
      }
    }
    return new Solution() {
      @Override
      public double of(int result) {
        return u[result];
      }

      @Override
      public double price(int person) {
        return a[m][n + person];
      }
    };
  }

  /** Bland's rule: the first that gains, so that it ends. */
  private static int entering(double[][] a, int objective, int columns) {
    for (int c = 0; c < columns; c++) {
      if (a[objective][c] < -TINY) {
        return c;
      }
    }
    return -1;
  }

  private static int leaving(double[][] a, int[] basis, int column, int rows, int right) {
    int best = -1;
    for (int r = 0; r < rows; r++) {
      if (a[r][column] > TINY) {
        double ratio = a[r][right] / a[r][column];
        double least = best < 0 ? 0 : a[best][right] / a[best][column];
        if (best < 0 || ratio < least - TINY || ratio < least + TINY && basis[r] < basis[best]) {
          best = r;
        }
      }
    }
    return best;
  }

  private static void pivot(double[][] a, int[] basis, int row, int column) {
    double by = a[row][column];
    for (int c = 0; c < a[row].length; c++) {
      a[row][c] /= by;
    }
    for (int r = 0; r < a.length; r++) {
      double factor = a[r][column];
      if (r != row && factor != 0) {
        for (int c = 0; c < a[r].length; c++) {
          a[r][c] -= factor * a[row][c];
        }
      }
    }
    basis[row] = column;
  }
}
