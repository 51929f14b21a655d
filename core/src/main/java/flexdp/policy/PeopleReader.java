package flexdp.policy;

import flexdp.policy.OwnersReader.OwnerPathReader;
import flexdp.tree.Nearest;
import flexdp.tree.Node;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the kinds of people that a policy protects. */
final class PeopleReader {
  private static final Set<String> KIND_KEYS = Set.of("key", "nobody", "perPersonAtMost");

  private final Map<String, Table> tables;
  private final Map<String, Node> owners;

  private PeopleReader(Map<String, Table> tables, Map<String, Node> owners) {
    this.tables = tables;
    this.owners = owners;
  }

  /**
   * The kinds by name.
   *
   * @param owners where tables say whose their rows are: people without a key are known by these
   */
  static Map<String, Kind> read(
      Node node, Map<String, Table> tables, Map<String, Node> owners, Neighbors neighbors) {
    PeopleReader reader = new PeopleReader(tables, owners);
    Map<String, Kind> kinds = new LinkedHashMap<>();
    node.entries().forEach((name, child) -> kinds.put(name, reader.kind(name, child)));
    if (kinds.isEmpty()) {
      throw node.error("names no kind of people", "Write {customer: {key: customer.id}}.");
    }
    TableReader.refuseNamesThatDifferInCase(node, kinds.keySet());
    if (neighbors != Neighbors.ADD_REMOVE_ONE) {
      throw node.error(
          "people are protected under add-remove-one only",
          "Leave privacy.neighbors out, or protect rows and leave people out.");
    }
    return kinds;
  }

  private Kind kind(String name, Node node) {
    Map<String, Node> fields = node.fields(KIND_KEYS);
    Optional<Node> key = Node.optional(fields, "key");
    return key.isPresent()
        ? keyed(name, key.get(), fields)
        : kind(name, Optional.empty(), named(name, node), fields);
  }

  /** Whoever has no table of their own is the value of the columns that name owners. */
  private Type named(String name, Node node) {
    Type type =
        new OwnerPathReader(tables)
            .named(name, owners)
            .orElseThrow(
                () ->
                    node.error(
                        "these people have no key, and no table says that they own its rows",
                        "Write owners: {" + name + ": COLUMN} in a table, or key: TABLE.COLUMN."));
    requireIdentity(node, type);
    return type;
  }

  private Kind keyed(String name, Node key, Map<String, Node> fields) {
    String text = key.text();
    int dot = text.lastIndexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw key.error("must be written table.column", "Write it as in customer.id.");
    }
    Table table = table(key, text.substring(0, dot));
    ColumnSpec column = column(key, table, text.substring(dot + 1));
    requireKey(key, table, column);
    requireIdentity(key, column.type());
    return kind(
        name, Optional.of(new Kind.Key(table.name(), column.name())), column.type(), fields);
  }

  private static Kind kind(
      String name, Optional<Kind.Key> key, Type type, Map<String, Node> fields) {
    return new Kind(
        name,
        key,
        type,
        Node.optional(fields, "nobody").map(n -> nobody(n, type)).orElse(List.of()),
        Node.optional(fields, "perPersonAtMost").map(PeopleReader::positive));
  }

  private Table table(Node node, String name) {
    return Optional.ofNullable(tables.get(name))
        .orElseThrow(
            () ->
                node.error(
                    "the policy has no table '"
                        + name
                        + "'."
                        + Nearest.question(name, tables.keySet())));
  }

  static ColumnSpec column(Node node, Table table, String name) {
    return table
        .column(name)
        .orElseThrow(
            () ->
                node.error(
                    "table '"
                        + table.name()
                        + "' has no column '"
                        + name
                        + "'."
                        + Nearest.question(
                            name, table.columns().stream().map(ColumnSpec::name).toList())));
  }

  /** A key that two rows share would give a row two owners, and one that is NULL none. */
  static void requireKey(Node node, Table table, ColumnSpec column) {
    if (!table.uniqueKeys().contains(Set.of(column.name())) || column.nullable()) {
      throw node.error(
          "'"
              + table.name()
              + "."
              + column.name()
              + "' is not declared unique and NOT NULL, so it does not tell whose rows are whose",
          "Declare it {unique: true, nullable: false} if that is so.");
    }
  }

  /** PolicyValues that are equal must be the same value, on every database. */
  private static void requireIdentity(Node node, Type type) {
    switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> {}
      case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL ->
          throw node.error(
              "a column of type " + type + " cannot name people",
              "Name them by a whole number, text, or a UUID.");
    }
  }

  private static List<Object> nobody(Node node, Type type) {
    List<Object> values = new ArrayList<>();
    for (Node entry : node.list()) {
      Object value = PolicyValues.label(entry, type);
      if (value == null) {
        throw entry.error("NULL never stands for a person", "Leave it out.");
      }
      if (values.contains(value)) {
        throw entry.error("the value is listed twice", "Leave one of them out.");
      }
      values.add(value);
    }
    return values;
  }

  static BigInteger positive(Node node) {
    BigInteger count = node.count();
    if (count.signum() == 0) {
      throw node.error("must be at least 1", "Leave it out if nothing is known.");
    }
    return count;
  }
}
