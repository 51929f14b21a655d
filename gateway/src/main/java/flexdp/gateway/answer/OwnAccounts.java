package flexdp.gateway.answer;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.budget.Whose;
import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Standing;
import flexdp.policy.Policy;
import flexdp.policy.Table;

/**
 * Tables whose rows people own have no account of their own. Answers given before they had owners
 * protect rows only, and those given to people count for rows, too: moving a table from one to the
 * other must not forget what was spent. Nor must rows become another person's, or nobody's: she
 * would have an account on which nothing of them is spent.
 */
final class OwnAccounts {
  private OwnAccounts() {}

  /**
   * @throws LedgerError when something was charged to an account that the policy no longer has
   */
  static void require(Policy policy, Ledger ledger) {
    for (Table table : policy.tables().values()) {
      boolean owned = table.isProtected() && !table.ownership().owners().isEmpty();
      if (owned && isCharged(ledger.standing(new Account.Table(table.name())))) {
        throw refused(
            "The table '"
                + table.name()
                + "' was asked about by rows, and the policy now says whose its rows are.");
      }
    }
    String now = Allowances.of(policy).whose();
    if (!ledger.whose().stream().allMatch(before -> Whose.isKept(before, now))) {
      throw refused(
          "People were asked about, and the policy now says otherwise whose rows are whose.");
    }
    for (Standing standing : ledger.standings()) {
      if (standing.account() instanceof Account.People people
          && !policy.people().containsKey(people.name())
          && isCharged(standing)) {
        throw refused(
            "People of the kind '"
                + people.name()
                + "' were asked about, and the policy has none.");
      }
    }
  }

  private static boolean isCharged(Standing standing) {
    return standing.spent().answers() > 0;
  }

  private static LedgerError refused(String message) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_POLICY,
        message + " What was spent would be forgotten.",
        "Go back to the policy that the ledger was spent under, or begin another ledger for data"
            + " that nobody was told of.");
  }
}
