package flexdp.cut;

import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.Optional;

/**
 * Refuses frames other than the default, and what is read by its place in one, where the database
 * would compute them: below a release point, and among public rows. They are computed above release
 * points only.
 */
final class FramesBelow {
  private FramesBelow() {}

  static void refuse(Relation relation) {
    Tree.visit(
        relation,
        r -> {
          if (r instanceof Relation.Window window) {
            window.calls().forEach(FramesBelow::refuse);
          }
        });
  }

  private static void refuse(WindowCall call) {
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
}
