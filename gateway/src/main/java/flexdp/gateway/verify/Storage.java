package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * In which types of the embedded database columns are stored: those that the policy says, or others
 * that are read as them.
 */
final class Storage {
  private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

  private final Subject subject;
  private final Map<String, String> others = new LinkedHashMap<>();

  private Storage(Subject subject) {
    this.subject = subject;
  }

  static Storage asDeclared(Subject subject) {
    return new Storage(subject);
  }

  /**
   * Other types wherever there are some. Columns that name rows or people stay as they are:
   * conversions must not make them equal.
   */
  static Storage otherwise(Subject subject) {
    Storage storage = new Storage(subject);
    Set<String> naming = subject.naming();
    for (Table table : subject.policy().tables().values()) {
      for (ColumnSpec column : table.columns()) {
        String name = name(table, column);
        if (column.nullable() && subject.reads(table, column) && !naming.contains(name)) {
          other(column.type()).ifPresent(type -> storage.others.put(name, type));
        }
      }
    }
    return storage;
  }

  private static Optional<String> other(Type type) {
    return switch (type.kind()) {
      case SMALLINT -> Optional.of("UTINYINT");
      case DECIMAL ->
          Optional.of("HUGEINT").filter(h -> type.scale() == 0 && type.precision() == 38);
      case DOUBLE -> Optional.of("FLOAT");
      case TIMESTAMP -> Optional.of(ZONED);
      case BOOLEAN,
          INTEGER,
          BIGINT,
          VARCHAR,
          DATE,
          TIME,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          Optional.empty();
    };
  }

  private static String name(Table table, ColumnSpec column) {
    return table.name() + "." + column.name();
  }

  Subject subject() {
    return subject;
  }

  boolean isAsDeclared() {
    return others.isEmpty();
  }

  /** The type of a column in CREATE TABLE. */
  String typeName(Table table, ColumnSpec column) {
    return others.getOrDefault(name(table, column), SqlValues.typeName(column.type()));
  }

  /** A value as it is stored; NULL when the other type does not have it. */
  String value(Table table, ColumnSpec column, String value) {
    String type = others.get(name(table, column));
    if (type == null) {
      return value;
    }
    String converted = "TRY(CAST(" + value + " AS " + type + "))";
    // The last moments are of no zone but this one.
    String zoned = "TRY(CAST(CAST(" + value + " AS VARCHAR) || '+00' AS " + type + "))";
    return type.equals(ZONED) ? "COALESCE(" + zoned + ", " + converted + ")" : converted;
  }

  /** What is stored otherwise than the policy says, in words. */
  List<String> words() {
    return others.entrySet().stream()
        .map(e -> e.getKey() + " is stored as " + e.getValue())
        .toList();
  }
}
