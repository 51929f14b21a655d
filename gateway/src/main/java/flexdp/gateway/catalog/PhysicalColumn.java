package flexdp.gateway.catalog;

import flexdp.policy.Type;

/**
 * A column as the database has it.
 *
 * @param typeName the database's own word
 * @param type the nearest type of a policy; {@code OPAQUE} when there is none
 * @param total whether every value that it can store is read as a value, and none as NULL
 * @param notNull never NULL when it is read as its type: the database enforces it, and it is total
 */
public record PhysicalColumn(
    String name, String typeName, Type type, boolean total, boolean notNull) {
  public PhysicalColumn {
    notNull = notNull && total;
  }
}
