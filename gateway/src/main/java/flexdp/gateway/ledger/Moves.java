package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Cost;
import flexdp.budget.Recount;
import flexdp.budget.Spent;
import flexdp.gateway.ledger.entry.Event;
import flexdp.policy.Neighbors;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * What the entries say of rows that became other people's: whom the charges protect, and which
 * accounts have to go on somewhere when the policy has them no longer.
 */
final class Moves {
  private final Set<String> whose = new TreeSet<>();
  private final Set<String> ever = new TreeSet<>();
  private final Set<Account> owed = new HashSet<>();

  /** What a row of somebody costs: without her, and with her but the row, are two steps. */
  private final Map<Account, Spent> rows = new HashMap<>();

  void protects(String people) {
    whose.add(people);
    ever.add(people);
  }

  void charge(Account account, Cost cost) {
    switch (account) {
      case Account.People people -> {
        owed.add(people);
        Spent twice =
            Recount.of(cost, Optional.of(Neighbors.ADD_REMOVE_ONE), Neighbors.REPLACE_ONE);
        rows.merge(people, twice, Spent::plus);
      }
      case Account.Table table -> owed.add(table);
      case Account.Analyst ignored -> {}
      case Account.Role ignored -> {}
    }
  }

  /**
   * Lets what was spent count elsewhere, too, and takes nothing away where it was.
   *
   * @param keys the account of a name that stands in an entry
   */
  void adopt(
      Event.OwnersAdopted adopted, UnaryOperator<Account> keys, Function<Account, Tally> tallies) {
    Map<Account, Tally> before = new HashMap<>();
    Map<Account, Spent> rowsBefore = new HashMap<>(rows);
    for (List<String> from : adopted.carried().values()) {
      for (String name : from) {
        Account source = keys.apply(Account.parse(name));
        before.put(source, tallies.apply(source).copy());
      }
    }
    Set<Account> kept = new HashSet<>();
    adopted
        .carried()
        .forEach(
            (name, from) -> {
              Account into = keys.apply(Account.parse(name));
              kept.add(into);
              for (String one : from) {
                Account source = keys.apply(Account.parse(one));
                carry(source, into, before.get(source), rowsBefore, tallies.apply(into));
              }
            });
    owed.removeIf(account -> account instanceof Account.People || before.containsKey(account));
    owed.addAll(kept);
    whose.clear();
    protects(adopted.whose());
  }

  /** Two accounts of tables are one from here on. */
  void merge(Account from, Account into) {
    if (owed.remove(from)) {
      owed.add(into);
    }
  }

  private void carry(
      Account source, Account into, Tally spent, Map<Account, Spent> rowsBefore, Tally tally) {
    boolean toRows = source instanceof Account.People && into instanceof Account.Table;
    if (toRows) {
      tally.spend(rowsBefore.getOrDefault(source, Spent.NOTHING), spent.composition());
    } else {
      tally.carry(spent);
    }
    if (into instanceof Account.People) {
      Spent row =
          source instanceof Account.People
              ? rowsBefore.getOrDefault(source, Spent.NOTHING)
              : spent.spent();
      rows.merge(into, row, Spent::plus);
    }
  }

  /** Whom the charges since the last adoption were to protect. */
  Set<String> whose() {
    return Set.copyOf(whose);
  }

  /** Whom charges were to protect at any time. */
  Set<String> ever() {
    return Set.copyOf(ever);
  }

  /** Whether an account was charged since what it had spent was last let count elsewhere. */
  boolean isOwed(Account account) {
    return owed.contains(account);
  }
}
