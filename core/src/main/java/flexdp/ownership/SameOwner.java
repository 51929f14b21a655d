package flexdp.ownership;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.util.Optional;

/**
 * That equal values of a column stand in rows of one person, as the policy says ({@code
 * sameOwner}): a session of one user, a visit of one patient. It is no {@link OwnerDeterminant}:
 * nothing follows from it but that the owner may be added where rows are joined or grouped by the
 * column, which then is right whatever the policy says; where it says the truth, it changes no
 * answer.
 *
 * @param table whose rows share the owner: the one that the column refers to, or its own
 * @param column of that table
 * @param nullable whether it may be NULL, which is nobody's in particular
 */
record SameOwner(String table, String column, boolean nullable) {
  /** What the policy says of a column, if it does. */
  static Optional<SameOwner> of(Table table, String name) {
    ColumnSpec column = table.column(name).orElse(null);
    if (column == null || !table.ownership().sameOwner().contains(name)) {
      return Optional.empty();
    }
    return Optional.of(
        column
            .references()
            .map(r -> new SameOwner(r.table(), r.column(), column.nullable()))
            .orElse(new SameOwner(table.name(), name, column.nullable())));
  }

  boolean isAlike(SameOwner other) {
    return table.equals(other.table) && column.equals(other.column);
  }

  /** Whether the column is the key that the other side's owner is looked up by. */
  boolean isOf(OwnerDeterminant determinant) {
    return determinant
        .key()
        .filter(key -> key.table().equals(table) && key.column().equals(column))
        .isPresent();
  }
}
