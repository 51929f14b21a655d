package flexdp.gateway.cache;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.algebra.Column;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Noisy rows as text and back, columns by their canonical names: another spelling of the question
 * has other ids and another order.
 */
final class RowsText {
  private static final ObjectMapper JSON = new ObjectMapper();

  private RowsText() {}

  /**
   * @throws IllegalArgumentException for a value of a class that noisy rows do not have
   */
  static void write(ObjectNode body, RowTable rows, Map<Integer, String> names) {
    ArrayNode columns = body.putArray("columns");
    rows.columns().forEach(c -> columns.add(names.get(c.id())));
    ArrayNode all = body.putArray("rows");
    for (List<Object> row : rows.rows()) {
      ArrayNode values = all.addArray();
      row.forEach(value -> values.add(text(value)));
    }
  }

  /**
   * @throws IllegalArgumentException when the text does not hold these columns
   */
  static RowTable read(JsonNode body, List<Column> columns, Map<Integer, String> names) {
    List<Integer> places = new ArrayList<>();
    for (Column column : columns) {
      places.add(place(body.path("columns"), names.get(column.id())));
    }
    List<List<Object>> rows = new ArrayList<>();
    for (JsonNode row : body.path("rows")) {
      List<Object> values = new ArrayList<>();
      places.forEach(p -> values.add(row.path(p).isNull() ? null : value(row.path(p).asText())));
      rows.add(values);
    }
    return new RowTable(columns, rows);
  }

  /** The rows as they were written, columns in their own order. */
  static List<List<Object>> rows(JsonNode body) {
    List<List<Object>> rows = new ArrayList<>();
    for (JsonNode row : body.path("rows")) {
      List<Object> values = new ArrayList<>();
      row.forEach(v -> values.add(v.isNull() ? null : value(v.asText())));
      rows.add(values);
    }
    return rows;
  }

  private static int place(JsonNode columns, String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).asText().equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("a column is missing");
  }

  static ObjectNode parse(String text) {
    try {
      if (JSON.readTree(text) instanceof ObjectNode node) {
        return node;
      }
      throw new IllegalArgumentException("no JSON object");
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("no JSON", e);
    }
  }

  static ObjectNode empty() {
    return JSON.createObjectNode();
  }

  /** A letter for the class, then the value; decimals keep their scale. */
  static String text(Object value) {
    return switch (value) {
      case null -> null;
      case Boolean b -> "b" + b;
      case BigDecimal d -> "n" + d;
      case Double d -> "f" + Double.toHexString(d);
      case Long l -> "l" + l;
      case String s -> "s" + s;
      case LocalDate d -> "d" + d;
      case LocalTime t -> "t" + t;
      case LocalDateTime t -> "m" + t;
      case UUID u -> "u" + u;
      default -> throw new IllegalArgumentException("a value of " + value.getClass());
    };
  }

  static Object value(String text) {
    String rest = text.substring(1);
    return switch (text.charAt(0)) {
      case 'b' -> Boolean.valueOf(rest);
      case 'n' -> new BigDecimal(rest);
      case 'f' -> Double.valueOf(rest);
      case 'l' -> Long.valueOf(rest);
      case 's' -> rest;
      case 'd' -> LocalDate.parse(rest);
      case 't' -> LocalTime.parse(rest);
      case 'm' -> LocalDateTime.parse(rest);
      case 'u' -> UUID.fromString(rest);
      default -> throw new IllegalArgumentException("a value of an unknown class");
    };
  }
}
