package flexdp.gateway.database;

/**
 * What is found in a cell of a result. Reading a cell never ends a question: that would tell that
 * there is a row with such a cell.
 */
public sealed interface Reading {
  /**
   * A value in the one form of its type.
   *
   * @param value null for NULL
   */
  record Value(Object value) implements Reading {}

  /** Something that is no value of the column's type. */
  record Unreadable() implements Reading {}
}
