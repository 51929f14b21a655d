package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Watches as people read them. */
final class WatchText {
  private static final int SHOWN = 5;
  private static final String BIASED =
      "A gap is more often too large than too small: it is shown because it is large.\n";

  private WatchText() {}

  static String table(JsonNode watches) {
    StringBuilder text = new StringBuilder();
    boolean gaps = false;
    for (JsonNode watch : watches.path("watches")) {
      text.append(watch.path("name").asText()).append(": ").append(watch.path("state").asText());
      if (watch.has("above")) {
        text.append(", above ").append(watch.path("above").asText());
        text.append(" every ").append(watch.path("every").asText());
        text.append(", ")
            .append(watch.path("hits").asInt() == 1 ? "1 hit" : watch.path("hits") + " hits");
      }
      text.append(", epsilon ").append(watch.path("spent").path("epsilon").asText()).append('\n');
      text.append("  ").append(watch.path("sql").asText().replaceAll("\\s+", " ")).append('\n');
      JsonNode turns = watch.path("turns");
      int from = Math.max(0, turns.size() - SHOWN);
      if (from > 0) {
        text.append("  … ").append(from).append(" turns before\n");
      }
      for (int i = from; i < turns.size(); i++) {
        JsonNode turn = turns.get(i);
        text.append(
            String.format(
                Locale.ROOT,
                "  %-16s  %s",
                turn.path("from").asText().replace('T', ' '),
                turn.path("verdict").asText()));
        if (turn.has("gap")) {
          gaps = true;
          text.append(", about ").append(turn.path("gap").asText()).append(" above");
        }
        text.append('\n');
      }
      if (watch.has("note")) {
        text.append("  ").append(watch.path("note").asText()).append('\n');
      }
    }
    return text.isEmpty() ? "no watches\n" : text + (gaps ? BIASED : "");
  }

  /** Which statements were above, one a line. */
  static String above(JsonNode found) {
    StringBuilder text = new StringBuilder();
    boolean gaps = false;
    for (JsonNode line : found.path("answers")) {
      JsonNode above = line.path("above");
      text.append(line.path("statement").asInt()).append(": ");
      text.append(above.isNull() ? "not looked at" : above.asBoolean() ? "above" : "not above");
      if (line.has("gap")) {
        gaps = true;
        text.append(", by about ").append(line.path("gap").asText());
      }
      text.append('\n');
    }
    text.append("spent on all: epsilon ").append(found.path("spent").path("epsilon").asText());
    text.append('\n').append(gaps ? BIASED : "");
    return found.has("note") ? text + found.path("note").asText() + "\n" : text.toString();
  }
}
