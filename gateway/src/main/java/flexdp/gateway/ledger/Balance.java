package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Cost;
import flexdp.budget.TotalCost;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How an account stands. Public: what was charged never depends on the data.
 *
 * @param allowance grants included; absent for an account that is only counted
 * @param spent within the window, when the allowance has one; of a table with parts what a row can
 *     have lost at most, which is what a question about all of it meets
 * @param charges how many there were
 * @param parts by partition and part, what was charged to that part alone
 * @param comesBack when the next of what was spent leaves its window, if it has one
 */
public record Balance(
    Account account,
    Optional<Allowance> allowance,
    TotalCost spent,
    long charges,
    SortedMap<String, SortedMap<String, TotalCost>> parts,
    Optional<Instant> comesBack) {
  /** Of an account without parts. */
  public Balance(Account account, Optional<Allowance> allowance, TotalCost spent) {
    this(account, allowance, spent, spent.answers(), new TreeMap<>(), Optional.empty());
  }

  /**
   * This balance for analysts: which parts there are charges to is what others have asked about.
   */
  public Balance withoutParts() {
    return new Balance(account, allowance, spent, charges, new TreeMap<>(), comesBack);
  }

  /** The balance of rows that have lost so much. */
  Balance of(TotalCost lost) {
    return new Balance(account, allowance, lost, charges, parts, comesBack);
  }

  /** ε spent, as the account's composition counts it. */
  public BigDecimal epsilonSpent() {
    return allowance.map(a -> a.filter().epsilon(spent)).orElse(spent.epsilon());
  }

  /** δ spent, as the account's composition counts it. */
  public BigDecimal deltaSpent() {
    return allowance.map(a -> a.filter().delta(spent)).orElse(spent.delta());
  }

  /** What was not spent; under another composition than basic no answer may have all of it. */
  public Optional<BigDecimal> epsilonLeft() {
    return allowance.map(a -> a.epsilon().subtract(epsilonSpent()).max(BigDecimal.ZERO));
  }

  /** The largest ε that one more pure answer may have. */
  public Optional<BigDecimal> largestNext() {
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
