package flexdp.experiments.study;

import java.util.Optional;
import java.util.OptionalLong;

/** One entry of a log, read or not. */
public sealed interface LogRecord {
  /**
   * A query.
   *
   * @param backend which database it was for, where the log says so
   * @param rows how many rows it returned, where the log says so
   * @param columns how many columns it returned, where the log says so
   */
  record Query(String sql, Optional<String> backend, OptionalLong rows, OptionalLong columns)
      implements LogRecord {
    public static Query of(String sql) {
      return new Query(sql, Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }
  }

  /**
   * Something that is no query: too long, no UTF-8, no JSON.
   *
   * @param start how it begins
   */
  record Unreadable(String reason, String start) implements LogRecord {}
}
