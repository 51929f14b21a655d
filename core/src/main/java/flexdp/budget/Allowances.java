package flexdp.budget;

import flexdp.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the policy gives to each account.
 *
 * @param tables to each protected table that has no entry of its own; absent means nothing, so a
 *     policy without a budget answers nothing until the owner grants something
 * @param accounts to single accounts. An analyst or role without an entry is counted, not limited
 */
public record Allowances(Optional<Allowance> tables, Map<Account, Allowance> accounts) {
  public Allowances {
    accounts = Map.copyOf(accounts);
  }

  public static Allowances of(Policy policy) {
    Map<Account, Allowance> accounts = new HashMap<>();
    Policy.Accounts people = policy.privacy().accounts();
    people
        .roles()
        .forEach((name, budget) -> accounts.put(new Account.Role(name), Allowance.of(budget)));
    people
        .analysts()
        .forEach(
            (name, analyst) ->
                analyst
                    .budget()
                    .ifPresent(b -> accounts.put(new Account.Analyst(name), Allowance.of(b))));
    return new Allowances(policy.privacy().budget().map(Allowance::of), accounts);
  }

  public static Allowances eachTable(Allowance allowance) {
    return new Allowances(Optional.of(allowance), Map.of());
  }

  /** The limit of an account, or nothing for an account that is only counted. */
  public Optional<Allowance> of(Account account) {
    Allowance own = accounts.get(account);
    if (own != null) {
      return Optional.of(own);
    }
    return account instanceof Account.Table
        ? Optional.of(tables.orElse(Allowance.NOTHING))
        : Optional.empty();
  }
}
