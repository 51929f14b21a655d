package flexdp.gateway.propose;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import java.util.List;
import java.util.Optional;

/** Which table's key a column refers to, as the database's foreign keys say. */
final class ForeignReferences {
  private final List<PhysicalTable> present;

  ForeignReferences(List<PhysicalTable> present) {
    this.present = present;
  }

  /** The column of a table that another refers to. */
  record Target(PhysicalTable table, String key) {
    String written() {
      return table.policyName() + "." + key;
    }
  }

  Optional<Target> of(PhysicalTable table, PhysicalColumn column) {
    return table.foreignKeys().stream()
        .filter(f -> f.columns().equals(List.of(column.name())))
        .findFirst()
        .flatMap(f -> target(table, f));
  }

  private Optional<Target> target(PhysicalTable table, ForeignKey key) {
    return present.stream()
        .filter(t -> t.name().equals(key.table()) && t.kind() == PhysicalTable.Kind.TABLE)
        .filter(t -> t.schema().equals(table.schema()))
        .findFirst()
        .map(t -> new Target(t, key.referenced().getFirst()));
  }
}
