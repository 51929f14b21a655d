package flexdp.cli;

import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Note;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
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
        ? shown + " ± " + plain(digits.high(high.subtract(value)))
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
          fields.add(bar.map(b -> plain(b.low())).orElse(""));
          fields.add(bar.map(b -> plain(b.high())).orElse(""));
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
      case Double number -> plain(new BigDecimal(number, new MathContext(9)));
      case LocalDateTime at -> at.toString().replace('T', ' ');
      default -> value.toString();
    };
  }

  static String plain(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return Math.abs(stripped.scale()) > 20 ? stripped.toString() : stripped.toPlainString();
  }

  /** What Gaussian noise costs is ρ; the ε that it means is no round number. */
  private static final MathContext FEW = new MathContext(4, RoundingMode.UP);

  static String cost(AnalystView view) {
    return "spent "
        + view.rhoOfGaussian().map(rho -> "rho " + plain(rho.round(FEW)) + ", which is ").orElse("")
        + "epsilon "
        + plain(view.rhoOfGaussian().isPresent() ? view.epsilon().round(FEW) : view.epsilon())
        + ", delta "
        + plain(view.delta())
        + "; mechanism "
        + view.mechanism()
        + (view.repeat() ? "; a released answer given again" : "");
  }

  /** What should be said beside the numbers, one line each. */
  static List<String> notes(AnalystView view) {
    return view.notes().stream().map(Note::line).toList();
  }
}
