package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Cost;
import flexdp.failure.BudgetError;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** The question would cost more than what is left. Says what is left, which is public. */
public final class BudgetExhausted extends BudgetError {
  private static final long serialVersionUID = 1L;

  private final transient Balance balance;

  /**
   * @param part of the table, where its rows alone cannot pay
   */
  BudgetExhausted(Balance balance, Cost cost, Optional<String> part) {
    super(sentence(balance, cost, part), hint(balance, cost) + comesBack(balance));
    this.balance = balance;
  }

  /** The account that cannot pay. */
  public Balance standing() {
    return balance;
  }

  private static String hint(Balance balance, Cost cost) {
    BigDecimal left = balance.largestNext().orElse(BigDecimal.ZERO);
    String grant =
        "the owner can add to it: ./flexdp budget grant "
            + balance.account()
            + (isShortOfDelta(balance, cost) ? " --delta D" : " --epsilon E")
            + " --policy FILE";
    if (isShortOfDelta(balance, cost)) {
      BigDecimal delta = balance.deltaLeft().orElse(BigDecimal.ZERO);
      return "It is delta that is short: ask what needs "
          + (delta.signum() > 0 ? "a delta of at most " + delta : "no delta")
          + " (laplace, lomax and released need none of their own), or "
          + grant;
    }
    return left.signum() > 0
        ? "Ask with an epsilon of at most " + left.toPlainString() + ", or " + grant
        : capital(grant);
  }

  /** Of a budget for a stretch of time. */
  private static String comesBack(Balance balance) {
    return balance
        .comesBack()
        .map(at -> "; some comes back at " + at.truncatedTo(ChronoUnit.SECONDS))
        .orElse("");
  }

  /** Whether its δ alone is too much. */
  private static boolean isShortOfDelta(Balance balance, Cost cost) {
    boolean concentrated =
        balance.allowance().filter(a -> a.composition() == Policy.Composition.ZCDP).isPresent();
    BigDecimal needed =
        concentrated && cost instanceof Cost.Gaussian gaussian ? gaussian.failure() : cost.delta();
    return needed.compareTo(balance.deltaLeft().orElse(BigDecimal.ZERO)) > 0;
  }

  private static String sentence(Balance balance, Cost cost, Optional<String> part) {
    Account account = balance.account();
    String whose =
        switch (account) {
          case Account.Table table ->
              "table " + table.name() + part.map(p -> ", part " + p + ",").orElse("");
          case Account.People people -> "people " + people.name();
          case Account.Analyst analyst -> "analyst " + analyst.name();
          case Account.Role role -> "role " + role.name();
        };
    BigDecimal left = balance.largestNext().orElse(BigDecimal.ZERO);
    StringBuilder text = new StringBuilder("The budget of " + whose + " does not cover this: ");
    text.append("it costs epsilon ").append(cost.epsilon().toPlainString());
    if (cost.delta().signum() > 0) {
      text.append(" and delta ").append(cost.delta().toString());
    }
    text.append(", and epsilon ").append(left.toPlainString());
    BigDecimal deltaLeft = balance.deltaLeft().orElse(BigDecimal.ZERO);
    return text.append(" and delta ").append(deltaLeft).append(" are left.").toString();
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
