package flexdp.server.api;

import flexdp.gateway.ask.AnalystView;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An answer as CSV (RFC 4180), row by row. NULL is an empty field, an empty text is written "". A
 * text that a spreadsheet would compute begins with an apostrophe. Where error bars were asked for,
 * each column that has some is followed by its ends.
 */
final class AnswerCsv {
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9.]+");

  private AnswerCsv() {}

  static void write(OutputStream out, AnalystView view) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    int columns = view.columns().size();
    boolean[] barred = new boolean[columns];
    for (int i = 0; i < columns; i++) {
      barred[i] = view.hasIntervals(i);
      String name = view.columns().get(i).column().name();
      writer.append(i == 0 ? "" : ",").append(quoted(name));
      if (barred[i]) {
        writer.append(',').append(quoted(name + "_low"));
        writer.append(',').append(quoted(name + "_high"));
      }
    }
    writer.append("\r\n");
    for (int r = 0; r < view.rows().size(); r++) {
      List<Object> row = view.rows().get(r);
      for (int i = 0; i < columns; i++) {
        writer.append(i == 0 ? "" : ",").append(field(row.get(i)));
        if (barred[i]) {
          Optional<AnalystView.Bar> bar = view.interval(r, i);
          writer.append(',').append(field(bar.map(AnalystView.Bar::low).orElse(null)));
          writer.append(',').append(field(bar.map(AnalystView.Bar::high).orElse(null)));
        }
      }
      writer.append("\r\n");
    }
    writer.flush();
  }

  private static String field(Object value) {
    return switch (value) {
      case null -> "";
      case BigDecimal number -> number.toPlainString();
      case LocalDateTime at -> at.toString().replace('T', ' ');
      case String text -> quoted(text);
      default -> value.toString();
    };
  }

  /**
   * Programs that show tables take a cell for a formula when it begins so, whoever wrote it: a text
   * that is no number gets an apostrophe before it.
   */
  private static String harmless(String text) {
    boolean formula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
    return formula && !NUMBER.matcher(text).matches() ? "'" + text : text;
  }

  private static String quoted(String written) {
    String text = harmless(written);
    boolean plain =
        !text.isEmpty()
            && text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r');
    return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
  }
}
