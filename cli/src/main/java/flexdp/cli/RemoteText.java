package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.gateway.ask.Note;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a server answers, as people read it. */
final class RemoteText {
  private RemoteText() {}

  /** Columns side by side, numbers to the right; error bars behind their number. */
  static String table(JsonNode answer) {
    List<List<String>> lines = new ArrayList<>();
    List<String> names = new ArrayList<>();
    answer.path("columns").forEach(c -> names.add(c.path("name").asText()));
    lines.add(names);
    boolean[] left = new boolean[names.size()];
    for (int n = 0; n < answer.path("rows").size(); n++) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < names.size(); i++) {
        JsonNode cell = answer.path("rows").get(n).get(i);
        left[i] |= !cell.isNumber() && !cell.isNull();
        cells.add(shown(cell, answer.path("intervals").path(n).path(i)));
      }
      lines.add(cells);
    }
    return aligned(lines, left);
  }

  private static String aligned(List<List<String>> lines, boolean[] left) {
    int[] widths = new int[left.length];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).codePointCount(0, line.get(i).length()));
      }
    }
    List<String> rules = new ArrayList<>();
    for (int width : widths) {
      rules.add("-".repeat(width));
    }
    lines.add(1, rules);
    StringBuilder text = new StringBuilder();
    for (List<String> cells : lines) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = cells.get(i);
        String pad = " ".repeat(widths[i] - cell.codePointCount(0, cell.length()));
        line.append(i == 0 ? "" : "  ").append(left[i] ? cell + pad : pad + cell);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  private static String shown(JsonNode cell) {
    return cell.isNull() ? "NULL" : cell.isNumber() ? plain(cell) : cell.asText();
  }

  private static String plain(JsonNode number) {
    return AnswerText.plain(new BigDecimal(number.asText("0")));
  }

  private static String shown(JsonNode cell, JsonNode bar) {
    return !cell.isNumber() || !bar.has("low")
        ? shown(cell)
        : AnswerText.barred(
            new BigDecimal(cell.asText()),
            new BigDecimal(bar.path("low").asText()),
            new BigDecimal(bar.path("high").asText()));
  }

  static String cost(JsonNode answer) {
    return "spent epsilon "
        + plain(answer.path("spent").path("epsilon"))
        + ", delta "
        + plain(answer.path("spent").path("delta"))
        + "; mechanism "
        + answer.path("mechanism").asText()
        + (answer.path("repeat").asBoolean() ? "; a released answer given again" : "");
  }

  /** What should be said beside the numbers, one line each. */
  static List<String> notes(JsonNode notes) {
    List<String> lines = new ArrayList<>();
    notes.forEach(n -> lines.add(Note.line(n.path("code").asText(), n.path("text").asText())));
    return lines;
  }

  static String explanation(JsonNode e) {
    StringBuilder text = new StringBuilder("accepted\n");
    line(text, "columns", joined(e.path("columns"), RemoteText::name));
    line(text, "labels", e.path("labels").asText());
    line(
        text,
        "charged",
        e.path("charged").isEmpty()
            ? "nothing; only public tables are read"
            : joined(e.path("charged"), JsonNode::asText));
    line(
        text,
        "cost",
        "epsilon "
            + plain(e.path("cost").path("epsilon"))
            + ", delta "
            + plain(e.path("cost").path("delta")));
    for (JsonNode noise : e.path("noise")) {
      text.append('\n').append(noise.path("aggregate").asText()).append(", ");
      text.append(noise.path("part").asText()).append('\n');
      line(text, "sensitivity", noise.path("formula").asText());
      line(text, "mechanism", noise.path("mechanism").asText("none usable yet"));
    }
    if (!e.path("errors").isEmpty()) {
      text.append("\n95 % error\n");
      e.path("errors")
          .forEach(x -> line(text, x.path("column").asText(), x.path("words").asText()));
    }
    e.path("warnings").forEach(w -> text.append("\nwarning: ").append(w.asText()).append('\n'));
    if (!e.path("rules").isEmpty()) {
      text.append("\nrules (docs/rules.md)\n");
      e.path("rules").forEach(rule -> text.append("  ").append(rule.asText()).append('\n'));
    }
    if (e.has("hint")) {
      text.append("\nhint: ").append(e.path("hint").asText()).append('\n');
    }
    return text.toString();
  }

  private static String name(JsonNode column) {
    return column.path("name").asText() + " (" + column.path("kind").asText() + ")";
  }

  private static String joined(JsonNode all, java.util.function.Function<JsonNode, String> shown) {
    List<String> parts = new ArrayList<>();
    all.forEach(one -> parts.add(shown.apply(one)));
    return String.join(", ", parts);
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-12s %s%n", name, value));
  }
}
