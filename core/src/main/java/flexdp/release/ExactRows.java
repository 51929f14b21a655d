package flexdp.release;

import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.people.clipping.Contributions;
import java.util.function.Consumer;

/**
 * Exact rows of one state of the data, asked for in algebra; private, all of them. Whatever a row
 * holds, reading goes on: an error would tell that there is such a row.
 */
public interface ExactRows {
  /** The numbers of every group. */
  void cells(Reading.Cells what, CellSink to);

  /** What people contribute. */
  void people(Reading.People what, Contributions<PersonCell> to);

  /** How many owners have how much. */
  void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to);

  /** Whether more may be asked of the same state while noise is drawn. */
  boolean staysOpen();
}
