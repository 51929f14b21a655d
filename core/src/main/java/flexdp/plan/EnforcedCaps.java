package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.hash.PortableHash;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Enforces caps on frequencies by leaving rows out: of all rows that share a key the first so many
 * stay, in an order that other rows cannot change, and that does not prefer old ones. One row more
 * or less then changes at most two that stay, with c caps on one table 1 + c. It is done where a
 * bound would depend on how often a key occurs and depends on nothing private afterwards, which the
 * structure of a question decides.
 */
public final class EnforcedCaps {
  /** Of more caps than these in one question not every choice is tried. */
  private static final int MOST_COMBINED = 6;

  private record Enforced(String table, Table.FrequencyCap cap) {}

  private final Metrics metrics;
  private final Neighbors neighbors;

  private EnforcedCaps(Metrics metrics, Neighbors neighbors) {
    this.metrics = metrics;
    this.neighbors = neighbors;
  }

  /** The question over the rows that stay. */
  public static DpQuery in(DpQuery query, Metrics metrics, Neighbors neighbors) {
    EnforcedCaps caps = new EnforcedCaps(metrics, neighbors);
    List<NoisyAggregate> points = new ArrayList<>();
    boolean changed = false;
    for (NoisyAggregate point : query.releases()) {
      NoisyAggregate capped = caps.in(point);
      changed |= capped != point;
      points.add(capped);
    }
    return changed ? query.with(points) : query;
  }

  /** Enforced is as little as is enough: every cap lets one row move one more. */
  private NoisyAggregate in(NoisyAggregate point) {
    Set<Enforced> caps = new LinkedHashSet<>();
    boolean[] owned = {false};
    AlgebraWalker.visit(
        point.input(),
        r -> {
          if (r instanceof Relation.Scan scan) {
            scan.table().enforced().forEach(c -> caps.add(new Enforced(scan.table().name(), c)));
            owned[0] |= !scan.table().ownership().owners().isEmpty();
          }
        });
    if (caps.isEmpty() || owned[0] || isPublic(point)) {
      return point;
    }
    for (Set<Enforced> some : choices(List.copyOf(caps))) {
      NoisyAggregate capped = point.over(capped(point.input(), some));
      if (isPublic(capped)) {
        return capped;
      }
    }
    return point;
  }

  /** Few caps before many; of very many, one and all of them. */
  private static List<Set<Enforced>> choices(List<Enforced> caps) {
    List<Set<Enforced>> choices = new ArrayList<>();
    if (caps.size() > MOST_COMBINED) {
      caps.forEach(cap -> choices.add(Set.of(cap)));
      choices.add(Set.copyOf(caps));
      return choices;
    }
    for (int bits = 1; bits < 1 << caps.size(); bits++) {
      Set<Enforced> some = new LinkedHashSet<>();
      for (int i = 0; i < caps.size(); i++) {
        if ((bits >> i & 1) == 1) {
          some.add(caps.get(i));
        }
      }
      choices.add(some);
    }
    choices.sort(Comparator.comparingInt(Set::size));
    return choices;
  }

  /** Whether the structure alone bounds every measurement. */
  private boolean isPublic(NoisyAggregate point) {
    return point.measurements().stream().allMatch(m -> isPublic(point, m));
  }

  private boolean isPublic(NoisyAggregate point, Measurement measurement) {
    try {
      return Sensitivity.of(point, measurement, metrics, neighbors, RuleSet.FLEXDP)
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
  private static Relation capped(Relation relation, Set<Enforced> caps) {
    if (!(relation instanceof Relation.Scan scan)) {
      return InputReplacement.replaced(relation, r -> capped(r, caps));
    }
    List<Relation.TopRows.Rank> ranks = new ArrayList<>();
    for (Table.FrequencyCap cap : scan.table().enforced()) {
      if (caps.contains(new Enforced(scan.table().name(), cap))) {
        ranks.add(new Relation.TopRows.Rank(refs(scan, cap.columns()), most(cap)));
      }
    }
    return ranks.isEmpty() ? scan : first(scan, ranks);
  }

  /** Rows whose key has a NULL match no other, and stay. */
  private static Relation first(Relation.Scan scan, List<Relation.TopRows.Rank> ranks) {
    List<Expr> key = refs(scan, scan.table().orderingKey().orElseThrow());
    List<SortKey> order = new ArrayList<>();
    order.add(new SortKey(PortableHash.of(key), false, false));
    key.forEach(column -> order.add(new SortKey(column, false, false)));
    return new Relation.TopRows(
        scan,
        ranks.getFirst().partition(),
        order,
        ranks.getFirst().count(),
        ranks.subList(1, ranks.size()),
        true,
        scan.at());
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
