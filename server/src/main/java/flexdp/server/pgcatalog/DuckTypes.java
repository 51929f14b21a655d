package flexdp.server.pgcatalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** PostgreSQL's types as the catalogue's database has them, and arrays from one to the other. */
final class DuckTypes {
  private DuckTypes() {}

  /** The type for a PostgreSQL type of that name; text for those that DuckDB knows nothing like. */
  static String of(String type) {
    if (type.endsWith("[]")) {
      return of(type.substring(0, type.length() - 2)) + "[]";
    }
    return switch (type) {
      case "boolean", "bool" -> "BOOLEAN";
      case "smallint", "int2" -> "SMALLINT";
      case "integer", "int4", "int", "cardinal_number" -> "INTEGER";
      case "bigint", "int8" -> "BIGINT";
      case "oid", "xid", "cid", "regtype", "regclass" -> "UINTEGER";
      case "regproc" -> "UBIGINT";
      case "real", "float4" -> "FLOAT";
      case "double precision", "float8", "float" -> "DOUBLE";
      case "numeric", "decimal" -> "DECIMAL(38,10)";
      case "date" -> "DATE";
      case "time", "time without time zone" -> "TIME";
      case "timestamp", "timestamp without time zone" -> "TIMESTAMP";
      case "timestamp with time zone", "timestamptz", "time_stamp" -> "TIMESTAMP";
      case "interval" -> "INTERVAL";
      case "uuid" -> "UUID";
      case "int2vector" -> "HUGEINT[]";
      case "oidvector" -> "UHUGEINT[]";
      default -> "VARCHAR";
    };
  }

  /** An array or vector as a list that DuckDB reads from text. */
  static String list(String text, String type) {
    if (type.endsWith("vector")) {
      return "[" + text.strip().replace(' ', ',') + "]";
    }
    StringBuilder list = new StringBuilder("[");
    for (Optional<String> element : elements(text)) {
      list.append(list.length() > 1 ? ", " : "");
      list.append(
          element
              .map(e -> '"' + e.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
              .orElse("NULL"));
    }
    return list.append(']').toString();
  }

  /** The elements of an array of one dimension, such as {a,"b c",NULL}. */
  static List<Optional<String>> elements(String text) {
    List<Optional<String>> elements = new ArrayList<>();
    StringBuilder element = new StringBuilder();
    boolean quoted = false;
    boolean wasQuoted = false;
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted && c == '\\' && i + 1 < text.length()) {
        element.append(text.charAt(++i));
      } else if (c == '"') {
        quoted = !quoted;
        wasQuoted = true;
      } else if (!quoted && (c == ',' || c == '}')) {
        if (!element.isEmpty() || wasQuoted) {
          boolean nothing = !wasQuoted && element.toString().equals("NULL");
          elements.add(nothing ? Optional.empty() : Optional.of(element.toString()));
        }
        element.setLength(0);
        wasQuoted = false;
      } else {
        element.append(c);
      }
    }
    return elements;
  }
}
