package flexdp.experiments.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What a section is made of. */
public sealed interface Passage {
  /** Cells of one row: strings, numbers, or null for nothing. */
  static List<Object> row(Object... cells) {
    return Collections.unmodifiableList(Arrays.asList(cells.clone()));
  }

  /** A paragraph of plain text. */
  record Prose(String text) implements Passage {}

  /** SQL or a terminal's output, as it is. */
  record Verbatim(String text) implements Passage {}

  /**
   * A table, also written as a CSV file of its name beside the report. Numbers stand to the right.
   */
  record Table(String name, String caption, List<String> columns, List<List<Object>> rows)
      implements Passage {
    public Table {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /** Rows too many to show: a CSV file of that name and a link to it. */
  record Data(String name, String caption, List<String> columns, List<List<Object>> rows)
      implements Passage {
    public Data {
      columns = List.copyOf(columns);
      rows = List.copyOf(rows);
    }
  }

  /** A plot with a line under it. */
  record Figure(String caption, Chart chart) implements Passage {}
}
