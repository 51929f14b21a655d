package flexdp.gateway.catalog;

import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables behind a policy's words, and which others the database has: what a ledger needs to
 * know to go on with the accounts it has.
 */
public final class Identities {
  private final Map<String, PhysicalTable> words;
  private final Map<PhysicalTable, TableIdentity> present;
  private final Map<String, TableIdentity> named;

  private Identities(Map<String, PhysicalTable> words, Map<PhysicalTable, TableIdentity> present) {
    this.words = words;
    this.present = present;
    Map<String, TableIdentity> found = new LinkedHashMap<>();
    words.forEach((word, table) -> found.put(word, present.get(table)));
    this.named = Map.copyOf(found);
  }

  /** Asks the database, as when questions are put to it. */
  public static Identities of(Policy policy, Vendor vendor, Connection connection)
      throws SQLException {
    List<PhysicalTable> tables = vendor.tables(connection, policy);
    return of(policy, vendor, PhysicalCatalog.of(policy, vendor, tables), connection, tables);
  }

  /** The same, of tables that were described already. */
  public static Identities of(
      Policy policy,
      Vendor vendor,
      PhysicalCatalog catalog,
      Connection connection,
      List<PhysicalTable> all)
      throws SQLException {
    List<PhysicalTable> tables =
        all.stream().filter(t -> t.kind() == PhysicalTable.Kind.TABLE).toList();
    Map<String, PhysicalTable> words = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      if (table.isProtected()) {
        words.put(table.name(), catalog.physical(table));
      }
    }
    return new Identities(words, paired(tables, vendor.identities(connection, tables)));
  }

  private static Map<PhysicalTable, TableIdentity> paired(
      List<PhysicalTable> tables, List<TableIdentity> identities) {
    Map<PhysicalTable, TableIdentity> pairs = new LinkedHashMap<>();
    for (int i = 0; i < tables.size(); i++) {
      pairs.put(tables.get(i), identities.get(i));
    }
    return pairs;
  }

  /**
   * These, where some of the tables are others in the state that a question reads: others may have
   * come to their names, or partitions to them. Empty when everything is as it was.
   *
   * @param some words of protected tables
   */
  public Optional<Identities> moved(Vendor vendor, Statements statements, Set<String> some)
      throws SQLException {
    List<PhysicalTable> tables = some.stream().map(words::get).distinct().toList();
    Optional<List<TableIdentity>> now = vendor.identities(statements, tables);
    if (now.isEmpty() || now.get().equals(tables.stream().map(present::get).toList())) {
      return Optional.empty();
    }
    Map<PhysicalTable, TableIdentity> all = new LinkedHashMap<>(present);
    all.putAll(paired(tables, now.get()));
    return Optional.of(new Identities(words, all));
  }

  /** What stands behind a word, if it is a protected table's. */
  public Optional<PhysicalTable> physical(String word) {
    return Optional.ofNullable(words.get(word));
  }

  /** The protected tables of the policy, by its names. */
  public Map<String, TableIdentity> named() {
    return named;
  }

  /** Every table that there is, partitions too. */
  public Collection<TableIdentity> present() {
    List<TableIdentity> all = new ArrayList<>(present.values());
    present.values().forEach(table -> all.addAll(table.parts()));
    return all;
  }

  /** The table that a policy with this word in it would mean. */
  public Optional<TableIdentity> called(String word) {
    List<PhysicalTable> bare = new ArrayList<>(present.keySet());
    bare.removeIf(t -> !t.inDefaultSchema());
    return PolicyNames.find(bare, PhysicalTable::name, word)
        .or(
            () ->
                PolicyNames.find(List.copyOf(present.keySet()), PhysicalTable::qualifiedName, word))
        .map(present::get);
  }

  @Override
  public String toString() {
    return named.entrySet().stream()
        .map(e -> e.getKey() + " = " + e.getValue().name())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
