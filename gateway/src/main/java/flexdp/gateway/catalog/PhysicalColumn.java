package flexdp.gateway.catalog;

import flexdp.policy.Type;

/**
 * A column as the database has it.
 *
 * @param typeName the database's own word
 * @param type the nearest type of a policy; {@code OPAQUE} when there is none
 * @param total whether every value that it can store is read as a value, and none as NULL
 * @param filled whether the database enforces that a value is stored in every row
 */
public record PhysicalColumn(
    String name, String typeName, Type type, boolean total, boolean filled) {

  /** Never NULL when it is read as its type. */
  public boolean notNull() {
    return filled && total;
  }
}
