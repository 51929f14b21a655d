package flexdp.gateway.catalog;

import flexdp.gateway.catalog.PhysicalCatalog.PolicyNames;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tables behind a policy's words, and which others the database has: what a ledger needs to
 * know to go on with the accounts it has.
 */
public final class TableIdentities {
  private final Map<String, PhysicalTable> words;
  private final Map<String, PhysicalTable> openWords;
  private final Map<PhysicalTable, TableIdentity> present;
  private final Map<String, TableIdentity> named;
  private final Map<String, TableIdentity> open;

  private TableIdentities(
      Map<String, PhysicalTable> words,
      Map<String, PhysicalTable> openWords,
      Map<PhysicalTable, TableIdentity> present) {
    this.words = words;
    this.openWords = openWords;
    this.present = present;
    this.named = behind(words, present);
    this.open = behind(openWords, present);
  }

  private static Map<String, TableIdentity> behind(
      Map<String, PhysicalTable> words, Map<PhysicalTable, TableIdentity> present) {
    Map<String, TableIdentity> found = new LinkedHashMap<>();
    words.forEach((word, table) -> found.put(word, present.get(table)));
    return Map.copyOf(found);
  }

  /** Asks the database, as when questions are put to it. */
  public static TableIdentities of(Policy policy, Connector connector, Connection connection)
      throws SQLException {
    List<PhysicalTable> tables = connector.tables(connection, policy);
    return of(policy, connector, PhysicalCatalog.of(policy, connector, tables), connection, tables);
  }

  /** The identities of tables that were described already. */
  public static TableIdentities of(
      Policy policy,
      Connector connector,
      PhysicalCatalog catalog,
      Connection connection,
      List<PhysicalTable> all)
      throws SQLException {
    List<PhysicalTable> tables =
        all.stream().filter(t -> t.kind() == PhysicalTable.Kind.TABLE).toList();
    Map<PhysicalTable, TableIdentity> present =
        paired(tables, connector.identities(connection, tables));
    Map<String, PhysicalTable> words = new LinkedHashMap<>();
    Map<String, PhysicalTable> openWords = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      PhysicalTable physical = catalog.physical(table);
      if (table.isProtected()) {
        words.put(table.name(), physical);
      } else if (present.containsKey(physical)) {
        openWords.put(table.name(), physical);
      }
    }
    return new TableIdentities(words, openWords, present);
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
   * @param some words of tables, protected or public
   * @param marks of them, by which they are told apart
   */
  public Optional<TableIdentities> moved(
      Connector connector,
      StatementRunner statements,
      Set<String> some,
      Map<TableDefinitions.Name, List<String>> marks)
      throws SQLException {
    List<PhysicalTable> tables =
        some.stream().flatMap(word -> physical(word).stream()).distinct().toList();
    Optional<List<TableIdentity>> now = connector.identities(statements, tables, marks);
    if (now.isEmpty() || now.get().equals(tables.stream().map(present::get).toList())) {
      return Optional.empty();
    }
    Map<PhysicalTable, TableIdentity> all = new LinkedHashMap<>(present);
    all.putAll(paired(tables, now.get()));
    return Optional.of(new TableIdentities(words, openWords, all));
  }

  /** What stands behind a word of the policy. */
  public Optional<PhysicalTable> physical(String word) {
    return Optional.ofNullable(words.get(word)).or(() -> Optional.ofNullable(openWords.get(word)));
  }

  /** The protected tables of the policy, by its names. */
  public Map<String, TableIdentity> named() {
    return named;
  }

  /** Its public tables, which are answered exactly and must not be protected ones. */
  public Map<String, TableIdentity> open() {
    return open;
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

  /**
   * What tells a table apart from others, as the database gives it and not as a policy spells it.
   *
   * @param name schema and name in quotes. Without the database: a table that was restored, copied
   *     with its database, or dropped and made anew, holds the same people as far as we can know
   * @param mark stays when the table is renamed; empty where the database has no such thing
   * @param parts the partitions that it reads, which were or may become tables of their own
   */
  public record TableIdentity(String name, String mark, List<TableIdentity> parts) {
    public TableIdentity {
      parts = List.copyOf(parts);
    }

    /** Without partitions. */
    public TableIdentity(String name, String mark) {
      this(name, mark, List.of());
    }

    /** As schema and name. */
    public static TableIdentity of(String schema, String name) {
      return new TableIdentity(quoted(schema) + "." + quoted(name), "");
    }

    /** By the names that the database spells. */
    public static TableIdentity of(PhysicalTable table) {
      return of(table.schema(), table.name());
    }

    /** Of a database that tells no cases apart. */
    public static TableIdentity folded(PhysicalTable table) {
      return new TableIdentity(of(table).name().toLowerCase(Locale.ROOT), "");
    }

    public TableIdentity marked(String with) {
      return new TableIdentity(name, with, parts);
    }

    public TableIdentity reading(List<TableIdentity> some) {
      return new TableIdentity(name, mark, some);
    }

    private static String quoted(String name) {
      return '"' + name.replace("\"", "\"\"") + '"';
    }
  }
}
