package flexdp.gateway.live;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.Moved;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Statements;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sees to it that the keys, NOT NULL and types that the catalog had when the database was opened
 * are still there in the state that a question reads. A quick look tells whether anything was
 * redefined since the last careful one; only then everything is read again. To refuse tells of
 * definitions, never of data. That the owner vouches for rows (static) says nothing of definitions.
 */
final class Enforced {
  private final Policy policy;
  private final PhysicalCatalog catalog;
  private final Definitions definitions;
  private final Map<Definitions.Name, List<String>> known = new ConcurrentHashMap<>();

  Enforced(Policy policy, PhysicalCatalog catalog, Definitions definitions) {
    this.policy = policy;
    this.catalog = catalog;
    this.definitions = definitions;
  }

  /**
   * @return what shows when one of them moves while it is held
   * @throws ConfigurationError when one of the tables is defined otherwise
   * @throws Moved when that cannot be told because it is being changed
   */
  Map<Definitions.Name, List<String>> require(Set<String> tables, Statements statements)
      throws SQLException {
    Map<String, PhysicalTable> asked = asked(tables);
    Map<Definitions.Name, List<String>> marks = definitions.marks(statements, asked.values());
    if (isKnown(asked, marks)) {
      return marks;
    }
    List<PhysicalTable> present = definitions.tables(statements);
    asked.forEach((name, table) -> require(policy.table(name).orElseThrow(), table, present));
    // The catalog of some databases is always that of now: it must not have changed meanwhile.
    if (!definitions.marks(statements, asked.values()).equals(marks)) {
      throw new Moved();
    }
    known.putAll(marks);
    return marks;
  }

  /** Whether they stood still since they were looked at. */
  boolean stands(
      Set<String> tables, Map<Definitions.Name, List<String>> marks, Statements statements)
      throws SQLException {
    return definitions.stands(statements, asked(tables).values(), marks);
  }

  private Map<String, PhysicalTable> asked(Set<String> tables) {
    Map<String, PhysicalTable> asked = new LinkedHashMap<>();
    tables.forEach(t -> asked.put(t, catalog.physical(policy.table(t).orElseThrow())));
    return asked;
  }

  private boolean isKnown(
      Map<String, PhysicalTable> asked, Map<Definitions.Name, List<String>> marks) {
    return asked.values().stream()
        .map(Definitions.Name::of)
        .allMatch(name -> marks.containsKey(name) && marks.get(name).equals(known.get(name)));
  }

  private static void require(Table table, PhysicalTable then, List<PhysicalTable> present) {
    Definitions.Name name = Definitions.Name.of(then);
    PhysicalTable now =
        present.stream()
            .filter(p -> Definitions.Name.of(p).equals(name))
            .findFirst()
            .orElseThrow(() -> changed(table, "it is gone"));
    if (now.kind() != then.kind()) {
      throw changed(table, "it is " + now.kind().words() + " now");
    }
    if (now.parted() != then.parted()) {
      throw changed(
          table, now.parted() ? "it has partitions now" : "it has no partitions any more");
    }
    Set<String> columns = new HashSet<>();
    for (ColumnSpec column : table.columns()) {
      PhysicalColumn before = then.column(column.name()).orElseThrow();
      columns.add(before.name());
      Optional<PhysicalColumn> after = now.column(column.name());
      if (after.filter(c -> c.name().equals(before.name())).isEmpty()
          || !type(after.get()).equals(type(before))
          || after.get().computed()) {
        throw changed(table, "its column '" + column.name() + "' is not what it was");
      }
      if (before.filled() && !after.get().filled()) {
        throw changed(table, "its column '" + column.name() + "' may be NULL now");
      }
    }
    for (List<String> key : then.keys()) {
      if (columns.containsAll(key) && !now.keys().contains(key)) {
        throw changed(table, "it has no key (" + String.join(", ", key) + ") any more");
      }
    }
  }

  /** Labels of an enumeration may be added and renamed: no bound rests on them. */
  private static String type(PhysicalColumn column) {
    return column.typeName().startsWith("ENUM(") ? "ENUM" : column.typeName();
  }

  private static ConfigurationError changed(Table table, String how) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_POLICY,
        "the table '" + table.name() + "' was redefined while it was open: " + how,
        "The owner runs flexdp policy check, then collect, and opens the database again.");
  }
}
