package flexdp.gateway.program;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.ask.ProgramAsk;
import flexdp.tree.Nearest;
import java.util.ArrayList;
import java.util.List;

/**
 * The columns of the rows that a program is run over.
 *
 * @param read what it reads, in order
 * @param by what blocks are made by, which it does not see
 */
record ReadColumns(List<Column> read, List<Column> by) {
  private static final int MOST = 64;

  static ReadColumns of(Relation over, ProgramAsk.Shape shape) {
    List<Column> by =
        switch (shape) {
          case ProgramAsk.Blocks blocks ->
              blocks.by().stream().map(name -> named(name, over)).toList();
          case ProgramAsk.Rows ignored -> List.of();
        };
    List<Column> read = new ArrayList<>(over.columns());
    read.removeAll(by);
    if (read.isEmpty() || read.size() > MOST) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "A program reads 1 to " + MOST + " columns beside those that blocks are made by.",
          "Select the columns that it reads after those of --by.",
          Position.START);
    }
    if (read.stream().map(Column::id).distinct().count() < read.size()) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "A program would read one column twice.",
          "Select each column once; the program can copy it.",
          Position.START);
    }
    read.forEach(ReadColumns::requireNumber);
    return new ReadColumns(List.copyOf(read), by);
  }

  private static Column named(String name, Relation over) {
    List<Column> found =
        over.columns().stream().filter(c -> c.name().equalsIgnoreCase(name.strip())).toList();
    if (found.size() != 1) {
      List<String> names = over.columns().stream().map(Column::name).toList();
      throw Rejection.of(
          found.isEmpty() ? RejectionCode.UNKNOWN_COLUMN : RejectionCode.AMBIGUOUS_COLUMN,
          "The rows have "
              + (found.isEmpty() ? "no column '" : "several columns '")
              + name.strip()
              + "' to make blocks by."
              + (found.isEmpty() ? Nearest.question(name.strip(), names) : ""),
          "Name one of the columns that --over selects.");
    }
    return found.getFirst();
  }

  private static void requireNumber(Column column) {
    boolean number =
        switch (column.type().kind()) {
          case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE, DATE, TIME, TIMESTAMP -> true;
          case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL -> false;
        };
    if (!number) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH,
          "A program reads numbers; column '" + column.name() + "' is a " + column.type() + ".",
          "Make a number of it: CASE WHEN status = 'completed' THEN 1 ELSE 0 END.",
          Position.START);
    }
  }
}
