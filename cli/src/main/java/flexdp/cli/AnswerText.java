package flexdp.cli;

import flexdp.gateway.AnalystView;
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
    for (List<Object> row : view.rows()) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        cells.add(shown(row.get(i)) + (intervals ? bar(view.intervals().get(i)) : ""));
      }
      lines.add(cells);
    }
    int[] widths = new int[width];
    for (List<String> line : lines) {
      for (int i = 0; i < width; i++) {
        widths[i] = Math.max(widths[i], line.get(i).codePointCount(0, line.get(i).length()));
      }
    }
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < lines.size(); n++) {
      line(text, view, lines.get(n), widths);
      if (n == 0) {
        rule(text, widths);
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, AnalystView view, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      String pad = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
      boolean right = view.columns().get(i).column().type().isNumeric();
      line.append(i == 0 ? "" : "  ").append(right ? pad + cell : cell + pad);
    }
    text.append(line.toString().stripTrailing()).append('\n');
  }

  private static void rule(StringBuilder text, int[] widths) {
    for (int i = 0; i < widths.length; i++) {
      text.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
    }
    text.append('\n');
  }

  private static String bar(Optional<BigDecimal> width) {
    return width.map(w -> " ± " + plain(w)).orElse("");
  }

  /** RFC 4180; NULL is an empty field and the empty text is in quotes. */
  static String csv(AnalystView view, boolean intervals) {
    StringBuilder text = new StringBuilder();
    List<String> header = new ArrayList<>();
    for (int i = 0; i < view.columns().size(); i++) {
      String name = view.columns().get(i).column().name();
      header.add(field(name));
      if (intervals && view.intervals().get(i).isPresent()) {
        header.add(field(name + "_low"));
        header.add(field(name + "_high"));
      }
    }
    text.append(String.join(",", header)).append("\r\n");
    for (List<Object> row : view.rows()) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        fields.add(row.get(i) == null ? "" : field(shown(row.get(i))));
        if (intervals && view.intervals().get(i).isPresent()) {
          fields.add(end(row.get(i), view.intervals().get(i).get().negate()));
          fields.add(end(row.get(i), view.intervals().get(i).get()));
        }
      }
      text.append(String.join(",", fields)).append("\r\n");
    }
    return text.toString();
  }

  private static String end(Object value, BigDecimal distance) {
    return switch (value) {
      case BigDecimal number -> plain(number.add(distance));
      case Double number -> plain(new BigDecimal(number.toString()).add(distance));
      case null, default -> "";
    };
  }

  private static String field(String value) {
    boolean quoted = value.isEmpty() || value.matches("(?s).*[\",\r\n].*");
    return quoted ? "\"" + value.replace("\"", "\"\"") + "\"" : value;
  }

  static String shown(Object value) {
    return switch (value) {
      case null -> "NULL";
      case BigDecimal number -> number.toPlainString();
      case Double number -> plain(new BigDecimal(number, new MathContext(9)));
      case LocalDateTime at -> at.toString().replace('T', ' ');
      default -> value.toString();
    };
  }

  static String plain(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return Math.abs(stripped.scale()) > 20 ? stripped.toString() : stripped.toPlainString();
  }

  static String cost(AnalystView view) {
    return "spent epsilon "
        + plain(view.epsilon())
        + ", delta "
        + plain(view.delta())
        + "; mechanism "
        + view.mechanism()
        + (view.repeat() ? "; " + view.derived().orElse("a released answer given again") : "");
  }
}
