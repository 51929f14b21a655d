package flexdp.server.session;

import java.util.ArrayList;
import java.util.List;

/** Rows that were asked for by DECLARE, and how far they were fetched. */
final class Cursor {
  private final List<WireColumn> columns;
  private final List<List<Object>> rows = new ArrayList<>();
  private final long bytes;
  private final boolean hold;

  /** The row it stands on: 0 before the first, one more than there are behind the last. */
  private int at;

  Cursor(Completion outcome, boolean hold) {
    this.columns = outcome.columns().orElseThrow();
    this.bytes = outcome.bytes();
    this.hold = hold;
    outcome.rows().forEachRemaining(rows::add);
  }

  long bytes() {
    return bytes;
  }

  List<WireColumn> columns() {
    return columns;
  }

  boolean hold() {
    return hold;
  }

  /** Rows from where it stands: forwards, or backwards for a negative count. */
  List<List<Object>> fetch(long count) {
    List<List<Object>> fetched = new ArrayList<>();
    int step = count < 0 ? -1 : 1;
    for (long i = 0; i < Math.abs(count); i++) {
      at = Math.clamp(at + step, 0, rows.size() + 1);
      if (at < 1 || at > rows.size()) {
        break;
      }
      fetched.add(rows.get(at - 1));
    }
    return fetched;
  }
}
