package flexdp.plan;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Tree;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.hash.PortableHash;
import flexdp.metrics.Metrics;
import flexdp.owned.Inputs;
import flexdp.policy.Neighbors;
import flexdp.policy.Table;
import flexdp.question.Measurement;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Rules;
import flexdp.sensitivity.Sensitivity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Enforces caps on frequencies by leaving rows out: of all rows that share a key the first so many
 * stay, in an order that other rows cannot change, and that does not prefer old ones. One row more
 * or less then changes at most two that stay. It is done where a bound would depend on how often a
 * key occurs and depends on nothing private afterwards, which the structure of a question decides.
 */
public final class EnforcedCaps {
  private final Metrics metrics;
  private final Neighbors neighbors;

  private EnforcedCaps(Metrics metrics, Neighbors neighbors) {
    this.metrics = metrics;
    this.neighbors = neighbors;
  }

  /** The question over the rows that stay. */
  public static Question in(Question question, Metrics metrics, Neighbors neighbors) {
    EnforcedCaps caps = new EnforcedCaps(metrics, neighbors);
    List<ReleasePoint> points = new ArrayList<>();
    boolean changed = false;
    for (ReleasePoint point : question.releases()) {
      ReleasePoint capped = caps.in(point);
      changed |= capped != point;
      points.add(capped);
    }
    return changed
        ? new Question(question.top(), points, question.columns(), question.joins())
        : question;
  }

  private ReleasePoint in(ReleasePoint point) {
    boolean[] has = {false, false};
    Tree.visit(
        point.input(),
        r -> {
          if (r instanceof Relation.Scan scan) {
            has[0] |= scan.table().enforced().isPresent();
            has[1] |= !scan.table().ownership().owners().isEmpty();
          }
        });
    if (!has[0] || has[1] || isPublic(point)) {
      return point;
    }
    ReleasePoint capped = point.over(capped(point.input()));
    return isPublic(capped) ? capped : point;
  }

  /** Whether the structure alone bounds every measurement. */
  private boolean isPublic(ReleasePoint point) {
    return point.measurements().stream().allMatch(m -> isPublic(point, m));
  }

  private boolean isPublic(ReleasePoint point, Measurement measurement) {
    try {
      return Sensitivity.of(point, measurement, metrics, neighbors, Rules.FLEXDP)
          .ceiling()
          .isPresent();
    } catch (Rejection e) {
      if (e.code() == RejectionCode.MISSING_METRIC) {
        return false;
      }
      throw e;
    }
  }

  /** All ranks are taken on the whole table, wherever it stands. */
  private static Relation capped(Relation relation) {
    return relation instanceof Relation.Scan scan && scan.table().enforced().isPresent()
        ? first(scan, scan.table().enforced().get())
        : Inputs.replaced(relation, EnforcedCaps::capped);
  }

  private static Relation first(Relation.Scan scan, Table.FrequencyCap cap) {
    List<Expr> key = refs(scan, scan.table().orderingKey().orElseThrow());
    List<SortKey> order = new ArrayList<>();
    order.add(new SortKey(PortableHash.of(key), false, false));
    key.forEach(column -> order.add(new SortKey(column, false, false)));
    return new Relation.TopRows(scan, refs(scan, cap.columns()), order, most(cap), scan.at());
  }

  private static long most(Table.FrequencyCap cap) {
    return cap.atMost().min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
  }

  private static List<Expr> refs(Relation.Scan scan, Set<String> names) {
    List<Expr> refs = new ArrayList<>();
    for (String name : new TreeSet<>(names)) {
      scan.columns().stream()
          .filter(c -> c.name().equals(name))
          .map(Column::ref)
          .forEach(refs::add);
    }
    return refs;
  }
}
