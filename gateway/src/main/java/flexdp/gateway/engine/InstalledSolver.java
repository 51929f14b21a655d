package flexdp.gateway.engine;

import flexdp.people.packing.PackingSolver;
import java.util.Optional;
import java.util.function.Supplier;

/** The solver of linear programs, where its library is there; knows nothing of the library. */
public final class InstalledSolver {
  private InstalledSolver() {}

  public static Optional<PackingSolver> find() {
    try {
      return GlopSolver.find();
    } catch (LinkageError e) {
      // Without the library not even the class that uses it can be had.
      return Optional.empty();
    }
  }

  /** The installed one, looked for when it is asked: not where a row has two owners at most. */
  public static PackingSolver lazily() {
    return of(InstalledSolver::find);
  }

  static PackingSolver of(Supplier<Optional<PackingSolver>> found) {
    return packing ->
        found
            .get()
            .orElseThrow(() -> new IllegalStateException("no solver for " + packing))
            .solve(packing);
  }
}
