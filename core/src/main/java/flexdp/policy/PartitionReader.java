package flexdp.policy;

import flexdp.failure.ConfigurationError;
import flexdp.tree.Nearest;
import flexdp.tree.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code partition: {by: requested_at, each: month}} of a table. */
final class PartitionReader {
  private static final Set<String> KEYS = Set.of("by", "each");

  private PartitionReader() {}

  static Partition read(Node node, boolean isPublic, Map<String, ColumnSpec> columns) {
    Map<String, Node> fields = node.fields(KEYS);
    Node by = node.required(fields, "by");
    if (isPublic) {
      throw node.error(
          "a public table has no account that could have parts", "Leave the partition out.");
    }
    ColumnSpec column = columns.get(by.text());
    if (column == null) {
      throw by.error(
          "the table has no column '"
              + by.text()
              + "'."
              + Nearest.question(by.text(), columns.keySet()));
    }
    if (column.individual()) {
      throw by.error(
          "names individuals, which questions may not compare with constants, so that every"
              + " question would read all parts",
          "Partition by a column that questions name, such as a date.");
    }
    Optional<Partition.Each> each =
        Node.optional(fields, "each").map(PartitionReader::each).or(() -> days(column));
    if (each.isPresent() && !column.type().isDateTime()) {
      throw by.error(
          "has type " + column.type() + ", and each is for dates and timestamps",
          "Leave each out: every value of the column is a part then.");
    }
    if (each.isEmpty() && !Partition.isListed(column.type())) {
      throw by.error(
          "has type " + column.type() + ", whose values cannot be parts",
          column.type().isDateTime()
              ? "Say how long a part is: each: month."
              : "Partition by a date, a timestamp, a whole number, a text or a truth value.");
    }
    return new Partition(column.name(), column.type(), each);
  }

  private static Partition.Each each(Node node) {
    List<String> words = Arrays.stream(Partition.Each.values()).map(Partition.Each::word).toList();
    return Partition.Each.values()[node.word(words)];
  }

  /** A date is a day. */
  private static Optional<Partition.Each> days(ColumnSpec column) {
    return column.type().kind() == Type.Kind.DATE
        ? Optional.of(Partition.Each.DAY)
        : Optional.empty();
  }

  /** Under replace-one a row may move from one part to another, and both losses would be hers. */
  static void require(Neighbors neighbors, Table table) {
    if (table.partition().isPresent() && neighbors == Neighbors.REPLACE_ONE) {
      throw ConfigurationError.of(
          ConfigurationError.Code.PARTITION_NEIGHBORS,
          "tables."
              + table.name()
              + ".partition: under replace-one a row may move from one part to another, so that"
              + " what both have spent would be lost on it.",
          "Leave the partition out, or write neighbors: add-remove-one.");
    }
  }
}
