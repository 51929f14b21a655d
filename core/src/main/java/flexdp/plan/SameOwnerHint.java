package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.OwnerPath;
import flexdp.policy.Table;
import flexdp.properties.Lineage;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What would keep people's rows apart in a question that mixes them: columns that it groups, counts
 * or joins rows by, of which the owner could say that each value stands for one person's rows.
 */
final class SameOwnerHint {
  private final Map<String, Lineage> columns = new LinkedHashMap<>();

  private SameOwnerHint() {}

  /** A hint, if there is such a column. */
  static Optional<String> hint(NoisyAggregate point) {
    SameOwnerHint found = new SameOwnerHint();
    AlgebraWalker.visit(point.input(), found::add);
    for (Measurement measurement : point.measurements()) {
      if (measurement instanceof Measurement.CountDistinct count) {
        found.add(point.input(), count.value());
      }
    }
    return found.columns.values().stream().findFirst().map(SameOwnerHint::words);
  }

  private void add(Relation relation) {
    if (relation instanceof Relation.Aggregate aggregate) {
      aggregate.keys().forEach(key -> add(aggregate.input(), key.ref()));
    } else if (relation instanceof Relation.TopRows top) {
      top.partition().forEach(key -> add(top.input(), key));
    } else if (relation instanceof Relation.Window window) {
      window.calls().forEach(call -> call.partition().forEach(key -> add(window.input(), key)));
    }
  }

  /** Of labels and of numbers with a range nobody would say it. */
  private void add(Relation input, Expr key) {
    if (!(key instanceof Expr.Ref ref)
        || input.columns().stream().noneMatch(c -> c.id() == ref.column())) {
      return;
    }
    Lineage from = Lineage.of(input, ref.column());
    boolean could =
        from.relation() instanceof Relation.Scan scan
            && scan.table().ownership().only().isPresent()
            && !scan.table().ownership().keepsUnowned()
            && !scan.table().ownership().sameOwner().contains(from.column().name())
            && from.spec()
                .filter(c -> !c.nullable() && c.domain().isEmpty() && c.range().isEmpty())
                .isPresent();
    if (could) {
      columns.putIfAbsent(from.column().name(), from);
    }
  }

  private static String words(Lineage from) {
    Table table = ((Relation.Scan) from.relation()).table();
    String column = from.column().name();
    List<OwnerPath.Hop> hops = table.ownership().only().orElseThrow().hops();
    String owner =
        hops.isEmpty()
            ? table.ownership().only().orElseThrow().column()
            : "the " + table.ownership().only().orElseThrow().kind() + " who owns the row";
    return "Group by "
        + owner
        + " as well as by "
        + column
        + ". If each "
        + column
        + " stands in rows of one person, the owner of the data may say so, and nothing has to be"
        + " added: sameOwner: ["
        + column
        + "] of "
        + table.name()
        + ". Or the policy says how many rows of a person are read: rowsPerPerson.";
  }
}
