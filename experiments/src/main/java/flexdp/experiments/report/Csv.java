package flexdp.experiments.report;

import java.util.List;
import java.util.stream.Collectors;

/** Comma-separated values as RFC 4180 has them. */
final class Csv {
  private Csv() {}

  static String of(List<String> columns, List<List<Object>> rows) {
    StringBuilder text = new StringBuilder();
    line(text, columns);
    rows.forEach(row -> line(text, row));
    return text.toString();
  }

  private static void line(StringBuilder text, List<?> cells) {
    text.append(cells.stream().map(Csv::cell).collect(Collectors.joining(","))).append("\r\n");
  }

  private static String cell(Object cell) {
    String text = cell == null ? "" : cell.toString();
    boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
