package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.Optional;

/**
 * Window functions that have no rule where they stand. Frames other than the default, and what is
 * read by its place in one, are computed above release points only; quantiles and DISTINCT only
 * where the database computes them.
 */
final class WindowCheck {
  private WindowCheck() {}

  /** Below a release point, and among public rows, the database computes. */
  static void below(Relation relation) {
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Window window) {
            window.calls().forEach(WindowCheck::below);
          }
        });
  }

  private static void below(WindowCall call) {
    if (call.frame().isPresent()) {
      throw Rejection.of(
          RejectionCode.WINDOW_UNSUPPORTED,
          "This window frame has no rule below an aggregate.",
          "Use the default frame: leave ROWS and RANGE out; or aggregate first, and use the window"
              + " over the result.",
          call.at());
    }
    if (call.rank().equals(Optional.of(WindowCall.Rank.NTH_VALUE))) {
      throw Rejection.of(
          RejectionCode.WINDOW_UNSUPPORTED,
          "The window function 'nth_value' has no rule below an aggregate.",
          "Use ROW_NUMBER() in a subquery and the row with that number.",
          call.at());
    }
  }

  /** Above release points, on noisy rows. */
  static void above(WindowCall call) {
    AggregateCall aggregate = call.aggregate().orElse(null);
    if (aggregate != null && aggregate.distinct()) {
      throw unsupported(
          aggregate.kind() + "(DISTINCT …) OVER noisy rows",
          "Number the different values with DENSE_RANK().",
          call);
    }
    if (aggregate != null && aggregate.kind() == AggregateCall.Kind.QUANTILE) {
      throw unsupported(
          "A median or quantile OVER noisy rows",
          "Find the rows around it with CUME_DIST() or NTILE.",
          call);
    }
  }

  private static Rejection unsupported(String what, String hint, WindowCall call) {
    return Rejection.of(
        RejectionCode.POSTPROCESS_UNSUPPORTED, what + " has no rule here.", hint, call.at());
  }
}
