package flexdp.gateway.trino;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.PhysicalTable.TableBuilder;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.render.SqlConstants;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What catalogs say of tables: each statement takes a server of Trino a tenth of a second, so one
 * reads everything. Trino knows no keys, and NOT NULL counts only where what stores the rows keeps
 * it.
 */
final class TrinoTables {
  /** Connectors that refuse a NULL when rows are written, or whose rows are computed. */
  private static final Set<String> KEEP_NOT_NULL =
      Set.of("memory", "tpch", "tpcds", "iceberg", "delta_lake");

  /** Connectors that store nothing, and compute no value that has no form. */
  private static final Set<String> COMPUTED = Set.of("tpch", "tpcds");

  /** A statement has a stage for each of its parts, and a server warns of more than 50. */
  private static final int TOGETHER = 10;

  private static final String ALL =
      """
      SELECT %1$s AS catalog, 'table' AS what, table_schema, table_name, table_type AS said,
        '' AS type, '' AS filled, 0 AS place
      FROM %3$s WHERE %5$s
      UNION ALL
      SELECT %1$s, 'column', table_schema, table_name, column_name, data_type, is_nullable,
        ordinal_position
      FROM %4$s WHERE %5$s
      UNION ALL
      SELECT %1$s, 'materialized', schema_name, name, '', '', '', 0
      FROM system.metadata.materialized_views WHERE catalog_name = %2$s%6$s
      UNION ALL
      SELECT %1$s, 'connector', '', '', connector_name, '', '', 0
      FROM system.metadata.catalogs WHERE catalog_name = %2$s\
      """;

  /**
   * Where to look.
   *
   * @param prefix its catalog where that is another than the one of the address, else empty
   * @param table one at a time if there is one: only then does no catalog list all of its tables
   */
  record Place(String catalog, String prefix, Optional<String> schema, Optional<String> table) {
    static Place of(PhysicalTable table, String own) {
      return new Place(
          table.catalog().isEmpty() ? own : table.catalog(),
          table.catalog(),
          Optional.of(table.schema()),
          Optional.of(table.name()));
    }

    private String sql() {
      String views = equal(" AND schema_name = ", schema) + equal(" AND name = ", table);
      String tables =
          schema.isEmpty()
              ? "table_schema <> 'information_schema'"
              : equal("table_schema = ", schema) + equal(" AND table_name = ", table);
      return ALL.formatted(
          SqlConstants.text(prefix),
          SqlConstants.text(catalog),
          TrinoCatalogs.described(prefix, "tables"),
          TrinoCatalogs.described(prefix, "columns"),
          tables,
          views);
    }

    private static String equal(String words, Optional<String> value) {
      return value.map(v -> words + SqlConstants.text(v)).orElse("");
    }
  }

  private record Id(String catalog, String schema, String name) {
    Id folded() {
      return new Id(catalog, TrinoCatalogs.folded(schema), TrinoCatalogs.folded(name));
    }
  }

  private record Column(String name, String type, String nullable, long place) {}

  private final Map<Id, String> tables = new LinkedHashMap<>();
  private final Map<Id, List<Column>> columns = new HashMap<>();
  private final Set<Id> views = new HashSet<>();
  private final Map<String, String> connectors = new HashMap<>();

  private TrinoTables() {}

  static TrinoTables read(StatementRunner statements, List<Place> places) throws SQLException {
    TrinoTables found = new TrinoTables();
    List<Place> distinct = places.stream().distinct().toList();
    for (int i = 0; i < distinct.size(); i += TOGETHER) {
      List<Place> some = distinct.subList(i, Math.min(distinct.size(), i + TOGETHER));
      statements.run(
          some.stream().map(Place::sql).collect(Collectors.joining(" UNION ALL ")),
          row -> {
            Id id = new Id(row.getString(1), row.getString(3), row.getString(4));
            String said = row.getString(5);
            switch (row.getString(2)) {
              case "table" -> found.tables.put(id, said);
              case "column" ->
                  found
                      .columns
                      .computeIfAbsent(id, any -> new ArrayList<>())
                      .add(new Column(said, row.getString(6), row.getString(7), row.getLong(8)));
              // Trino lists them among the tables. Names have no case.
              case "materialized" -> found.views.add(id.folded());
              default -> found.connectors.put(id.catalog(), said);
            }
          });
    }
    found.columns.values().forEach(c -> c.sort(Comparator.comparingLong(Column::place)));
    return found;
  }

