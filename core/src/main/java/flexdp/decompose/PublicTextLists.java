package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.List;

/**
 * Texts are put together from public rows alone, and not below anything that noise is added to: a
 * list of texts has no length that the question bounds.
 */
final class PublicTextLists {
  private PublicTextLists() {}

  /** Refuses them in what a release point reads. */
  static void refuse(Relation input) {
    AlgebraWalker.visit(
        input,
        relation -> {
          switch (relation) {
            case Relation.Aggregate r -> refuse(r.calls());
            case Relation.Window r ->
                r.calls().forEach(call -> call.aggregate().ifPresent(a -> refuse(List.of(a))));
            case Relation.Attach r -> r.subqueries().forEach(s -> refuse(s.calls()));
            case Relation.Where r ->
                r.subqueries()
                    .forEach(
                        s -> {
                          if (s instanceof Subquery.Scalar scalar) {
                            refuse(scalar.calls());
                          }
                        });
            case Relation.Scan ignored -> {}
            case Relation.Values ignored -> {}
            case Relation.Filter ignored -> {}
            case Relation.Project ignored -> {}
            case Relation.Join ignored -> {}
            case Relation.Distinct ignored -> {}
            case Relation.SetOperation ignored -> {}
            case Relation.Limit ignored -> {}
            case Relation.TopRows ignored -> {}
            case Relation.Released ignored -> {}
          }
        });
  }

  private static void refuse(List<AggregateCall> calls) {
    for (AggregateCall call : calls) {
      if (call.kind() == AggregateCall.Kind.TEXTS) {
        throw refused(call);
      }
    }
  }

  static Rejection refused(AggregateCall call) {
    return Rejection.of(
        RejectionCode.UNSUPPORTED,
        "A list of texts from protected rows has no private answer.",
        "Count by the column instead; of public tables alone lists can be made.",
        call.at());
  }
}
