package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.ask.Explanation;
import flexdp.question.Question;
import java.util.Locale;

/** What an analyst may know before asking. */
final class ExplanationJson {
  private ExplanationJson() {}

  static ObjectNode of(Explanation e) {
    ObjectNode root = Json.object().put("status", "accepted");
    ArrayNode columns = root.putArray("columns");
    for (Question.ResultColumn column : e.columns()) {
      ObjectNode node = columns.addObject();
      node.put("name", column.column().name());
      node.put("kind", column.kind().name().toLowerCase(Locale.ROOT));
      if (column.kind() == Question.ResultColumn.Kind.AGGREGATE) {
        node.put("aggregate", column.aggregate());
      }
      node.put("type", column.column().type().toString());
    }
    root.put("labels", e.labels());
    ArrayNode tables = root.putArray("charged");
    e.tables().forEach(tables::add);
    if (!e.parts().isEmpty()) {
      ObjectNode parts = root.putObject("parts");
      e.parts().forEach((table, some) -> some.names().forEach(parts.withArray(table)::add));
    }
    root.putObject("cost")
        .put("epsilon", Json.plain(e.epsilon()))
        .put("delta", Json.plain(e.delta()));
    for (Explanation.ToFind range : e.ranges()) {
      ObjectNode node = root.withArray("ranges").addObject().put("of", range.of());
      node.put("finding", Json.plain(range.finding()));
      node.put("counting", Json.plain(range.counting())).put("words", range.words());
    }
    ArrayNode noise = root.putArray("noise");
    for (Explanation.Aggregate one : e.noise()) {
      ObjectNode node = noise.addObject();
      node.put("column", one.column().orElse(null));
      node.put("aggregate", one.aggregate()).put("part", one.part());
      node.put("formula", one.formula()).put("mechanism", one.mechanism().orElse(null));
      node.put("epsilon", Json.plain(one.epsilon()));
      one.error().ifPresent(error -> node.put("error", error));
    }
    ArrayNode errors = root.putArray("errors");
    for (Explanation.ColumnError one : e.errors()) {
      ObjectNode node = errors.addObject().put("column", one.column());
      one.error().ifPresent(error -> node.put("error", error));
      node.put("words", one.words());
      one.foretold().ifPresent(some -> foretold(node.putObject("foretold"), some));
    }
    if (!e.warnings().isEmpty()) {
      e.warnings().forEach(root.putArray("warnings")::add);
    }
    ArrayNode rules = root.putArray("rules");
    e.operators().forEach(rules::add);
    if (!e.hint().isEmpty()) {
      root.put("hint", e.hint());
    }
    return root;
  }

  private static void foretold(ObjectNode node, Explanation.Foretold some) {
    if (some.share().isPresent()) {
      node.put("noise", Json.plain(some.noise())).put("value", Json.plain(some.value()));
      node.put("share", Json.plain(some.share().get()));
    }
    if (some.cut().signum() > 0) {
      node.put("cut", Json.plain(some.cut()));
    }
    node.put("cells", some.cells());
    node.put("isNoise", !some.warning().isEmpty());
  }
}
