package flexdp.algebra;

/**
 * The rows that a window function reads of its partition, where they are not those of the
 * standard's default frame.
 */
public record Frame(Unit unit, Bound low, Bound high) {
  /** What is counted: rows, or values of the order. */
  public enum Unit {
    ROWS,
    RANGE
  }

  /** Where a frame ends. */
  public sealed interface Bound {
    /** At the partition's end. */
    record Unbounded() implements Bound {}

    /** At the row itself, or at the rows that equal it in the order. */
    record Current() implements Bound {}

    /**
     * An end so far before or after the row: a number, or a length of time for RANGE over moments.
     */
    record Offset(Expr.Literal distance, boolean preceding) implements Bound {
      public Offset {
        NodeChecks.that(!distance.isNull(), "a frame that ends nowhere");
      }
    }
  }
}
