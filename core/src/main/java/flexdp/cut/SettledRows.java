package flexdp.cut;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.algebra.WindowCall;
import flexdp.failure.Rejection;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import java.util.List;
import java.util.Set;

/**
 * Whether the rows of a window, and their partitions and order, would be the same without noise.
 * Only then is a total over them the sum of the same draws whatever these are.
 */
final class SettledRows {
  private final List<ReleasePoint> releases;
  private final Set<Integer> measurements;

  SettledRows(List<ReleasePoint> releases, Set<Integer> measurements) {
    this.releases = releases;
    this.measurements = measurements;
  }

  /** Whether a call has the value that it would have without noise. */
  boolean isExact(Relation.Window window, WindowCall call) {
    return !isNoisy(call, window.input()) && is(window.input());
  }

  /**
   * @throws Rejection where they would not
   */
  void require(Relation.Window window, WindowCall call) {
    boolean arranged =
        call.partition().stream().noneMatch(e -> isNoisy(e, window.input()))
            && call.order().stream().noneMatch(k -> isNoisy(k.expr(), window.input()))
            && call.aggregate()
                .flatMap(a -> a.filter())
                .map(f -> !isNoisy(f, window.input()))
                .orElse(true);
    if (!arranged) {
      throw ErrorBars.unavailable(
          "A window that is ordered, partitioned or filtered by noisy numbers has no error bars.",
          "Order the window by labels, such as a date.");
    }
    if (!is(window.input())) {
      throw ErrorBars.unavailable(
          "Which rows this window reads depends on noise, so it has no error bars.",
          "Use the window over all labels, and leave rows out afterwards.");
    }
  }

  private boolean is(Relation relation) {
    if (!ErrorBars.isNoisy(relation)) {
      return true;
    }
    return switch (relation) {
      case Relation.Released r -> isComplete(r);
      case Relation.Project r -> is(r.input());
      case Relation.Filter r -> is(r.input()) && !isNoisy(r.predicate(), r.input());
      case Relation.Join r -> is(r.left()) && is(r.right()) && !isNoisy(r.condition(), r);
      case Relation.Window r -> is(r.input());
      case Relation.Limit r -> r.count().isEmpty() && r.offset() == 0 && is(r.input());
      case Relation.Distinct ignored -> false;
      case Relation.SetOperation ignored -> false;
      case Relation.TopRows ignored -> false;
      case Relation.Scan ignored -> false;
      case Relation.Values ignored -> false;
      case Relation.Where ignored -> false;
      case Relation.Attach ignored -> false;
      case Relation.Aggregate ignored -> false;
    };
  }

  /** All labels are shown, and no row holds others again. */
  private boolean isComplete(Relation.Released released) {
    return releases.stream()
        .filter(point -> point.id() == released.release())
        .allMatch(
            point ->
                point.groupingSets().size() == 1
                    && switch (point.labels()) {
                      case Labels.None ignored -> true;
                      case Labels.Enumerated ignored -> true;
                      case Labels.Supplied ignored -> true;
                      case Labels.Thresholded ignored -> false;
                    });
  }

  private boolean isNoisy(Expr expr, Relation over) {
    return Tree.references(expr).stream().anyMatch(id -> isNoisy(id, over));
  }

  private boolean isNoisy(int column, Relation over) {
    if (!ErrorBars.isNoisy(over)) {
      return false;
    }
    return switch (over) {
      case Relation.Released ignored -> measurements.contains(column);
      case Relation.Project r ->
          r.outputs().stream()
              .filter(o -> o.column().id() == column)
              .anyMatch(o -> isNoisy(o.expr(), r.input()));
      case Relation.Window r ->
          r.calls().stream()
              .filter(c -> c.output().id() == column)
              .findFirst()
              .map(c -> isNoisy(c, r.input()))
              .orElseGet(() -> isNoisy(column, r.input()));
      case Relation.Filter r -> isNoisy(column, r.input());
      case Relation.Limit r -> isNoisy(column, r.input());
      case Relation.Distinct r -> isNoisy(column, r.input());
      case Relation.TopRows r -> isNoisy(column, r.input());
      case Relation.Join r -> isNoisy(column, r.left()) || isNoisy(column, r.right());
      // Of rows that come from both sides nothing is known.
      case Relation.SetOperation r -> r.columns().stream().anyMatch(c -> c.id() == column);
      case Relation.Where ignored -> true;
      case Relation.Attach ignored -> true;
      case Relation.Scan ignored -> false;
      case Relation.Values ignored -> false;
      case Relation.Aggregate ignored -> false;
    };
  }

  private boolean isNoisy(WindowCall call, Relation input) {
    boolean[] noisy = {false};
    Tree.expressions(call, expr -> noisy[0] |= isNoisy(expr, input));
    return noisy[0];
  }
}
