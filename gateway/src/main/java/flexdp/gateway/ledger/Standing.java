package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Cost;
import flexdp.budget.Spent;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How an account stands. Public: what was charged never depends on the data.
 *
 * @param allowance grants included; absent for an account that is only counted
 * @param spent within the window, when the allowance has one
 */
public record Standing(Account account, Optional<Allowance> allowance, Spent spent) {
  /** ε spent, as the account's composition counts it. */
  public BigDecimal epsilonSpent() {
    return allowance.map(a -> a.filter().epsilon(spent)).orElse(spent.epsilon());
  }

  /** δ spent, as the account's composition counts it. */
  public BigDecimal deltaSpent() {
    return allowance.map(a -> a.filter().delta(spent)).orElse(spent.delta());
  }

  /** The largest ε that one more pure answer may have. */
  public Optional<BigDecimal> epsilonLeft() {
    return allowance.map(a -> a.filter().epsilonLeft(spent));
  }

  public Optional<BigDecimal> deltaLeft() {
    return allowance.map(
        a -> {
          BigDecimal left = a.delta().subtract(deltaSpent());
          return left.signum() <= 0 ? BigDecimal.ZERO : left.stripTrailingZeros();
        });
  }

  /** How many more answers of one cost fit, up to a million. */
  public OptionalLong answersLeft(Cost cost) {
    return allowance.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(allowance.get().filter().answersLeft(spent, cost, 1_000_000));
  }
}
