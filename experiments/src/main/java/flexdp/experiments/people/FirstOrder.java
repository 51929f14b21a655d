package flexdp.experiments.people;

import com.google.ortools.linearsolver.MPSolver;
import flexdp.gateway.engine.PackingProgram;
import flexdp.people.packing.PackingSolver;
import java.time.Duration;

/**
 * PDLP, OR-tools' first-order method, for programs on which the simplex method does not come to an
 * end. What it says is near the optimum; {@link RacePrograms} turns it into bounds that hold.
 */
final class FirstOrder implements PackingSolver {
  private static final String NEAR =
      "num_threads: 2 termination_criteria { simple_optimality_criteria {"
          + " eps_optimal_relative: 1e-4 eps_optimal_absolute: 1e-4 } }";

  private static final Solution NOTHING =
      new Solution() {
        @Override
        public double of(int result) {
          return 0;
        }

        @Override
        public double price(int person) {
          return 0;
        }
      };

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
      PackingProgram program = PackingProgram.in(solver, packing);
      return solver.solve() == MPSolver.ResultStatus.OPTIMAL
          ? new Near(true, program.found())
          : new Near(false, NOTHING);
    } finally {
      solver.delete();
    }
  }

  /** What it said; nothing but zeros where it did not come to an end. */
  record Near(boolean isDone, Solution said) implements Solution {
    @Override
    public double of(int result) {
      return said.of(result);
    }

    @Override
    public double price(int person) {
      return said.price(person);
    }
  }
}
