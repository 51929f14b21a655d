package flexdp.gateway.ledger.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.gateway.catalog.TableIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which tables words are, as a JSON array: {@code [{"word":…, "table":…, "mark":…, "parts":
 * [{"table":…, "mark":…}], "with":[…]}]}.
 */
final class IdentityText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private IdentityText() {}

  static String write(SortedMap<String, TableIdentity> tables) {
    return write(tables, new TreeMap<>());
  }

  static String write(
      SortedMap<String, TableIdentity> tables, SortedMap<String, List<String>> merged) {
    ArrayNode all = JSON.createArrayNode();
    tables.forEach(
        (word, table) -> {
          ObjectNode one = all.addObject();
          one.put("word", word);
          write(one, table);
          if (!table.parts().isEmpty()) {
            ArrayNode parts = one.putArray("parts");
            table.parts().forEach(part -> write(parts.addObject(), part));
          }
          if (merged.containsKey(word)) {
            ArrayNode with = one.putArray("with");
            merged.get(word).forEach(with::add);
          }
        });
    return all.toString();
  }

  private static void write(ObjectNode one, TableIdentity table) {
    one.put("table", table.name());
    if (!table.mark().isEmpty()) {
      one.put("mark", table.mark());
    }
  }

  static SortedMap<String, TableIdentity> tables(String text) {
    SortedMap<String, TableIdentity> tables = new TreeMap<>();
    for (JsonNode one : array(text)) {
      List<TableIdentity> parts = new ArrayList<>();
      one.path("parts").forEach(part -> parts.add(table(part)));
      tables.put(text(one, "word"), table(one).reading(parts));
    }
    return tables;
  }

  private static TableIdentity table(JsonNode one) {
    return new TableIdentity(text(one, "table"), one.path("mark").asText(""));
  }

  static SortedMap<String, List<String>> merged(String text) {
    SortedMap<String, List<String>> merged = new TreeMap<>();
    for (JsonNode one : array(text)) {
      if (one.has("with")) {
        List<String> with = new ArrayList<>();
        one.get("with").forEach(account -> with.add(account.asText()));
        merged.put(text(one, "word"), with);
      }
    }
    return merged;
  }

  private static JsonNode array(String text) {
    try {
      JsonNode all = JSON.readTree(text);
      if (all == null || !all.isArray()) {
        throw new IllegalArgumentException("no list of tables");
      }
      return all;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no list of tables", e);
    }
  }

  private static String text(JsonNode of, String name) {
    JsonNode value = of.get(name);
    if (value == null || !value.isTextual()) {
      throw new IllegalArgumentException("a table without " + name);
    }
    return value.asText();
  }
}
