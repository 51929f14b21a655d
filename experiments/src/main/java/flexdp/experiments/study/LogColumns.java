package flexdp.experiments.study;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which fields of a JSON or CSV log hold what. A name that is not given is looked for under the
 * names that logs usually have.
 */
public record LogColumns(
    Optional<String> sql,
    Optional<String> backend,
    Optional<String> rows,
    Optional<String> columns) {
  public static final LogColumns USUAL =
      new LogColumns(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private static final List<String> SQL =
      List.of("sql", "query", "statement", "query_text", "sql_text", "text", "query_string");
  private static final List<String> BACKEND =
      List.of("backend", "engine", "dialect", "database", "datasource", "connector");
  private static final List<String> ROWS =
      List.of("rows", "result_rows", "row_count", "rows_returned", "output_rows");
  private static final List<String> COLUMNS =
      List.of("columns", "result_columns", "column_count", "output_columns");

  /** The entry that fields of these names make; nothing when no field holds a query. */
  Optional<LogRecord> entry(Map<String, String> fields) {
    Optional<String> text = pick(fields, sql, SQL);
    return text.map(
        t ->
            new LogRecord.Query(
                t,
                pick(fields, backend, BACKEND).map(b -> b.strip().toLowerCase(Locale.ROOT)),
                number(pick(fields, rows, ROWS)),
                number(pick(fields, columns, COLUMNS))));
  }

  /** Whether a CSV with such a heading can be read. */
  boolean fits(List<String> heading) {
    return heading.stream().anyMatch(h -> sql.map(h::equalsIgnoreCase).orElse(SQL.contains(h)));
  }

  private static Optional<String> pick(
      Map<String, String> fields, Optional<String> given, List<String> usual) {
    if (given.isPresent()) {
      return Optional.ofNullable(fields.get(given.get().toLowerCase(Locale.ROOT)));
    }
    return usual.stream().filter(fields::containsKey).map(fields::get).findFirst();
  }

  private static OptionalLong number(Optional<String> text) {
    try {
      return text.isEmpty() || text.get().isBlank()
          ? OptionalLong.empty()
          : OptionalLong.of(Math.max(0, Long.parseLong(text.get().strip())));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }
}
