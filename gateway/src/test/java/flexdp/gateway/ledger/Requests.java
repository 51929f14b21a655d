package flexdp.gateway.ledger;

import flexdp.budget.Cost;
import flexdp.gateway.ledger.entry.Request;
import java.math.BigDecimal;
import java.util.Set;

/** Requests that tests make. */
final class Requests {
  private Requests() {}

  static Request pure(String epsilon, String... tables) {
    return of("ann", Set.of(), Cost.pure(new BigDecimal(epsilon)), tables);
  }

  static Request of(String analyst, Set<String> roles, Cost cost, String... tables) {
    return new Request(
        analyst, roles, "SELECT count(*) FROM t", Set.of(tables), "laplace", cost, "snapshot-1");
  }
}
