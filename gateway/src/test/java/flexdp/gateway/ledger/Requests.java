package flexdp.gateway.ledger;

import flexdp.budget.Cost;
import flexdp.gateway.ledger.entry.ChargeRequest;
import java.math.BigDecimal;
import java.util.Set;

/** Requests that tests make. */
final class Requests {
  private Requests() {}

  static ChargeRequest pure(String epsilon, String... tables) {
    return of("ann", Set.of(), Cost.pure(new BigDecimal(epsilon)), tables);
  }

  static ChargeRequest of(String analyst, Set<String> roles, Cost cost, String... tables) {
    return new ChargeRequest(
        analyst, roles, "SELECT count(*) FROM t", Set.of(tables), "laplace", cost, "snapshot-1");
  }
}
