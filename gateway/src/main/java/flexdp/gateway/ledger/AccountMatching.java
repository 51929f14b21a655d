package flexdp.gateway.ledger;

import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.ledger.entry.RepairCommands;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which accounts the tables of a policy go on with. A table that the ledger has met keeps its
 * account, whatever the policy calls it and even if it was dropped and made anew. One that it has
 * not met begins an account of its own, unless a table that was charged is no longer to be found:
 * that could be the same one under another name.
 *
 * @param bound what there is to record, by the policy's words and by those of old entries
 * @param unknown words of the policy whose tables the ledger has not met
 * @param missing accounts that were charged and whose tables the database does not have
 * @param hidden public words of the policy that lead to rows of protected tables
 */
record AccountMatching(
    SortedMap<String, TableIdentity> bound,
    SortedMap<String, TableIdentity> all,
    Set<String> unknown,
    Set<String> missing,
    Set<String> hidden) {

  static AccountMatching of(LedgerState state, TableIdentities tables) {
    TableNames names = state.names();
    SortedMap<String, TableIdentity> all = new TreeMap<>();
    Set<String> missing = new TreeSet<>(state.chargedTables());
    for (String account : state.tables()) {
      if (!names.isKnown(account)) {
        // A word that no database was asked about, as in entries of the first format.
        tables.called(account).ifPresent(table -> all.put(account, table));
      }
    }
    Set<String> met = met(all.values());
    missing.removeAll(all.keySet());
    tables.present().forEach(table -> names.account(table).ifPresent(missing::remove));
    all.putAll(tables.named());
    Set<String> unknown = new TreeSet<>();
    tables
        .named()
        .forEach(
            (word, table) -> {
              if (names.account(table).isEmpty() && !met.contains(table.name())) {
                unknown.add(word);
              }
            });
    SortedMap<String, TableIdentity> bound = new TreeMap<>(all);
    bound.entrySet().removeIf(e -> names.says(e.getKey(), e.getValue()));
    return new AccountMatching(bound, all, unknown, missing, hidden(names, tables));
  }

  private static Set<String> hidden(TableNames names, TableIdentities tables) {
    Set<String> marks =
        tables.named().values().stream()
            .flatMap(AccountMatching::marks)
            .collect(Collectors.toSet());
    return tables.open().entrySet().stream()
        .filter(e -> names.hides(e.getValue()) || marks(e.getValue()).anyMatch(marks::contains))
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<String> marks(TableIdentity table) {
    return Stream.concat(Stream.of(table), table.parts().stream())
        .map(TableIdentity::mark)
        .filter(mark -> !mark.isEmpty());
  }

  private static Set<String> met(Collection<TableIdentity> tables) {
    return tables.stream().map(TableIdentity::name).collect(Collectors.toCollection(HashSet::new));
  }

  boolean isDoubtful() {
    return !unknown.isEmpty() && !missing.isEmpty();
  }

  /** The names that the tables of the policy are recorded under. */
  static Map<String, String> own(TableIdentities tables) {
    return tables.named().entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().name()));
  }

  /** Refuses to begin an account for what may have one, and to read exactly what has one. */
  void require(LedgerState state) {
    if (!hidden.isEmpty()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the public table "
              + quoted(hidden)
              + " leads to a table that is or was protected, or to a partition of one",
          "The owner gives the tables their names back or detaches the partition, or declares the"
              + " table protected in the policy.");
    }
    if (isDoubtful()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_POLICY,
          "The ledger "
              + state.place()
              + " has never met the table "
              + quoted(unknown)
              + ", and the database no longer has "
              + quoted(missing)
              + ", which was charged: it may be the same under another name.",
          RepairCommands.POLICY);
    }
  }

  private static String quoted(Set<String> names) {
    return names.stream().map(n -> "'" + n + "'").collect(Collectors.joining(", "));
  }
}
