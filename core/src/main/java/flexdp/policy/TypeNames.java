package flexdp.policy;

import flexdp.tree.Nearest;
import flexdp.tree.Node;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The names by which a policy may call a type. */
final class TypeNames {
  private static final Pattern SHAPE =
      Pattern.compile(
          "([a-z][a-z0-9 ]*?)\\s*(?:\\(\\s*(\\d{1,9})\\s*(?:,\\s*(\\d{1,9})\\s*)?\\))?");
  private static final int WIDEST = 38;

  /** The scale of a decimal that is declared without one. */
  private static final int USUAL_SCALE = 10;

  private static final Map<String, Type> PLAIN =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("boolean", Type.BOOLEAN),
              Map.entry("bool", Type.BOOLEAN),
              Map.entry("tinyint", Type.SMALLINT),
              Map.entry("smallint", Type.SMALLINT),
              Map.entry("int", Type.INTEGER),
              Map.entry("integer", Type.INTEGER),
              Map.entry("bigint", Type.BIGINT),
              Map.entry("double", Type.DOUBLE),
              Map.entry("double precision", Type.DOUBLE),
              Map.entry("float", Type.DOUBLE),
              Map.entry("real", Type.DOUBLE),
              Map.entry("varchar", Type.VARCHAR),
              Map.entry("character varying", Type.VARCHAR),
              Map.entry("text", Type.VARCHAR),
              Map.entry("char", Type.VARCHAR),
              Map.entry("character", Type.VARCHAR),
              Map.entry("string", Type.VARCHAR),
              Map.entry("date", Type.DATE),
              Map.entry("time", Type.TIME),
              Map.entry("timestamp", Type.TIMESTAMP),
              Map.entry("datetime", Type.TIMESTAMP),
              Map.entry("uuid", Type.UUID),
              Map.entry("opaque", Type.OPAQUE)));

  private TypeNames() {}

  static Type read(Node node) {
    String text = node.text();
    Matcher shape = SHAPE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (text.length() > 100 || !shape.matches()) {
      throw unknown(node, text);
    }
    String name = shape.group(1);
    if (name.equals("decimal") || name.equals("numeric")) {
      return decimal(node, shape.group(2), shape.group(3));
    }
    Type type = PLAIN.get(name);
    if (type == null) {
      throw unknown(node, name);
    }
    boolean takesLength = type.kind() == Type.Kind.VARCHAR || type.kind() == Type.Kind.TIMESTAMP;
    if (shape.group(3) != null || shape.group(2) != null && !takesLength) {
      throw node.error("the type " + name + " takes no numbers in parentheses");
    }
    return type;
  }

  private static Type decimal(Node node, String precision, String scale) {
    if (precision == null) {
      return Type.decimal(WIDEST, USUAL_SCALE);
    }
    int digits = Integer.parseInt(precision);
    int fraction = scale == null ? 0 : Integer.parseInt(scale);
    if (digits < 1 || digits > WIDEST || fraction > digits) {
      throw node.error(
          "decimal(precision, scale) takes 1 <= precision <= 38 and scale <= precision");
    }
    return Type.decimal(digits, fraction);
  }

  private static RuntimeException unknown(Node node, String name) {
    String shown = name.length() <= 40 ? name : name.substring(0, 37) + "...";
    return node.error(
        "unknown type '"
            + shown
            + "'."
            + Nearest.question(name, PLAIN.keySet())
            + " Known: decimal(p,s), numeric(p,s), "
            + PLAIN.keySet().stream().collect(Collectors.joining(", "))
            + " (opaque: counted and grouped, nothing else)");
  }
}
