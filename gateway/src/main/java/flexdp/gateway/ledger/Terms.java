package flexdp.gateway.ledger;

import flexdp.budget.Allowances;
import flexdp.policy.Neighbors;
import java.util.Optional;

/**
 * How a policy counts: its limits, and what an ε of it means.
 *
 * @param neighbors absent in entries of the first format, which did not record them
 * @param unit absent in the same
 */
public record Terms(Limits limits, Optional<Neighbors> neighbors, Optional<String> unit) {
  static Terms of(Allowances allowances) {
    return new Terms(
        Limits.of(allowances), Optional.of(allowances.neighbors()), Optional.of(Basis.ROW));
  }
}
