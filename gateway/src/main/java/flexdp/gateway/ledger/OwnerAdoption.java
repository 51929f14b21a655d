package flexdp.gateway.ledger;

import flexdp.budget.Account;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/**
 * How what was spent counts under a policy that says otherwise whose rows are whose.
 *
 * @param differences what changed, in words; none when nothing has to be adopted
 * @param carried by account, the accounts whose spending counts there as well
 * @param accounts how every account stood and would stand
 */
public record OwnerAdoption(
    List<String> differences,
    SortedMap<String, List<String>> carried,
    List<Adoption.Change> accounts) {

  static OwnerAdoption of(OwnerMoves moves, Books before, Books after, Instant now) {
    List<Adoption.Change> changes = new ArrayList<>();
    for (Account account : after.accounts(Set.of())) {
      changes.add(new Adoption.Change(before.standing(account, now), after.standing(account, now)));
    }
    return new OwnerAdoption(moves.differences(), moves.carried(), List.copyOf(changes));
  }

  public boolean isNeeded() {
    return !differences.isEmpty();
  }
}
