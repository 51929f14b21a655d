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
import java.util.stream.Collectors;

/**
 * The tables behind a policy's words, and which others the database has: what a ledger needs to
 * know to go on with the accounts it has.
 */
public final class Identities {
  private final Map<String, TableIdentity> named;
  private final Map<PhysicalTable, TableIdentity> present;

  private Identities(Map<String, TableIdentity> named, Map<PhysicalTable, TableIdentity> present) {
    this.named = Map.copyOf(named);
    this.present = present;
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
    List<TableIdentity> identities = vendor.identities(connection, tables);
    Map<PhysicalTable, TableIdentity> present = new LinkedHashMap<>();
    for (int i = 0; i < tables.size(); i++) {
      present.put(tables.get(i), identities.get(i));
    }
    Map<String, TableIdentity> named = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      if (table.isProtected()) {
        named.put(table.name(), present.get(catalog.physical(table)));
      }
    }
    return new Identities(named, present);
  }

  /** The protected tables of the policy, by its names. */
  public Map<String, TableIdentity> named() {
    return named;
  }

  /** Every table that there is. */
  public Collection<TableIdentity> present() {
    return present.values();
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
