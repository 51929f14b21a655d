package flexdp.gateway.engine;

import com.google.ortools.Loader;
import com.google.ortools.linearsolver.MPSolver;
import flexdp.people.packing.PackingSolver;
import java.util.Optional;

/**
 * OR-tools' simplex method, where it is installed. (Its HiGHS hands out row activities for prices;
 * the certificate would catch it.) The library is native and large, so it is looked for when a
 * question first needs it.
 */
final class GlopSolver implements PackingSolver {
  private GlopSolver() {}

  /** Loaded once; a class that is not there, or does not fit the machine, is no solver. */
  private static final class Installed {
    static final Optional<PackingSolver> SOLVER = load();

    private Installed() {}

    private static Optional<PackingSolver> load() {
      try {
        Loader.loadNativeLibraries();
        return Optional.of(new GlopSolver());
      } catch (LinkageError | RuntimeException e) {
        return Optional.empty();
      }
    }
  }

  /** The solver, if it is installed. */
  static Optional<PackingSolver> find() {
    return Installed.SOLVER;
  }

  @Override
  public Solution solve(Packing packing) {
    MPSolver solver = MPSolver.createSolver("GLOP");
    try {
      PackingProgram program = PackingProgram.in(solver, packing);
      solver.solve();
      // Whatever it is, the certificate judges it.
      return program.found();
    } finally {
      solver.delete();
    }
  }
}