  /** The program behind a catalog of the prefix; nothing where there is no such catalog. */
  String connector(String prefix) {
    return connectors.getOrDefault(prefix, "");
  }

  /**
   * @param schema that of the address, in which bare names are found; nothing if it has none
   */
  List<PhysicalTable> tables(Optional<String> schema) {
    List<Id> sorted = new ArrayList<>(tables.keySet());
    sorted.sort(Comparator.comparing(Id::schema).thenComparing(Id::name));
    List<PhysicalTable> all = new ArrayList<>();
    for (Id id : sorted) {
      String connector = connector(id.catalog());
      boolean table = tables.get(id).equals("BASE TABLE") && !views.contains(id.folded());
      TableBuilder parts =
          new TableBuilder(
              id.catalog(),
              id.schema(),
              id.name(),
              id.catalog().isEmpty() && schema.filter(id.schema()::equals).isPresent(),
              table ? Kind.TABLE : Kind.VIEW);
      for (Column column : columns.getOrDefault(id, List.of())) {
        parts.columns.add(
            new PhysicalColumn(
                column.name(),
                column.type(),
                TrinoConnector.type(column.type()),
                COMPUTED.contains(connector) || TrinoConnector.isTotal(column.type()),
                KEEP_NOT_NULL.contains(connector) && column.nullable().equals("NO")));
      }
      all.add(parts.table());
    }
    return all;
  }

  /** Everything that was read of each table, as one list of words. */
  Map<TableDefinitions.Name, List<String>> marks() {
    Map<TableDefinitions.Name, List<String>> marks = new HashMap<>();
    tables.forEach(
        (id, kind) -> {
          List<String> words = new ArrayList<>();
          words.add("table " + kind + " " + connector(id.catalog()));
          if (views.contains(id.folded())) {
            words.add("materialized");
          }
          for (Column c : columns.getOrDefault(id, List.of())) {
            words.add("column " + c.place() + " " + c.name() + " " + c.type() + " " + c.nullable());
          }
          Collections.sort(words);
          marks.put(new TableDefinitions.Name(id.schema(), id.name()), words);
        });
    return marks;
  }

  /**
   * Definitions in Trino, which holds no table and has no transaction: what is there before a
   * reading and after it was there in between, save for who changes it and changes it back. It has
   * no keys either; what can go is a table that becomes a view, a type, or a NOT NULL.
   */
  static final class TrinoDefinitions implements TableDefinitions {
    private volatile Optional<String> own = Optional.empty();

    @Override
    public Map<Name, List<String>> marks(
        StatementRunner statements, Collection<PhysicalTable> tables) throws SQLException {
      return read(statements, tables).marks();
    }

    /** Those alone: to list all takes minutes in some catalogs. */
    @Override
    public List<PhysicalTable> tables(StatementRunner statements, Collection<PhysicalTable> asked)
        throws SQLException {
      return read(statements, asked).tables(Optional.empty());
    }

    private TrinoTables read(StatementRunner statements, Collection<PhysicalTable> tables)
        throws SQLException {
      String catalog = own(statements);
      return TrinoTables.read(statements, tables.stream().map(t -> Place.of(t, catalog)).toList());
    }

    /** That of the address, which stays. */
    private String own(StatementRunner statements) throws SQLException {
      if (own.isEmpty()) {
        statements.run(
            "SELECT current_catalog",
            row -> own = Optional.of(TrinoCatalogs.folded(row.getString(1))));
      }
      return own.orElseThrow();
    }
  }
}
