package flexdp.gateway.engine;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.Ledger;
import flexdp.policy.Policy;
import java.util.List;

/**
 * Tables whose rows people own have no account of their own. Answers given before they had owners
 * protect rows only, and those given to people count for rows, too: moving a table from one to the
 * other must not forget what was spent. Nor must rows become another person's, or nobody's: she
 * would have an account on which nothing of them is spent.
 */
final class OwnerAccounts {
  private OwnerAccounts() {}

  /**
   * @throws LedgerError when something was charged to an account that the policy no longer has
   */
  static void require(Policy policy, Ledger ledger) {
    List<String> moved = ledger.moved(policy);
    if (!moved.isEmpty()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_POLICY,
          String.join(" ", moved) + " What was spent would be forgotten.",
          "Go back to the policy that the ledger was spent under, begin another ledger for data"
              + " about which nothing was answered, or accept that the answers before protect whom the"
              + " policy named then: ./flexdp budget adopt --dry-run --policy FILE");
    }
  }
}
