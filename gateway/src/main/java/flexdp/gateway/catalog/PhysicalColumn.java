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

  /** This column as one of which nothing is stored. */
  public PhysicalColumn whenRead() {
    return new PhysicalColumn(name, typeName, type, total, filled, true);
  }

  /**
   * Whether what one column holds to be the same name the other does, too: exact numbers do, and
   * else columns of one type, texts under one collation.
   */
  public boolean namesAlike(PhysicalColumn other) {
    return type.isExact() && other.type.isExact()
        || type.equals(other.type) && collation().equals(other.collation());
  }

  /** The last word of the type where databases write a collation behind it. */
  private String collation() {
    String last = typeName.substring(typeName.lastIndexOf(' ') + 1);
    boolean written = type.equals(Type.VARCHAR) && typeName.contains(" ");
    return written && (last.contains("_") || last.equals("COLLATE")) ? last : "";
  }

  /** Never NULL when it is read as its type. */
  public boolean notNull() {
    return filled && total;
  }
}
