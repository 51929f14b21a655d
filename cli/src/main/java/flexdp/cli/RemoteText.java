package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.Spent;
import java.math.BigDecimal;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

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
    return AnswerText.aligned(lines, left);
  }

  private static String shown(JsonNode cell) {
    return cell.isNull()
        ? "NULL"
        : cell.isBigDecimal() ? AnswerText.shown(cell.decimalValue()) : cell.asText();
  }

  private static String plain(JsonNode number) {
    return Spent.plain(number(number));
  }

  private static String shown(JsonNode cell, JsonNode bar) {
    return !cell.isNumber() || !bar.has("low")
        ? shown(cell)
        : AnswerText.barred(
            new BigDecimal(cell.asText()),
            new BigDecimal(bar.path("low").asText()),
            new BigDecimal(bar.path("high").asText()));
  }

  /** With what it cost, and what should be said beside it. */
  static String answer(JsonNode answer) {
    StringBuilder text = new StringBuilder(table(answer)).append(cost(answer)).append('\n');
    notes(answer.path("notes")).forEach(note -> text.append(note).append('\n'));
    return text.toString();
  }

  static String cost(JsonNode answer) {
    JsonNode spent = answer.path("spent");
    return new Spent(
            number(spent.path("epsilon")),
            number(spent.path("delta")),
            Optional.of(spent.path("rho")).filter(JsonNode::isNumber).map(RemoteText::number),
            answer.path("mechanism").asText(),
            answer.path("repeat").asBoolean())
        .words();
  }

  /** What an answer cost whose rows are no JSON. */
  static Spent spent(HttpHeaders headers) {
    return new Spent(
        headers.firstValue("FlexDP-Epsilon").map(BigDecimal::new).orElse(BigDecimal.ZERO),
        headers.firstValue("FlexDP-Delta").map(BigDecimal::new).orElse(BigDecimal.ZERO),
        headers.firstValue("FlexDP-Rho").map(BigDecimal::new),
        headers.firstValue("FlexDP-Mechanism").orElse(""),
        headers.firstValue("FlexDP-Repeat").filter("true"::equals).isPresent());
  }

  private static BigDecimal number(JsonNode number) {
    return new BigDecimal(number.asText("0"));
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

  static String budget(JsonNode said) {
    StringBuilder text = new StringBuilder();
    for (JsonNode account : said.path("accounts")) {
      JsonNode epsilon = account.path("epsilon");
      text.append(
          String.format(
              Locale.ROOT,
              "  %-20s epsilon %s spent%s%n",
              account.path("account").asText(),
              epsilon.path("spent").asText("0"),
              epsilon.has("budget") ? " of " + epsilon.path("budget").asText() : ", no limit"));
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
