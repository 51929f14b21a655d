package flexdp.query;

import flexdp.algebra.Expr;
import java.util.List;

/** How the bins of a histogram come to be known (guarantee §7). */
public sealed interface Labels {
  /** No GROUP BY: one row. */
  record None() implements Labels {}

  /**
   * Every combination of the sources' rows is a bin, but for those of which one of the filters,
   * which read keys only, is not true.
   */
  record Enumerated(List<LabelSource> sources, List<Expr> filters) implements Labels {}

  /** Bins supplied by the analyst; values as in Expr.Literal, in the order of the keys. */
  record Supplied(List<List<Object>> rows) implements Labels {}

  /**
   * Bins seen in the data and published when their noisy count passes a threshold.
   *
   * @param atLeast how many people or rows a bin has to have, but for luck
   */
  record Thresholded(int atLeast) implements Labels {
    /** Whatever they have. */
    public Thresholded() {
      this(1);
    }
  }

  /** How many people or rows a bin has to have to be shown; 1 where bins are known. */
  default int fewest() {
    return this instanceof Thresholded thresholded ? thresholded.atLeast() : 1;
  }

  /** The word of the contract. */
  default String word() {
    return switch (this) {
      case None ignored -> "none";
      case Enumerated ignored -> "enumerated";
      case Supplied ignored -> "supplied";
      case Thresholded ignored -> "thresholded";
    };
  }
}
