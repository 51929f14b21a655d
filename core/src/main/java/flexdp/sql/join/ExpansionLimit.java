package flexdp.sql.join;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.HashMap;
import java.util.Map;

/**
 * Refuses expressions that would be too large if the columns they read were written out, down to
 * where rows are read or grouped. Conditions are moved below what computes their columns, here and
 * in every database: a column that is named twice on each of 30 levels stands for 2^30 of them.
 */
public final class ExpansionLimit {
  /** Parts of one expression; more are in no question that somebody wrote. */
  private static final long MOST = 100_000;

  private final Map<Integer, Long> sizes = new HashMap<>();

  private ExpansionLimit() {}

  /**
   * @throws Rejection when an expression is too large
   */
  public static void check(Relation root) {
    new ExpansionLimit().sizes(root);
  }

  private void sizes(Relation relation) {
    relation.children().forEach(this::sizes);
    if (relation instanceof Relation.Project project) {
      for (Relation.Project.Output output : project.outputs()) {
        if (!(output.expr() instanceof Expr.Ref ref && ref.column() == output.column().id())) {
          sizes.put(output.column().id(), size(output.expr()));
        }
      }
    }
    AlgebraWalker.expressions(relation, this::size);
  }

  private long size(Expr expr) {
    long size = 1;
    if (expr instanceof Expr.Ref ref) {
      size = sizes.getOrDefault(ref.column(), 1L);
    }
    for (Expr child : expr.children()) {
      size += size(child);
    }
    if (size > MOST) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "An expression has more than "
              + MOST
              + " parts when the columns that it reads are written out.",
          "Compute columns from each other on fewer levels, or name each once.");
    }
    return size;
  }
}
