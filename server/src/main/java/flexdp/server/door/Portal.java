package flexdp.server.door;

import flexdp.gateway.database.Heft;
import flexdp.server.session.Completion;
import flexdp.server.session.NamedStatement;
import flexdp.server.session.WireColumn;
import java.util.List;
import java.util.Optional;

/** A statement with its values, and how far its rows were sent. */
final class Portal {
  private final NamedStatement prepared;
  private final List<Object> values;
  private final Optional<List<WireColumn>> columns;
  private final List<Integer> formats;
  private Completion outcome;

  /**
   * @param formats of the results: none for text, one for all, or one each
   */
  Portal(
      NamedStatement prepared,
      List<Object> values,
      Optional<List<WireColumn>> columns,
      List<Integer> formats) {
    this.prepared = prepared;
    this.values = values;
    this.columns = columns;
    this.formats = formats;
  }

  NamedStatement prepared() {
    return prepared;
  }

  List<Object> values() {
    return values;
  }

  Optional<List<WireColumn>> columns() {
    return columns;
  }

  List<Integer> formats() {
    return formats;
  }

  /** What it came to, once it was run. */
  Optional<Completion> outcome() {
    return Optional.ofNullable(outcome);
  }

  /** About how much memory it takes. */
  long bytes() {
    return Heft.of(values) + outcome().map(Completion::bytes).orElse(0L);
  }

  void ran(Completion result) {
    outcome = result;
  }
}
