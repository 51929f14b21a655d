package flexdp.gateway.collect;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.HashSet;
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
              .filter(key -> isEnforced(key, catalog.physical(table)))
              .collect(Collectors.toSet());
      if (!keys.isEmpty()) {
        enforced.put(table.name(), keys);
      }
    }
    return enforced;
  }

  /** What is unique in some of its columns is unique in all of them. */
  private static boolean isEnforced(Set<String> key, PhysicalTable table) {
    Set<String> columns = new HashSet<>();
    key.forEach(name -> columns.add(table.column(name).orElseThrow().name()));
    return table.keys().stream().anyMatch(columns::containsAll);
  }

  /** In words, the declared keys that were enforced when they were measured and are no longer. */
  public static List<String> lost(
      Policy policy, Map<String, Set<Set<String>>> before, PhysicalCatalog catalog) {
    Map<String, Set<Set<String>>> now = of(policy, catalog);
    List<String> lost = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      for (Set<String> key : table.uniqueKeys()) {
        if (before.getOrDefault(table.name(), Set.of()).contains(key)
            && !now.getOrDefault(table.name(), Set.of()).contains(key)) {
          lost.add(
              table.name()
                  + ".("
                  + String.join(", ", new TreeSet<>(key))
                  + ") is declared unique and was kept so by the database when it was measured;"
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
}
