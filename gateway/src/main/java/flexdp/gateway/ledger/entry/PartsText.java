package flexdp.gateway.ledger.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.budget.ChargedParts;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Parts as text: a JSON map of tables, each a map of one partition to a list of parts. */
final class PartsText {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TypeReference<TreeMap<String, TreeMap<String, List<String>>>> PARTS =
      new TypeReference<>() {};

  private PartsText() {}

  static String write(Map<String, ChargedParts> parts) {
    SortedMap<String, Map<String, List<String>>> all = new TreeMap<>();
    parts.forEach((table, some) -> all.put(table, Map.of(some.by(), List.copyOf(some.names()))));
    try {
      return JSON.writeValueAsString(all);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Reads what {@link #write} writes; anything else is an IllegalArgumentException. */
  static Map<String, ChargedParts> read(String text) {
    SortedMap<String, ChargedParts> parts = new TreeMap<>();
    try {
      JSON.readValue(text, PARTS)
          .forEach(
              (table, some) -> {
                if (some.size() != 1) {
                  throw new IllegalArgumentException("parts of several partitions");
                }
                some.forEach(
                    (by, names) -> parts.put(table, new ChargedParts(by, new TreeSet<>(names))));
              });
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no parts", e);
    }
    return parts;
  }
}
