package flexdp.gateway.catalog;

import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.render.NameCatalog;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The physical tables behind a policy's names. Every name stands for one table of its own: two
 * names of one table, or a view, would hide a self-join from the analysis (guarantee §11).
 */
public final class PhysicalCatalog implements NameCatalog {
  private static final String REPAIR =
      "Name the table itself in the policy, or run: flexdp policy init";

  private final Connector connector;
  private final Map<String, PhysicalTable> tables;

  private PhysicalCatalog(Connector connector, Map<String, PhysicalTable> tables) {
    this.connector = connector;
    this.tables = tables;
  }

  /** Finds every table and column of the policy, or says which one is missing. */
  public static PhysicalCatalog of(
      Policy policy, Connector connector, List<PhysicalTable> present) {
    Map<String, PhysicalTable> tables = new LinkedHashMap<>();
    Map<PhysicalTable, String> names = new HashMap<>();
    for (Table table : policy.tables().values()) {
      PhysicalTable physical = find(table.name(), present, connector);
      String other = names.put(physical, table.name());
      if (other != null) {
        throw error("'" + other + "' and '" + table.name() + "' are names of one table");
      }
      for (ColumnSpec column : table.columns()) {
        requireColumn(table, physical, column, connector);
      }
      tables.put(table.name(), physical);
    }
    return new PhysicalCatalog(connector, tables);
  }

  private static PhysicalTable find(String name, List<PhysicalTable> present, Connector connector) {
    List<PhysicalTable> bare = present.stream().filter(PhysicalTable::inDefaultSchema).toList();
    PhysicalTable found =
        PolicyNames.find(bare, PhysicalTable::name, name)
            .or(() -> PolicyNames.find(present, PhysicalTable::qualifiedName, name))
            .orElseThrow(
                () ->
                    error(
                        "the database has no table '"
                            + name
                            + "'"
                            + hidden(connector)
                            + "."
                            + meant(name, present)));
    if (found.kind() == PhysicalTable.Kind.UNREADABLE) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the database user may not read the table '" + name + "'",
          "Run as its owner: GRANT USAGE ON SCHEMA "
              + connector.quote(found.schema())
              + ", and GRANT SELECT ON "
              + connector.quote(found.schema())
              + "."
              + connector.quote(found.name())
              + " (whole table), to the user of flexdp.");
    }
    if (found.kind() != PhysicalTable.Kind.TABLE) {
      throw error("'" + name + "' is " + found.kind().words() + ", not a table");
    }
    return found;
  }

  private static String meant(String name, List<PhysicalTable> present) {
    return NearestName.question(name, present.stream().map(PhysicalTable::policyName).toList());
  }

  /** Some databases do not even show what may not be read. */
  private static String hidden(Connector connector) {
    return connector.hidesUnreadable() ? ", or its user was granted no SELECT on it" : "";
  }

  private static void requireColumn(
      Table table, PhysicalTable physical, ColumnSpec column, Connector connector) {
    if (physical.column(column.name()).isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the table '"
              + table.name()
              + "' of the database has no column '"
              + column.name()
              + "'"
              + hidden(connector)
              + "."
              + NearestName.question(
                  column.name(), physical.columns().stream().map(PhysicalColumn::name).toList()),
          "Name it in the policy as the database does, or leave it out.");
    }
    if (physical.column(column.name()).orElseThrow().computed()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the column '"
              + column.name()
              + "' of '"
              + table.name()
              + "' is computed whenever it is read, which may fail on one row",
          "Store it (GENERATED ALWAYS AS (…) STORED), drop the cast to text that somebody made for"
              + " its type, or leave it out of the policy and let questions compute it.");
    }
  }

  private static ConfigurationError error(String message) {
    return ConfigurationError.of(ConfigurationError.Code.BAD_POLICY, message, REPAIR);
  }

  public PhysicalTable physical(Table table) {
    return tables.get(table.name());
  }

  public PhysicalColumn physical(Table table, ColumnSpec column) {
    return physical(table).column(column.name()).orElseThrow();
  }

  /** Whether the database proves that a column, read as the policy declares it, is never NULL. */
  public boolean isNeverNull(Table table, ColumnSpec column) {
    PhysicalColumn physical = physical(table, column);
    return physical.notNull() && physical.type().equals(column.type());
  }

  /**
   * Whether the database keeps columns unique as they are read: what is unique in some of them is
   * unique in all, and values that it keeps apart may be one in the declared type.
   */
  public boolean isKey(Table table, Set<String> columns) {
    Set<String> apart = new HashSet<>();
    for (String name : columns) {
      ColumnSpec column = table.column(name).orElseThrow();
      if (connector.readsApart(physical(table, column), column.type())) {
        apart.add(physical(table, column).name());
      }
    }
    return physical(table).keys().stream().anyMatch(apart::containsAll);
  }

  @Override
  public String table(Table table) {
    return connector.rows(physical(table));
  }

  @Override
  public String column(Table table, ColumnSpec column) {
    return connector.read(physical(table), physical(table, column), column.type());
  }

  /** How a column is read, where the database itself would say something else of its type. */
  public Optional<String> readAs(Table table, ColumnSpec column) {
    return connector.readAs(physical(table, column));
  }

  @Override
  public Optional<String> stored(Table table, ColumnSpec column) {
    return connector.stored(physical(table, column), column.type());
  }

  /** The stored column alone, where reading it as declared changes nothing. */
  public Optional<String> unchanged(Table table, ColumnSpec column) {
    return connector.unchanged(physical(table), physical(table, column), column.type());
  }

  /** What values of a column are grouped by: equal where what is read is equal. */
  public String grouped(Table table, ColumnSpec column) {
    return unchanged(table, column).orElseGet(() -> column(table, column));
  }

  /**
   * A condition on the stored column itself, where it has one, is met by what the database knows of
   * the column, and need not be looked at on every row.
   */
  @Override
  public Optional<String> presence(Table table, ColumnSpec column) {
    if (column.nullable() || isNeverNull(table, column)) {
      return Optional.empty();
    }
    String condition =
        stored(table, column)
            .flatMap(stored -> connector.dialect().nonCanonical().condition(stored, column.type()))
            .orElseGet(() -> column(table, column) + " IS NOT NULL");
    return Optional.of("(" + condition + ")");
  }

  @Override
  public Optional<String> rowName(Table table) {
    return connector.rowName(physical(table));
  }

  /**
   * Finding what a policy names: exactly as written, or else by the only name that differs in case.
   */
  static final class PolicyNames {
    private PolicyNames() {}

    static <T> Optional<T> find(List<T> among, Function<T, String> name, String wanted) {
      Optional<T> exact = among.stream().filter(t -> name.apply(t).equals(wanted)).findFirst();
      if (exact.isPresent()) {
        return exact;
      }
      List<T> folded = among.stream().filter(t -> name.apply(t).equalsIgnoreCase(wanted)).toList();
      return folded.size() == 1 ? Optional.of(folded.getFirst()) : Optional.empty();
    }
  }
}
