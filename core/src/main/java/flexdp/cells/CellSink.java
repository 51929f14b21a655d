package flexdp.cells;

import java.math.BigInteger;
import java.util.List;

/** Takes the exact numbers of one release point as a database tells them, group by group. */
public interface CellSink {
  /** Stands for a label that cannot be read. */
  Object UNREADABLE = new Object();

  /** The grouping that a row belongs to when there is only one. */
  long onlyGrouping();

  /** Whether it wants groups with labels that cannot be read. */
  boolean takesUnreadable();

  /** A number was none, and counts as zero. */
  default void unreadableNumber() {}

  /**
   * Adds a number to its cell. Groups that the database tells apart may have one label for us, and
   * the rows of all of them are its rows.
   */
  void add(long grouping, List<Object> labels, int measurement, BigInteger steps);

  /** Adds rows to a bucket, for quantiles; one outside the range is the nearest within it. */
  void add(long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows);
}
