package flexdp.experiments.people;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import flexdp.people.descent.Solver;
import java.time.Duration;

/**
 * PDLP, OR-tools' first-order method, for programs on which the simplex method does not come to an
 * end. What it says is near the optimum; {@link RacePrograms} turns it into bounds that hold.
 */
final class FirstOrder implements Solver {
  private static final String NEAR =
      "num_threads: 2 termination_criteria { simple_optimality_criteria {"
          + " eps_optimal_relative: 1e-4 eps_optimal_absolute: 1e-4 } }";

  private final Duration limit;

  FirstOrder(Duration limit) {
    this.limit = limit;
  }

  @Override
  public Solution solve(Packing packing) {
    MPSolver solver = MPSolver.createSolver("PDLP");
    try {
      solver.setTimeLimit(limit.toMillis());
      solver.setSolverSpecificParametersAsString(NEAR);
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
      boolean done = solver.solve() == MPSolver.ResultStatus.OPTIMAL;
      double[] values = new double[u.length];
      double[] prices = new double[room.length];
      for (int i = 0; done && i < u.length; i++) {
        values[i] = u[i].solutionValue();
      }
      for (int person = 0; done && person < room.length; person++) {
        prices[person] = room[person].dualValue();
      }
      return new Near(done, values, prices);
    } finally {
      solver.delete();
    }
  }

  /** What it said; nothing but zeros where it did not come to an end. */
  static final class Near implements Solution {
    private final boolean done;
    private final double[] values;
    private final double[] prices;

    private Near(boolean done, double[] values, double[] prices) {
      this.done = done;
      this.values = values;
      this.prices = prices;
    }

    boolean isDone() {
      return done;
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
