package flexdp.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The key that names a row which nobody owns, where each such row is a person of its own: declared,
 * never NULL, and of values that can be written one after the other so that different keys are
 * written differently. Texts hold anything, so one of them comes last and no other.
 */
public final class RowKey {
  private RowKey() {}

  /** The columns in the order in which they are written; the shortest key that there is. */
  public static Optional<List<ColumnSpec>> of(Table table) {
    return table.uniqueKeys().stream()
        .map(key -> columns(table, key))
        .flatMap(Optional::stream)
        .min(Comparator.<List<ColumnSpec>>comparingInt(List::size).thenComparing(List::toString));
  }

  private static Optional<List<ColumnSpec>> columns(Table table, Set<String> key) {
    List<ColumnSpec> columns = new ArrayList<>();
    for (String name : key) {
      Optional<ColumnSpec> column = table.column(name).filter(c -> !c.nullable());
      if (column.isEmpty() || !isWritten(column.get().type())) {
        return Optional.empty();
      }
      columns.add(column.get());
    }
    if (columns.stream().filter(RowKey::isText).count() > 1) {
      return Optional.empty();
    }
    columns.sort(Comparator.comparing(RowKey::isText).thenComparing(ColumnSpec::name));
    return Optional.of(columns);
  }

  private static boolean isText(ColumnSpec column) {
    return column.type().kind() == Type.Kind.VARCHAR;
  }

  private static boolean isWritten(Type type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> true;
      case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> false;
    };
  }
}
