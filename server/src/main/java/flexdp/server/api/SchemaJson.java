package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.collect.RangeEnd;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Unit;
import flexdp.sql.function.Catalogue;
import java.util.List;
import java.util.Set;

/** What may be asked: the policy, of which nothing is secret, as the console shows it. */
final class SchemaJson {
  private static final int MOST_LABELS = 1_000;
  private static final List<String> AGGREGATES =
      List.of("count", "sum", "avg", "min", "max", "median", "stddev", "variance");

  private SchemaJson() {}

  static ObjectNode of(String database, Policy policy, List<Suggestion> suggestions) {
    ObjectNode root = Json.object().put("database", database);
    root.put("neighbors", policy.privacy().neighbors().word());
    ObjectNode defaults = root.putObject("defaults");
    defaults.put("epsilon", policy.privacy().epsilon().map(Json::plain).orElse(null));
    defaults.put("delta", policy.privacy().delta().map(Json::plain).orElse(null));
    root.put("maxLabels", policy.privacy().maxLabels());
    ArrayNode tables = root.putArray("tables");
    policy.tables().values().forEach(table -> table(tables.addObject(), table));
    ArrayNode functions = root.putArray("functions");
    AGGREGATES.forEach(functions::add);
    Catalogue.names().forEach(functions::add);
    ArrayNode examples = root.putArray("examples");
    suggestions.forEach(s -> examples.addObject().put("title", s.title()).put("sql", s.sql()));
    return root;
  }

  private static void table(ObjectNode node, Table table) {
    node.put("name", table.name()).put("protected", table.isProtected());
    List<String> people =
        table.units().stream().filter(Unit.Person.class::isInstance).map(Unit::name).toList();
    node.put("unit", table.isPublic() ? "none" : people.isEmpty() ? "row" : "people");
    ArrayNode kinds = node.putArray("people");
    people.forEach(kinds::add);
    ArrayNode columns = node.putArray("columns");
    for (ColumnSpec column : table.columns()) {
      column(columns.addObject(), table, column);
    }
    ArrayNode unique = node.putArray("unique");
    table.uniqueKeys().stream()
        .filter(key -> key.size() > 1)
        .forEach(key -> key.stream().sorted().forEach(unique.addArray()::add));
  }

  private static void column(ObjectNode node, Table table, ColumnSpec column) {
    node.put("name", column.name()).put("type", column.type().toString());
    node.put("nullable", column.nullable());
    node.put("unique", table.uniqueKeys().contains(Set.of(column.name())));
    node.put("individual", column.individual());
    node.put("references", column.references().map(r -> r.table() + "." + r.column()).orElse(null));
    if (column.range().isPresent()) {
      node.putArray("range")
          .add(Json.value(RangeEnd.of(column.range().get().low(), column.type())))
          .add(Json.value(RangeEnd.of(column.range().get().high(), column.type())));
    } else {
      node.putNull("range");
    }
    if (column.domain().isPresent()) {
      List<Object> domain = column.domain().get();
      ArrayNode labels = node.putArray("labels");
      domain.stream().limit(MOST_LABELS).map(Json::value).forEach(labels::add);
      node.put("moreLabels", domain.size() > MOST_LABELS);
    } else {
      node.putNull("labels");
      node.put("moreLabels", false);
    }
  }
}
