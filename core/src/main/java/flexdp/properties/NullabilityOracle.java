package flexdp.properties;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;

/**
 * Whether a database proves that a column, read as its declared type, is never NULL. A declaration
 * in the policy is no proof: where any value fits into any column, one of another type is read as
 * NULL although the column says NOT NULL.
 */
@FunctionalInterface
public interface NullabilityOracle {
  /** Of a database that proves nothing. */
  NullabilityOracle UNPROVEN = (table, column) -> false;

  boolean isProven(Table table, ColumnSpec column);
}
