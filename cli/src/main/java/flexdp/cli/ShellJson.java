package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a server answers, as people read it. */
final class ShellJson {
  private ShellJson() {}

  static String answer(JsonNode answer) {
    List<List<String>> lines = new ArrayList<>();
    List<String> header = new ArrayList<>();
    answer.path("columns").forEach(c -> header.add(c.path("name").asText()));
    lines.add(header);
    JsonNode bars = answer.path("intervals");
    for (int r = 0; r < answer.path("rows").size(); r++) {
      List<String> line = new ArrayList<>();
      for (int c = 0; c < header.size(); c++) {
        line.add(cell(answer.path("rows").path(r).path(c)) + bar(bars.path(r).path(c)));
      }
      lines.add(line);
    }
    StringBuilder text = new StringBuilder();
    for (int n = 0; n < lines.size(); n++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < header.size(); c++) {
        int width = width(lines, c);
        String cell = lines.get(n).get(c);
        line.append(c == 0 ? "" : "  ");
        line.append(cell).append(" ".repeat(width - cell.codePointCount(0, cell.length())));
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (n == 0) {
        for (int c = 0; c < header.size(); c++) {
          text.append(c == 0 ? "" : "  ").append("-".repeat(width(lines, c)));
        }
        text.append('\n');
      }
    }
    return text + cost(answer);
  }

  private static String cost(JsonNode answer) {
    StringBuilder text = new StringBuilder();
    text.append("spent epsilon ").append(answer.path("spent").path("epsilon").asText());
    text.append(", delta ").append(answer.path("spent").path("delta").asText());
    text.append("; mechanism ").append(answer.path("mechanism").asText());
    text.append(answer.path("repeat").asBoolean() ? "; a released answer given again\n" : "\n");
    RemoteText.notes(answer.path("notes")).forEach(note -> text.append(note).append('\n'));
    return text.toString();
  }

  private static int width(List<List<String>> lines, int column) {
    return lines.stream()
        .map(line -> line.get(column))
        .mapToInt(cell -> cell.codePointCount(0, cell.length()))
        .max()
        .orElse(0);
  }

  private static String cell(JsonNode value) {
    return value.isNull() ? "NULL" : value.asText();
  }

  private static String bar(JsonNode bar) {
    return bar.isObject()
        ? " [" + bar.path("low").asText() + ", " + bar.path("high").asText() + "]"
        : "";
  }

  static String explanation(JsonNode said) {
    StringBuilder text = new StringBuilder("accepted\n");
    List<String> charged = new ArrayList<>();
    said.path("charged").forEach(c -> charged.add(c.asText()));
    line(text, "charged", String.join(", ", charged));
    JsonNode cost = said.path("cost");
    line(
        text,
        "cost",
        "epsilon " + cost.path("epsilon").asText() + ", delta " + cost.path("delta").asText());
    said.path("errors")
        .forEach(e -> line(text, e.path("column").asText(), e.path("words").asText()));
    said.path("rules").forEach(r -> text.append("  ").append(r.asText()).append('\n'));
    if (!said.path("hint").asText().isEmpty()) {
      text.append("hint: ").append(said.path("hint").asText()).append('\n');
    }
    return text.toString();
  }

  static String budget(JsonNode said) {
    StringBuilder text = new StringBuilder();
    for (JsonNode account : said.path("accounts")) {
      JsonNode epsilon = account.path("epsilon");
      line(
          text,
          account.path("account").asText(),
          "epsilon "
              + epsilon.path("spent").asText("0")
              + " spent"
              + (epsilon.has("budget") ? " of " + epsilon.path("budget").asText() : ", no limit"));
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-20s %s%n", name, value));
  }
}
