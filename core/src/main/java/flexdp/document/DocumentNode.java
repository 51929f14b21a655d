package flexdp.document;

import flexdp.failure.ConfigurationError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A place in a tree of maps, lists, text, numbers, booleans and nulls. It knows its path, so that
 * every complaint says where, and it takes nothing for granted: a field that is not known, a wrong
 * type or a number out of reach is an error.
 */
public final class DocumentNode {
  /** Digits and exponents beyond this serve only to exhaust memory. */
  private static final int REACH = 500;

  private final Object value;
  private final String path;
  private final ConfigurationError.Code code;

  private DocumentNode(Object value, String path, ConfigurationError.Code code) {
    this.value = value;
    this.path = path;
    this.code = code;
  }

  public static DocumentNode root(Object value, ConfigurationError.Code code) {
    return new DocumentNode(value, "", code);
  }

  public Object raw() {
    return value;
  }

  /** A complaint about this place. */
  public ConfigurationError error(String complaint) {
    return ConfigurationError.of(code, path.isEmpty() ? complaint : path + ": " + complaint);
  }

  /** A complaint about this place, and what to write instead. */
  public ConfigurationError error(String complaint, String hint) {
    return ConfigurationError.of(
        code, path.isEmpty() ? complaint : path + ": " + complaint + ".", hint);
  }

  /** The fields of a map that may hold these fields and no others. */
  public Map<String, DocumentNode> fields(Set<String> known) {
    Map<String, DocumentNode> fields = entries();
    for (String name : fields.keySet()) {
      if (!known.contains(name)) {
        throw error(
            "unknown key '"
                + shortened(name)
                + "'."
                + NearestName.to(name, known)
                    .map(n -> " Did you mean '" + n + "'?")
                    .orElse(
                        " Known: " + known.stream().sorted().collect(Collectors.joining(", "))));
      }
    }
    return fields;
  }

  /** The entries of a map with names of the writer's choice. */
  public Map<String, DocumentNode> entries() {
    if (!(value instanceof Map<?, ?> map)) {
      throw error("must be a map of names to values, not " + described());
    }
    Map<String, DocumentNode> entries = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      // YAML reads 1: or null: as keys that are no text; names always are.
      if (!(entry.getKey() instanceof String name) || name.isBlank()) {
        throw error("the key " + shortened(String.valueOf(entry.getKey())) + " is not a name");
      }
      entries.put(name, child(name, entry.getValue()));
    }
    return entries;
  }

  public List<DocumentNode> list() {
    if (!(value instanceof List<?> list)) {
      throw error("must be a list, not " + described());
    }
    List<DocumentNode> nodes = new ArrayList<>(list.size());
    for (int i = 0; i < list.size(); i++) {
      nodes.add(new DocumentNode(list.get(i), path + "[" + i + "]", code));
    }
    return nodes;
  }

  public boolean isList() {
    return value instanceof List<?>;
  }

  public boolean isMap() {
    return value instanceof Map<?, ?>;
  }

  public boolean isNull() {
    return value == null;
  }

  public boolean isText() {
    return value instanceof String;
  }

  public String text() {
    if (value instanceof String text) {
      return text;
    }
    throw error("must be text, not " + described());
  }

  public boolean bool() {
    if (value instanceof Boolean bool) {
      return bool;
    }
    throw error("must be true or false, not " + described());
  }

  /** A finite number, exactly as written. */
  public BigDecimal decimal() {
    BigDecimal decimal =
        switch (value) {
          case BigDecimal d -> d;
          case BigInteger i -> new BigDecimal(i);
          case Long i -> BigDecimal.valueOf(i);
          case Integer i -> BigDecimal.valueOf(i);
          case Double d when Double.isFinite(d) -> BigDecimal.valueOf(d);
          case Double d -> throw error("must be a finite number, not " + d);
          case null, default -> throw error("must be a number, not " + described());
        };
    if (Math.abs((long) decimal.scale()) > REACH || decimal.precision() > REACH) {
      throw error("a number with that many digits is out of reach");
    }
    return decimal;
  }

  /** A whole number of any size. */
  public BigInteger integer() {
    BigDecimal decimal = decimal();
    if (decimal.stripTrailingZeros().scale() > 0) {
      throw error("must be a whole number, not " + decimal);
    }
    return decimal.toBigIntegerExact();
  }

  /** A whole number that counts something. */
  public BigInteger count() {
    BigInteger integer = integer();
    if (integer.signum() < 0) {
      throw error("must not be negative. Provided value: " + integer);
    }
    return integer;
  }

  /** A privacy parameter: more than zero. */
  public BigDecimal epsilon() {
    BigDecimal epsilon = decimal();
    if (epsilon.signum() <= 0) {
      throw error("epsilon must be > 0. Provided value: " + epsilon);
    }
    return epsilon;
  }

  /** A probability that must stay below one. */
  public BigDecimal delta() {
    BigDecimal delta = decimal();
    if (delta.signum() < 0 || delta.compareTo(BigDecimal.ONE) >= 0) {
      throw error("delta must be >= 0 and < 1. Provided value: " + delta);
    }
    return delta;
  }

  /** One of some words; the answer is its index. */
  public int word(List<String> words) {
    String text = text();
    int index = words.indexOf(text);
    if (index < 0) {
      throw error(
          "'"
              + shortened(text)
              + "' is none of "
              + String.join(", ", words)
              + "."
              + NearestName.question(text, words));
    }
    return index;
  }

  /** A non-empty list of different names. */
  public Set<String> names() {
    Set<String> names = new java.util.LinkedHashSet<>();
    for (DocumentNode entry : list()) {
      if (!names.add(entry.text())) {
        throw entry.error("'" + shortened(entry.text()) + "' is listed twice");
      }
    }
    if (names.isEmpty()) {
      throw error("must name at least one column");
    }
    return names;
  }

  /** A field that may be missing; an explicit null counts as missing nowhere. */
  public static Optional<DocumentNode> optional(Map<String, DocumentNode> fields, String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** A field that must be there. */
  public DocumentNode required(Map<String, DocumentNode> fields, String name) {
    DocumentNode node = fields.get(name);
    if (node == null) {
      throw error("the key '" + name + "' is missing");
    }
    return node;
  }

  private DocumentNode child(String name, Object child) {
    return new DocumentNode(
        child, path.isEmpty() ? shortened(name) : path + "." + shortened(name), code);
  }

  private String described() {
    return switch (value) {
      case null -> "null";
      case Map<?, ?> ignored -> "a map";
      case List<?> ignored -> "a list";
      case String text -> "the text '" + shortened(text) + "'";
      default -> shortened(value.toString());
    };
  }

  private static String shortened(String text) {
    return text.length() <= 60 ? text : text.substring(0, 57) + "...";
  }
}
