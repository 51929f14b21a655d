package flexdp.server.door;

import flexdp.server.session.Column;
import flexdp.server.session.Outcome;
import flexdp.server.session.Prepared;
import java.util.List;
import java.util.Optional;

/** A statement with its values, and how far its rows were sent. */
final class Portal {
  private final Prepared prepared;
  private final List<Object> values;
  private final Optional<List<Column>> columns;
  private final List<Integer> formats;
  private Outcome outcome;

  /**
   * @param formats of the results: none for text, one for all, or one each
   */
  Portal(
      Prepared prepared,
      List<Object> values,
      Optional<List<Column>> columns,
      List<Integer> formats) {
    this.prepared = prepared;
    this.values = values;
    this.columns = columns;
    this.formats = formats;
  }

  Prepared prepared() {
    return prepared;
  }

  List<Object> values() {
    return values;
  }

  Optional<List<Column>> columns() {
    return columns;
  }

  List<Integer> formats() {
    return formats;
  }

  /** What it came to, once it was run. */
  Optional<Outcome> outcome() {
    return Optional.ofNullable(outcome);
  }

  void ran(Outcome result) {
    outcome = result;
  }
}
