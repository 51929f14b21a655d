package flexdp.gateway.engine;

import com.google.ortools.linearsolver.MPConstraint;
import com.google.ortools.linearsolver.MPObjective;
import com.google.ortools.linearsolver.MPSolver;
import com.google.ortools.linearsolver.MPVariable;
import flexdp.people.packing.PackingSolver;

/**
 * A packing as a linear program of OR-tools: as much of every result as there is room for in the
 * people that it belongs to.
 */
public final class PackingProgram {
  private final MPVariable[] results;
  private final MPConstraint[] room;

  private PackingProgram(MPVariable[] results, MPConstraint[] room) {
    this.results = results;
    this.room = room;
  }

  /** Writes it into a solver that has nothing yet. */
  public static PackingProgram in(MPSolver solver, PackingSolver.Packing packing) {
    MPConstraint[] room = new MPConstraint[packing.people()];
    for (int person = 0; person < room.length; person++) {
      room[person] = solver.makeConstraint(Double.NEGATIVE_INFINITY, 1, "");
    }
    MPVariable[] results = new MPVariable[packing.sets().length];
    MPObjective sum = solver.objective();
    for (int i = 0; i < results.length; i++) {
      results[i] = solver.makeNumVar(0, packing.weights()[i], "");
      sum.setCoefficient(results[i], 1);
      for (int person : packing.sets()[i]) {
        room[person].setCoefficient(results[i], 1);
      }
    }
    sum.setMaximization();
    return new PackingProgram(results, room);
  }

  /** What the solver found, which outlives it. */
  public PackingSolver.Solution found() {
    double[] values = new double[results.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = results[i].solutionValue();
    }
    double[] prices = new double[room.length];
    for (int person = 0; person < prices.length; person++) {
      prices[person] = room[person].dualValue();
    }
    return new Found(values, prices);
  }

  private static final class Found implements PackingSolver.Solution {
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
