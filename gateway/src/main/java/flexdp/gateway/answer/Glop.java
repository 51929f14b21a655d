package flexdp.gateway.answer;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import flexdp.people.descent.Solver;
import java.util.Optional;

/**
 * OR-tools' simplex method, where it is installed. (Its HiGHS hands out row activities for prices;
 * the certificate would catch it.) The library is native and large, so it is looked for when a
 * question first needs it.
 */
final class Glop implements Solver {
  private Glop() {}

  /** Loaded once; a class that is not there, or does not fit the machine, is no solver. */
  private static final class Installed {
    static final Optional<Solver> SOLVER = load();

    private Installed() {}

    private static Optional<Solver> load() {
      try {
        Loader.loadNativeLibraries();
        return Optional.of(new Glop());
      } catch (LinkageError | RuntimeException e) {
        return Optional.empty();
      }
    }
  }

  /** The solver, if it is installed. */
  static Optional<Solver> find() {
    return Installed.SOLVER;
  }

  @Override
  public Solution solve(Packing packing) {
    MPSolver solver = MPSolver.createSolver("GLOP");
    try {
      MPConstraint[] room = new MPConstraint[packing.people()];
      for (int person = 0; person < room.length; person++) {
        room[person] = solver.makeConstraint(Double.NEGATIVE_INFINITY, 1, "");
      }
      MPVariable[] u = new MPVariable[packing.sets().length];
      MPObjective sum = solver.objective();
      for (int i = 0; i < u.length; i++) {
        u[i] = solver.makeNumVar(0, packing.weights()[i], "");
        sum.setCoefficient(u[i], 1);
        for (int person : packing.sets()[i]) {
          room[person].setCoefficient(u[i], 1);
        }
      }
      sum.setMaximization();
      solver.solve();
      double[] values = new double[u.length];
      for (int i = 0; i < u.length; i++) {
        values[i] = u[i].solutionValue();
      }
      double[] prices = new double[room.length];
      for (int person = 0; person < room.length; person++) {
        prices[person] = room[person].dualValue();
      }
      return new Found(values, prices);
    } finally {
      solver.delete();
    }
  }

  /** What was found; the certificate judges it. */
  private static final class Found implements Solution {
    private final double[] values;
    private final double[] prices;

    Found(double[] values, double[] prices) {
      this.values = values;
      this.prices = prices;
    }

    @Override
    public double of(int result) {
      return values[result];
    }

    @Override
    public double price(int person) {
      return prices[person];
    }
  }
}
