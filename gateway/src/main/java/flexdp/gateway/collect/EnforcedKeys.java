package flexdp.gateway.collect;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Table.RowKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which of the keys that a policy declares the database itself keeps unique. It is written down
 * when tables are measured: who takes a constraint away leaves a declaration behind that nobody
 * sees to any more, and no process remembers that somebody did. Only definitions are looked at: to
 * refuse because values repeat would tell of rows.
 */
public final class EnforcedKeys {
  private EnforcedKeys() {}

  /** By table, those that are enforced now. */
  public static Map<String, Set<Set<String>>> of(Policy policy, PhysicalCatalog catalog) {
    Map<String, Set<Set<String>>> enforced = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      Set<Set<String>> keys =
          table.uniqueKeys().stream()
              .filter(key -> catalog.isKey(table, key))
              .collect(Collectors.toSet());
      if (!keys.isEmpty()) {
        enforced.put(table.name(), keys);
      }
    }
    return enforced;
  }

  /** In words, the declared keys that were enforced when they were measured and are no longer. */
  public static List<String> lost(
      Policy policy, Map<String, Set<Set<String>>> before, PhysicalCatalog catalog) {
    Map<String, Set<Set<String>>> now = of(policy, catalog);
    List<String> lost = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      for (Set<String> key : table.uniqueKeys()) {
        if (before.getOrDefault(table.name(), Set.of()).contains(key)
            && !table.trusted().contains(key)
            && !now.getOrDefault(table.name(), Set.of()).contains(key)) {
          lost.add(
              table.name()
                  + ".("
                  + String.join(", ", new TreeSet<>(key))
                  + ") is declared unique and was enforced by the database when it was measured;"
                  + " its constraint is gone");
        }
      }
    }
    return lost;
  }

  /**
   * Refuses to go on with a declaration that lost its ground.
   *
   * @param before what was enforced when the tables were measured
   * @throws ConfigurationError when one of them is enforced no longer
   */
  public static void require(
      Policy policy, Map<String, Set<Set<String>>> before, PhysicalCatalog catalog) {
    List<String> lost = lost(policy, before, catalog);
    if (!lost.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          String.join("; ", lost),
          "The owner makes the constraint anew, or takes the declaration out of the policy and runs"
              + " flexdp collect.");
    }
  }

  /**
   * The policy with the keys that count: those that the database keeps unique, and those that the
   * owner vouches for. What nobody sees to is a frequency like any other: measured, and smoothed.
   *
   * @param before what was enforced when the tables were measured
   * @throws ConfigurationError when one was enforced then and is not, or when whose rows are whose
   *     rests on one that does not count
   */
  public static Policy counting(
      Policy policy, Map<String, Set<Set<String>>> before, PhysicalCatalog catalog) {
    require(policy, before, catalog);
    Map<String, Table> tables = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      tables.put(
          table.name(),
          table.withKeys(
              table.uniqueKeys().stream()
                  .filter(key -> table.trusted().contains(key) || catalog.isKey(table, key))
                  .toList()));
    }
    Policy counting = policy.with(Collections.unmodifiableMap(tables));
    requireNamed(policy, counting);
    List<String> spelt = spelt(policy, catalog);
    if (!spelt.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          String.join("; ", spelt),
          "Store them in one type and collation in the database.");
    }
    return counting;
  }

  /** In words, where no key says who is who and somebody spelt in two ways would be two people. */
  static List<String> spelt(Policy policy, PhysicalCatalog catalog) {
    List<String> found = new ArrayList<>();
    for (PersonKind kind : policy.people().values()) {
      if (kind.key().isEmpty()) {
        found.addAll(differing(kind, naming(policy, catalog, kind)));
      }
    }
    return found;
  }

  private static Map<String, PhysicalColumn> naming(
      Policy policy, PhysicalCatalog catalog, PersonKind kind) {
    Map<String, PhysicalColumn> named = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      for (OwnerPath owner : table.ownership().owners()) {
        if (owner.kind().equals(kind.name())) {
          Table end =
              owner.hops().isEmpty() ? table : policy.tables().get(owner.hops().getLast().table());
          named.put(
              end.name() + "." + owner.end(),
              catalog.physical(end, end.column(owner.end()).orElseThrow()));
        }
      }
    }
    return named;
  }

  private static List<String> differing(PersonKind kind, Map<String, PhysicalColumn> named) {
    Map.Entry<String, PhysicalColumn> first = named.entrySet().iterator().next();
    return named.entrySet().stream()
        .filter(other -> !other.getValue().namesAlike(first.getValue()))
        .map(
            other ->
                "the people '"
                    + kind.name()
                    + "' are named by "
                    + first.getKey()
                    + ", stored as "
                    + first.getValue().typeName()
                    + ", and by "
                    + other.getKey()
                    + ", stored as "
                    + other.getValue().typeName()
                    + "; a person who is spelt in two ways would be two")
        .toList();
  }

  /** A bound may be measured instead of declared; whose a row is may not. */
  private static void requireNamed(Policy policy, Policy counting) {
    for (PersonKind kind : policy.people().values()) {
      kind.key().ifPresent(key -> requireKey(counting, key.table(), key.column(), "names people"));
    }
    for (Table table : counting.tables().values()) {
      for (OwnerPath owner : table.ownership().owners()) {
        for (OwnerPath.Hop hop : owner.hops()) {
          requireKey(counting, hop.table(), hop.key(), "leads to owners");
        }
      }
      if (!table.enforced().isEmpty() && table.orderingKey().isEmpty()) {
        throw unfounded("a cap of '" + table.name() + "' is enforced by the order of a key");
      }
      if (table.ownership().keepsUnowned() && RowKey.of(table).isEmpty()) {
        throw unfounded("rows of '" + table.name() + "' that nobody owns are named by a key");
      }
    }
  }

  private static void requireKey(Policy counting, String table, String column, String what) {
    if (!counting.tables().get(table).uniqueKeys().contains(Set.of(column))) {
      throw unfounded("'" + table + "." + column + "' " + what);
    }
  }

  private static ConfigurationError unfounded(String what) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_POLICY,
        what + ", and the database does not keep it unique",
        "Make it a PRIMARY KEY or UNIQUE in the database. If you vouch that no two rows ever share"
            + " it, write trusted: true beside unique: true, or under the table.");
  }

  /** For the owner: the declared keys that the database does not keep, and what becomes of them. */
  public static List<String> unenforced(Policy policy, PhysicalCatalog catalog) {
    List<String> lines = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      for (Set<String> key : table.uniqueKeys()) {
        if (!catalog.isKey(table, key)) {
          lines.add(
              table.name()
                  + ".("
                  + String.join(", ", new TreeSet<>(key))
                  + ") is declared unique and the database does not keep it so: "
                  + (table.trusted().contains(key)
                      ? "it counts on your word (trusted: true)"
                      : "it does not count as a key, and is measured as a frequency; make it UNIQUE"
                          + " there, or write trusted: true if you vouch for it"));
        }
      }
    }
    return lines;
  }
}
