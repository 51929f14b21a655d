package flexdp.server.session;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a statement came to.
 *
 * @param columns absent when it has no rows
 * @param rows those that were not sent yet
 * @param tag what completes it; %d stands for the number of rows
 * @param notices fields of notices
 * @param copy how the rows are sent when they are copied
 */
public record Outcome(
    Optional<List<Column>> columns,
    Iterator<List<Object>> rows,
    String tag,
    List<Map<Character, String>> notices,
    Optional<CopyFormat> copy) {
  public static Outcome done(String tag) {
    return new Outcome(
        Optional.empty(), List.<List<Object>>of().iterator(), tag, List.of(), Optional.empty());
  }

  public static Outcome rows(List<Column> columns, Iterator<List<Object>> rows, String tag) {
    return new Outcome(Optional.of(columns), rows, tag, List.of(), Optional.empty());
  }

  Outcome noting(List<Map<Character, String>> more) {
    return new Outcome(columns, rows, tag, more, copy);
  }

  Outcome copied(CopyFormat format) {
    return new Outcome(columns, rows, "COPY %d", notices, Optional.of(format));
  }

  Outcome tagged(String other) {
    return new Outcome(columns, rows, other, notices, copy);
  }
}
