package flexdp.server.catalogue;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.server.types.PgType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The policy's tables as PostgreSQL would have them in its catalogue, empty. A table's first key
 * whose columns are never NULL is shown as its primary key, since tools look for one; references
 * are shown as foreign keys that nobody has validated. Nothing here comes from the data.
 */
final class PolicyRows {
  private static final int PUBLIC = 2200;

  private final Connection connection;
  private final Policy policy;
  private final Map<String, Integer> schemas = new TreeMap<>();
  private final Map<String, Integer> relations = new TreeMap<>();
  private int next = 16_386;

  PolicyRows(Connection connection, Policy policy) {
    this.connection = connection;
    this.policy = policy;
  }

  void insert() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String table : PolicySql.STAGING) {
        statement.execute(table);
      }
    }
    schemas.put("public", PUBLIC);
    for (Table table : policy.tables().values()) {
      stage(table);
    }
    for (Table table : policy.tables().values()) {
      keys(table);
      references(table);
    }
    try (Statement statement = connection.createStatement()) {
      for (String rows : PolicySql.ROWS) {
        statement.execute(rows);
      }
    }
  }

  private static String schema(Table table) {
    int dot = table.name().lastIndexOf('.');
    return dot < 0 ? "public" : table.name().substring(0, dot);
  }

  private static String bare(Table table) {
    return table.name().substring(table.name().lastIndexOf('.') + 1);
  }

  private void stage(Table table) throws SQLException {
    if (!schemas.containsKey(schema(table))) {
      schemas.put(schema(table), next++);
      row("fdx_schemas", schemas.get(schema(table)), schema(table));
    }
    int relation = next++;
    relations.put(table.name(), relation);
    row(
        "fdx_tables",
        relation,
        schemas.get(schema(table)),
        bare(table),
        next++,
        next++,
        table.columns().size());
    int number = 1;
    for (ColumnSpec column : table.columns()) {
      row(
          "fdx_columns",
          relation,
          number++,
          column.name(),
          typeName(column.type()),
          modifier(column.type()),
          !column.nullable());
    }
  }

  private static String typeName(Type type) {
    return PgType.of(type).word();
  }

  private static int modifier(Type type) {
    return type.kind() == Type.Kind.DECIMAL ? (type.precision() << 16 | type.scale()) + 4 : -1;
  }

  private void keys(Table table) throws SQLException {
    boolean primary = false;
    List<Set<String>> seen = new ArrayList<>();
    for (Set<String> key : table.uniqueKeys()) {
      if (seen.contains(key)) {
        continue;
      }
      seen.add(key);
      List<String> columns = ordered(table, key);
      boolean whole = columns.stream().noneMatch(c -> table.column(c).orElseThrow().nullable());
      boolean first = whole && !primary;
      primary |= first;
      String name = first ? bare(table) + "_pkey" : PgNames.key(bare(table), columns, "key");
      String listed = "(" + PgNames.quoted(columns) + ")";
      row(
          "fdx_keys",
          next++,
          next++,
          relations.get(table.name()),
          name,
          first ? "p" : "u",
          numbers(table, columns),
          (first ? "PRIMARY KEY " : "UNIQUE ") + listed,
          "CREATE UNIQUE INDEX "
              + PgNames.quoted(name)
              + " ON "
              + schema(table)
              + "."
              + PgNames.quoted(bare(table))
              + " USING btree "
              + listed);
    }
  }

  /** In the order of the table, as the sets of the policy have none. */
  private static List<String> ordered(Table table, Set<String> key) {
    return table.columns().stream().map(ColumnSpec::name).filter(key::contains).toList();
  }

  private static String numbers(Table table, List<String> columns) {
    List<String> names = table.columns().stream().map(ColumnSpec::name).toList();
    return columns.stream().map(c -> Integer.toString(names.indexOf(c) + 1)).toList().toString();
  }

  private void references(Table table) throws SQLException {
    for (ColumnSpec column : table.columns()) {
      if (column.references().isEmpty()) {
        continue;
      }
      ColumnSpec.Reference reference = column.references().get();
      Table other = policy.table(reference.table()).orElse(null);
      if (other == null || !other.uniqueKeys().contains(Set.of(reference.column()))) {
        continue;
      }
      row(
          "fdx_references",
          next++,
          relations.get(table.name()),
          PgNames.key(bare(table), List.of(column.name()), "fkey"),
          numbers(table, List.of(column.name())),
          relations.get(other.name()),
          numbers(other, List.of(reference.column())),
          "FOREIGN KEY ("
              + PgNames.quoted(column.name())
              + ") REFERENCES "
              + PgNames.quoted(bare(other))
              + "("
              + PgNames.quoted(reference.column())
              + ") NOT VALID");
    }
  }

  private void row(String table, Object... values) throws SQLException {
    String places = "?" + ", ?".repeat(values.length - 1);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO temp.main." + table + " VALUES (" + places + ")")) {
      for (int i = 0; i < values.length; i++) {
        insert.setObject(i + 1, values[i]);
      }
      insert.execute();
    }
  }
}
