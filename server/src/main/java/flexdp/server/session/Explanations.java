package flexdp.server.session;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.Spent;
import flexdp.server.types.PgType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What EXPLAIN shows of a question: what an analyst may know before asking. */
final class Explanations {
  private static final JsonNodeFactory JSON = JsonNodeFactory.withExactBigDecimals(true);

  private Explanations() {}

  static List<WireColumn> columns(boolean json) {
    return List.of(WireColumn.of("QUERY PLAN", json ? PgType.JSON : PgType.TEXT));
  }

  static Completion of(Explanation explanation, boolean json) {
    List<String> lines = json ? List.of(json(explanation).toPrettyString()) : text(explanation);
    return outcome(lines, json);
  }

  /** The catalogue is free and holds no data. */
  static Completion catalogue(boolean json) {
    String line = json ? "[{\"status\": \"accepted\", \"charged\": []}]" : "catalogue; free";
    return outcome(List.of(line), json);
  }

  private static Completion outcome(List<String> lines, boolean json) {
    List<List<Object>> rows = new ArrayList<>();
    lines.forEach(line -> rows.add(List.of(line)));
    return Completion.rows(columns(json), rows, "EXPLAIN");
  }

  private static List<String> text(Explanation e) {
    List<String> lines = new ArrayList<>();
    lines.add("accepted");
    lines.add(
        "  columns: "
            + e.columns().stream()
                .map(c -> c.column().name() + " (" + c.kind().name().toLowerCase(Locale.ROOT) + ")")
                .collect(Collectors.joining(", ")));
    lines.add("  labels: " + e.labels());
    lines.add(
        "  charged: "
            + (e.tables().isEmpty() ? "nothing; only public tables are read" : e.charged()));
    lines.add("  cost: epsilon " + Spent.plain(e.epsilon()) + ", delta " + Spent.plain(e.delta()));
    e.ranges().forEach(range -> lines.add("  range: " + range.words()));
    for (Explanation.Aggregate noise : e.noise()) {
      lines.add("  " + noise.aggregate() + ", " + noise.part());
      lines.add("    sensitivity: " + noise.formula());
      lines.add("    mechanism: " + noise.mechanism().orElse("none usable yet"));
    }
    e.errors().forEach(x -> lines.add("  95 % error of " + x.column() + ": " + x.words()));
    e.warnings().forEach(warning -> lines.add("warning: " + warning));
    e.operators().forEach(line -> lines.add("  " + line));
    if (!e.hint().isEmpty()) {
      lines.add("hint: " + e.hint());
    }
    return lines;
  }

  private static ArrayNode json(Explanation e) {
    ArrayNode all = JSON.arrayNode();
    ObjectNode root = all.addObject().put("status", "accepted");
    ArrayNode columns = root.putArray("columns");
    e.columns()
        .forEach(
            c ->
                columns
                    .addObject()
                    .put("name", c.column().name())
                    .put("kind", c.kind().name().toLowerCase(Locale.ROOT)));
    root.put("labels", e.labels());
    ArrayNode tables = root.putArray("charged");
    e.tables().forEach(tables::add);
    if (!e.parts().isEmpty()) {
      ObjectNode parts = root.putObject("parts");
      e.parts().forEach((table, some) -> some.names().forEach(parts.withArray(table)::add));
    }
    root.putObject("cost").put("epsilon", e.epsilon()).put("delta", e.delta());
    for (Explanation.ToFind range : e.ranges()) {
      ObjectNode node = root.withArray("ranges").addObject().put("of", range.of());
      node.put("finding", range.finding()).put("counting", range.counting());
      node.put("words", range.words());
    }
    ArrayNode noise = root.putArray("noise");
    for (Explanation.Aggregate one : e.noise()) {
      ObjectNode node = noise.addObject();
      one.column().ifPresent(c -> node.put("column", c));
      node.put("aggregate", one.aggregate()).put("part", one.part());
      node.put("formula", one.formula()).put("mechanism", one.mechanism().orElse(null));
      node.put("epsilon", one.epsilon());
    }
    ArrayNode errors = root.putArray("errors");
    for (Explanation.ColumnError one : e.errors()) {
      ObjectNode node = errors.addObject().put("column", one.column()).put("words", one.words());
      one.error().ifPresent(x -> node.put("error", x));
      one.foretold()
          .ifPresent(
              f -> {
                ObjectNode foretold = node.putObject("foretold").put("cells", f.cells());
                f.share()
                    .ifPresent(
                        share ->
                            foretold
                                .put("noise", f.noise())
                                .put("value", f.value())
                                .put("share", share));
              });
    }
    if (!e.warnings().isEmpty()) {
      e.warnings().forEach(root.putArray("warnings")::add);
    }
    ArrayNode rules = root.putArray("rules");
    e.operators().forEach(rules::add);
    if (!e.hint().isEmpty()) {
      root.put("hint", e.hint());
    }
    return all;
  }
}
