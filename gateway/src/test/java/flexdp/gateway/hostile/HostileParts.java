package flexdp.gateway.hostile;

import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.budget.ChargedPartitions;
import flexdp.partition.PartitionPruning;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.policy.Table.Partition;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Footprints of questions with a table partitioned by each of its columns: a row of a part that is
 * not charged must change nothing at all.
 */
final class HostileParts {
  private HostileParts() {}

  /** Says in which part the row is by which neighbours differ, unless a key kept it out. */
  interface PartOfRow {
    Optional<String> in(ColumnSpec column, String part);
  }

  /** A partition in which the row lies outside of what the question is charged to, if any. */
  static Optional<String> outside(Plan plan, Table table, PartOfRow row) {
    for (ColumnSpec column : table.columns()) {
      for (Optional<Partition.Each> each : stretches(column.type())) {
        Partition partition = new Partition(column.name(), column.type(), each);
        PartitionPruning pruning = new PartitionPruning();
        plan.query().releases().forEach(p -> pruning.add(partitioned(p.input(), table, partition)));
        ChargedPartitions parts = pruning.parts().get(table.name());
        if (parts != null) {
          Optional<String> own = row.in(column, part(partition));
          if (own.isPresent() && !parts.names().contains(own.get())) {
            return Optional.of(
                "partitioned by %s: charged %s, row in %s"
                    .formatted(partition, parts.names(), own.get()));
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Relation partitioned(Relation relation, Table table, Partition partition) {
    return relation instanceof Relation.Scan scan && scan.table().name().equals(table.name())
        ? new Relation.Scan(
            scan.table().partitioned(Optional.of(partition)), scan.columns(), scan.at())
        : InputReplacement.replaced(relation, r -> partitioned(r, table, partition));
  }

  private static List<Optional<Partition.Each>> stretches(Type type) {
    List<Optional<Partition.Each>> all = new ArrayList<>();
    if (type.isDateTime()) {
      for (Partition.Each each : Partition.Each.values()) {
        all.add(Optional.of(each));
      }
    } else if (type.isInteger()
        || type.kind() == Type.Kind.VARCHAR
        || type.kind() == Type.Kind.BOOLEAN) {
      all.add(Optional.empty());
    }
    return all;
  }

  /** The name of the part of a value %s, as DuckDB says it. */
  private static String part(Partition partition) {
    if (partition.each().isEmpty()) {
      return partition.type().kind() == Type.Kind.VARCHAR
          ? "'''' || %s || ''''"
          : "CAST(%s AS VARCHAR)";
    }
    return switch (partition.each().get()) {
      case YEAR -> "CAST(year(%s) AS VARCHAR)";
      case QUARTER -> "year(%1$s) || '-Q' || quarter(%1$s)";
      case MONTH -> "strftime(%s, '%%Y-%%m')";
      case WEEK -> "strftime(%s, '%%G-W%%V')";
      case DAY -> "strftime(%s, '%%Y-%%m-%%d')";
    };
  }
}
