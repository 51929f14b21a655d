package flexdp.gateway.ledger.entry;

import flexdp.budget.Allowances;
import flexdp.policy.Neighbors;
import java.util.Optional;

/**
 * How a policy counts: its limits, and what an ε of it means.
 *
 * @param neighbors absent in entries of the first format, which did not record them
 * @param unit absent in the same
 */
public record CountingTerms(Limits limits, Optional<Neighbors> neighbors, Optional<String> unit) {
  public static CountingTerms of(Allowances allowances) {
    return new CountingTerms(
        Limits.of(allowances), Optional.of(allowances.neighbors()), Optional.of(Basis.ROW));
  }
}
