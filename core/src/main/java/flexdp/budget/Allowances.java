package flexdp.budget;

import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the policy gives to each account.
 *
 * @param neighbors whose telling apart is counted: an ε of one kind is not worth one of the other
 * @param tables to each protected table and kind of people that has no entry of its own; absent
 *     means nothing, so a policy without a budget answers nothing until the owner grants something
 * @param accounts to single accounts. An analyst or role without an entry is counted, not limited
 * @param failures how many of each analyst's questions may fail
 * @param whose whom charges protect; see {@link PrivacyUnitKey}
 */
public record Allowances(
    Neighbors neighbors,
    Optional<Allowance> tables,
    Map<Account, Allowance> accounts,
    Policy.Failures failures,
    String whose) {
  /** What each analyst has whom the policy does not name. */
  public static final Account ANYBODY = new Account.Analyst(Policy.Accounts.ANYBODY);

  public Allowances {
    accounts = Map.copyOf(accounts);
  }

  /** Under the neighbours that policies have unless they say otherwise. */
  public Allowances(Optional<Allowance> tables, Map<Account, Allowance> accounts) {
    this(Neighbors.ADD_REMOVE_ONE, tables, accounts, Policy.Failures.USUAL, PrivacyUnitKey.ROW);
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
    return new Allowances(
        policy.privacy().neighbors(),
        policy.privacy().budget().map(Allowance::of),
        accounts,
        policy.failures(),
        PrivacyUnitKey.of(policy));
  }

  /** These limits under other neighbours. */
  public Allowances under(Neighbors other) {
    return new Allowances(other, tables, accounts, failures, whose);
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
    return switch (account) {
      case Account.Table ignored -> Optional.of(tables.orElse(Allowance.NOTHING));
      case Account.People ignored -> Optional.of(tables.orElse(Allowance.NOTHING));
      case Account.Analyst ignored -> Optional.ofNullable(accounts.get(ANYBODY));
      case Account.Role ignored -> Optional.empty();
    };
  }
}
