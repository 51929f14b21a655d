package flexdp.gateway.answer;

import flexdp.people.descent.Solver;
import java.util.Optional;

/** The solver of linear programs, where its library is there; knows nothing of the library. */
final class InstalledSolver {
  private InstalledSolver() {}

  static Optional<Solver> find() {
    try {
      return Glop.find();
    } catch (LinkageError e) {
      // Without the library not even the class that uses it can be had.
      return Optional.empty();
    }
  }
}
