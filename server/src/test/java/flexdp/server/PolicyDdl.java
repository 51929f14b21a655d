package flexdp.server;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The policy's tables as statements for a real PostgreSQL. */
final class PolicyDdl {
  private PolicyDdl() {}

  static List<String> of(Policy policy) {
    List<String> statements = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      List<String> parts = new ArrayList<>();
      for (ColumnSpec column : table.columns()) {
        parts.add(
            column.name() + " " + type(column.type()) + (column.nullable() ? "" : " NOT NULL"));
      }
      boolean primary = false;
      for (Set<String> key : table.uniqueKeys()) {
        List<String> columns =
            table.columns().stream().map(ColumnSpec::name).filter(key::contains).toList();
        boolean whole = columns.stream().noneMatch(c -> table.column(c).orElseThrow().nullable());
        boolean first = whole && !primary;
        primary |= first;
        parts.add((first ? "PRIMARY KEY (" : "UNIQUE (") + String.join(", ", columns) + ")");
      }
      statements.add("CREATE TABLE " + table.name() + " (" + String.join(", ", parts) + ")");
    }
    for (Table table : policy.tables().values()) {
      for (ColumnSpec column : table.columns()) {
        column
            .references()
            .ifPresent(
                r ->
                    statements.add(
                        "ALTER TABLE "
                            + table.name()
                            + " ADD FOREIGN KEY ("
                            + column.name()
                            + ") REFERENCES "
                            + r.table()
                            + " ("
                            + r.column()
                            + ") NOT VALID"));
      }
    }
    return statements;
  }

  private static String type(Type type) {
    return switch (type.kind()) {
      case DECIMAL -> "numeric(" + type.precision() + "," + type.scale() + ")";
      case DOUBLE -> "double precision";
      case OPAQUE -> "text";
      case BOOLEAN, SMALLINT, INTEGER, BIGINT, VARCHAR, DATE, TIME, TIMESTAMP, UUID ->
          type.toString();
      case INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> throw new IllegalArgumentException();
    };
  }
}
