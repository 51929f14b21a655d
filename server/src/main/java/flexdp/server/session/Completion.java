package flexdp.server.session;

import flexdp.gateway.database.MemoryGuard;
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
 * @param bytes about how much memory its rows take
 */
public record Completion(
    Optional<List<WireColumn>> columns,
    Iterator<List<Object>> rows,
    String tag,
    List<Map<Character, String>> notices,
    Optional<CopyFormat> copy,
    long bytes) {
  public static Completion done(String tag) {
    return new Completion(
        Optional.empty(), List.<List<Object>>of().iterator(), tag, List.of(), Optional.empty(), 0);
  }

  public static Completion rows(List<WireColumn> columns, List<List<Object>> rows, String tag) {
    long bytes = 0;
    for (List<Object> row : rows) {
      bytes += MemoryGuard.of(row);
    }
    return new Completion(
        Optional.of(columns), rows.iterator(), tag, List.of(), Optional.empty(), bytes);
  }

  Completion noting(List<Map<Character, String>> more) {
    return new Completion(columns, rows, tag, more, copy, bytes);
  }

  Completion copied(CopyFormat format) {
    return new Completion(columns, rows, "COPY %d", notices, Optional.of(format), bytes);
  }
}
