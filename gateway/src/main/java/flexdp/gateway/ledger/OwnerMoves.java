package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.budget.PrivacyUnitKey;
import flexdp.gateway.ledger.LedgerState.OwnerChanges;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where what was spent has to count under a policy that says otherwise whose rows are whose.
 *
 * <p>Answers given before a table got owners protect its rows only, and those given to people
 * protect a row of theirs at twice the loss. Which rows went from whom to whom nobody knows without
 * the policy of then: so every account that may hold such rows counts what all people have spent.
 *
 * @param differences what changed, in words
 * @param carried by account, the accounts whose spending counts there as well
 */
record OwnerMoves(List<String> differences, SortedMap<String, List<String>> carried, String whose) {

  static OwnerMoves of(LedgerState state, Policy policy) {
    String now = Allowances.of(policy).whose();
    OwnerChanges moves = state.moves();
    List<String> differences = new ArrayList<>();
    SortedMap<String, TreeSet<String>> carried = new TreeMap<>();
    Set<Account> people = new TreeSet<>();
    state.tallies().keySet().stream().filter(Account.People.class::isInstance).forEach(people::add);
    boolean kept = moves.whose().stream().allMatch(before -> PrivacyUnitKey.isKept(before, now));
    boolean moved = false;
    for (Table table : policy.tables().values()) {
      if (!table.isProtected()) {
        continue;
      }
      Account rows = state.meant(new Account.Table(table.name()));
      boolean owned = !table.ownership().owners().isEmpty();
      if (owned && moves.isOwed(rows)) {
        differences.add(
            "The table '"
                + table.name()
                + "' was asked about by rows, and the policy now says whose its rows are.");
        into(carried, table, rows, Set.of(rows));
      }
      // Charges that were made before a table came say nothing of it, whenever it came.
      boolean since =
          moves.whose().stream().anyMatch(before -> PrivacyUnitKey.knows(before, table));
      boolean other =
          moves.ever().stream()
              .anyMatch(b -> PrivacyUnitKey.wasOwned(b, table) && !PrivacyUnitKey.knows(b, table));
      if (other && !since) {
        moved = true;
        into(carried, table, rows, people);
      }
    }
    if (!kept || moved) {
      differences.add(
          "People were asked about, and the policy now says otherwise whose rows are whose.");
    }
    for (Account kind : people) {
      if (policy.people().containsKey(kind.name())) {
        carried.computeIfAbsent(kind.toString(), k -> new TreeSet<>());
      } else if (moves.isOwed(kind)) {
        differences.add(
            "People of the kind '" + kind.name() + "' were asked about, and the policy has none.");
      }
    }
    SortedMap<String, List<String>> lists = new TreeMap<>();
    carried.forEach((account, from) -> lists.put(account, List.copyOf(from)));
    return new OwnerMoves(List.copyOf(differences), lists, now);
  }

  /** To everybody who owns the rows of a table now, or to the table itself. */
  private static void into(
      SortedMap<String, TreeSet<String>> carried, Table table, Account rows, Set<Account> from) {
    Set<Account> accounts = new TreeSet<>();
    for (OwnerPath owner : table.ownership().owners()) {
      accounts.add(new Account.People(owner.kind()));
    }
    if (accounts.isEmpty()) {
      accounts.add(rows);
    }
    for (Account account : accounts) {
      TreeSet<String> all = carried.computeIfAbsent(account.toString(), k -> new TreeSet<>());
      from.stream().filter(f -> !f.equals(account)).forEach(f -> all.add(f.toString()));
    }
  }

  boolean isNeeded() {
    return !differences.isEmpty();
  }

  LedgerEvent.OwnersAdopted event(String owner, String note) {
    return new LedgerEvent.OwnersAdopted(whose, carried, owner, note);
  }
}
