package flexdp.cli;

import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.Spent;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Answers as people and spreadsheets read them. */
final class AnswerText {
  private AnswerText() {}

  /** Columns side by side, numbers to the right; error bars behind their number. */
  static String table(AnalystView view, boolean intervals) {
    int width = view.columns().size();
    List<List<String>> lines = new ArrayList<>();
    lines.add(view.columns().stream().map(c -> c.column().name()).toList());
    for (int n = 0; n < view.rows().size(); n++) {
      List<Object> row = view.rows().get(n);
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        cells.add(cell(row.get(i), intervals ? view.interval(n, i) : Optional.empty()));
      }
      lines.add(cells);
    }
    boolean[] left = new boolean[width];
    for (int i = 0; i < width; i++) {
      left[i] = !view.columns().get(i).column().type().isNumeric();
    }
    return aligned(lines, left);
  }

  /**
   * Columns side by side, with a rule below the first line.
   *
   * @param left by column: whether it is flush left
   */
  static String aligned(List<List<String>> lines, boolean[] left) {
    int[] widths = new int[left.length];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).codePointCount(0, line.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < lines.size(); n++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = lines.get(n).get(i);
        String pad = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
        line.append(i == 0 ? "" : "  ").append(left[i] ? cell + pad : pad + cell);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (n == 0) {
        for (int i = 0; i < widths.length; i++) {
          text.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
        }
        text.append('\n');
      }
    }
    return text.toString();
  }

  /**
   * A value as exactly as its error bar says; ± where the bar is as long on both sides, otherwise
   * its ends.
   */
  private static String cell(Object value, Optional<AnalystView.Bar> bar) {
    return bar.isEmpty() || !(value instanceof Number number)
        ? shown(value)
        : barred(new BigDecimal(number.toString()), bar.get().low(), bar.get().high());
  }

  static String barred(BigDecimal value, BigDecimal low, BigDecimal high) {
    Digits digits = Digits.of(low, high);
    String shown = digits.nearest(value).toPlainString();
    return value.subtract(low).compareTo(high.subtract(value)) == 0
        ? shown + " ± " + Spent.plain(digits.high(high.subtract(value)))
        : shown
            + " ["
            + digits.low(low).toPlainString()
            + ", "
            + digits.high(high).toPlainString()
            + "]";
  }

  /** RFC 4180; NULL is an empty field and the empty text is in quotes. */
  static String csv(AnalystView view, boolean intervals) {
    StringBuilder text = new StringBuilder();
    List<String> header = new ArrayList<>();
    for (int i = 0; i < view.columns().size(); i++) {
      String name = view.columns().get(i).column().name();
      header.add(field(name));
      if (intervals && view.hasIntervals(i)) {
        header.add(field(name + "_low"));
        header.add(field(name + "_high"));
      }
    }
    text.append(String.join(",", header)).append("\r\n");
    for (int n = 0; n < view.rows().size(); n++) {
      List<Object> row = view.rows().get(n);
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        fields.add(row.get(i) == null ? "" : field(shown(row.get(i))));
        if (intervals && view.hasIntervals(i)) {
          Optional<AnalystView.Bar> bar = view.interval(n, i);
          fields.add(bar.map(b -> Spent.plain(b.low())).orElse(""));
          fields.add(bar.map(b -> Spent.plain(b.high())).orElse(""));
        }
      }
      text.append(String.join(",", fields)).append("\r\n");
    }
    return text.toString();
  }

  private static String field(String value) {
    boolean quoted = value.isEmpty() || value.matches("(?s).*[\",\r\n].*");
    return quoted ? "\"" + value.replace("\"", "\"\"") + "\"" : value;
  }

  static String shown(Object value) {
    return switch (value) {
      case null -> "NULL";
      case BigDecimal number -> number.toPlainString();
      case Double number -> Spent.plain(new BigDecimal(number, new MathContext(9)));
      case LocalDateTime at -> at.toString().replace('T', ' ');
      default -> value.toString();
    };
  }

  static String cost(AnalystView view) {
    return view.spent().words();
  }

  /** What should be said beside the numbers, one line each. */
  static List<String> notes(AnalystView view) {
    return view.notes().stream().map(Note::line).toList();
  }
}
