package flexdp.sensitivity;

import flexdp.algebra.Expr;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rows of a release point without those that an outer join pads and no measurement looks at
 * (S-OUTER): {@code COUNT(a.id)} over branches and their accounts counts nothing of a branch
 * without any, which is shown because it is among the labels. So people who own the accounts own
 * all that is left.
 */
public final class PaddingElimination {
  private PaddingElimination() {}

  /** The rows of a release point without those that outer joins pad; columns keep their ids. */
  public static Relation of(NoisyAggregate point) {
    Set<Integer> ignored = null;
    for (Measurement measurement : point.measurements()) {
      Set<Integer> own = new TreeSet<>();
      measurement
          .argument()
          .map(argument -> NullRejection.refusedWhereNotNull(argument))
          .ifPresent(columns -> own.addAll(ColumnReferences.of(columns)));
      measurement
          .filter()
          .map((Expr filter) -> NullRejection.refusedWhereTrue(filter))
          .ifPresent(columns -> own.addAll(ColumnReferences.of(columns)));
      if (ignored == null) {
        ignored = own;
      } else {
        ignored.retainAll(own);
      }
    }
    return ignored == null || ignored.isEmpty()
        ? point.input()
        : OuterJoins.without(point.input(), ignored);
  }
}
