package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.List;

/** A table as questions read it that mix the rows of several people, to be measured. */
public final class TruncatedTable {
  private TruncatedTable() {}

  /**
   * The rows that are read, with the columns of the policy in their order.
   *
   * @param table of which {@code rowsPerPerson} rows are read
   */
  public static Relation of(Table table, Policy policy) {
    FreshColumns ids = new FreshColumns(List.of(), List.of());
    List<Column> columns =
        table.columns().stream().map(c -> ids.column(c.name(), c.type(), c.nullable())).toList();
    Relation.Scan scan = new Relation.Scan(table, columns, Position.START);
    return OwnedTableExpansion.truncated(policy, ids).of(scan);
  }
}
