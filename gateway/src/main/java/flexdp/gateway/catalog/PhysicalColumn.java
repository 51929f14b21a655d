package flexdp.gateway.catalog;

import flexdp.policy.Type;

/**
 * A column as the database has it.
 *
 * @param typeName the database's own word
 * @param type the nearest type of a policy; {@code OPAQUE} when there is none
 * @param total whether every value that it can store is read as a value, and none as NULL
 * @param filled whether the database enforces that a value is stored in every row
 * @param computed whether it is not stored at all, but computed whenever it is read: it may fail on
 *     one row then, or have another value the next time
 */
public record PhysicalColumn(
    String name, String typeName, Type type, boolean total, boolean filled, boolean computed) {

  /** A column that is stored. */
  public PhysicalColumn(String name, String typeName, Type type, boolean total, boolean filled) {
    this(name, typeName, type, total, filled, false);
  }

  /** The same column, of which nothing is stored. */
  public PhysicalColumn whenRead() {
    return new PhysicalColumn(name, typeName, type, total, filled, true);
  }

  /** Never NULL when it is read as its type. */
  public boolean notNull() {
    return filled && total;
  }
}
