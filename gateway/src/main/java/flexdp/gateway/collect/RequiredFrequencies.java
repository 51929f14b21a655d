package flexdp.gateway.collect;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The column sets whose max frequency is measured, by table. What people join on is what they
 * declared: keys and their parts, references and what they refer to. The owner may name more.
 */
public final class RequiredFrequencies {
  private final Map<String, Set<Set<String>>> byTable = new LinkedHashMap<>();

  private RequiredFrequencies() {}

  /** Only the keys and caps that the policy declares. */
  static RequiredFrequencies declared(Policy policy) {
    RequiredFrequencies wanted = new RequiredFrequencies();
    for (Table table : policy.tables().values()) {
      table.uniqueKeys().forEach(key -> wanted.add(table.name(), key));
      table.caps().forEach(cap -> wanted.add(table.name(), cap.columns()));
    }
    return wanted;
  }

  /** What the policy itself suggests. */
  public static RequiredFrequencies of(Policy policy) {
    RequiredFrequencies wanted = new RequiredFrequencies();
    for (Table table : policy.tables().values()) {
      table.uniqueKeys().forEach(key -> wanted.addWithParts(table.name(), key));
      table.caps().forEach(cap -> wanted.addWithParts(table.name(), cap.columns()));
      for (ColumnSpec column : table.columns()) {
        column
            .references()
            .ifPresent(
                target -> {
                  wanted.add(table.name(), Set.of(column.name()));
                  wanted.add(target.table(), Set.of(target.column()));
                });
      }
    }
    return wanted;
  }

  /** This and more. */
  public RequiredFrequencies and(List<ColumnNames> more) {
    RequiredFrequencies wanted = new RequiredFrequencies();
    byTable.forEach((table, sets) -> wanted.byTable.put(table, new LinkedHashSet<>(sets)));
    more.forEach(names -> wanted.addWithParts(names.table(), names.columns()));
    return wanted;
  }

  /** This, and the foreign keys that the database itself knows, several columns long or not. */
  RequiredFrequencies andForeignKeys(Policy policy, PhysicalCatalog catalog) {
    RequiredFrequencies wanted = and(List.of());
    for (Table table : policy.tables().values()) {
      for (ForeignKey key : catalog.physical(table).foreignKeys()) {
        Set<String> columns = new TreeSet<>();
        for (ColumnSpec column : table.columns()) {
          if (key.columns().contains(catalog.physical(table, column).name())) {
            columns.add(column.name());
          }
        }
        if (columns.size() == key.columns().size()) {
          wanted.addWithParts(table.name(), columns);
        }
      }
    }
    return wanted;
  }

  private void addWithParts(String table, Set<String> columns) {
    columns.stream().sorted().forEach(column -> add(table, Set.of(column)));
    add(table, columns);
  }

  private void add(String table, Set<String> columns) {
    byTable.computeIfAbsent(table, t -> new LinkedHashSet<>()).add(new TreeSet<>(columns));
  }

  /** The sets of one table, each in alphabetical order. */
  public Set<Set<String>> of(String table) {
    return byTable.getOrDefault(table, Set.of());
  }
}
