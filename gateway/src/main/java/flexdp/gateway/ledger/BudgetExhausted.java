package flexdp.gateway.ledger;

import flexdp.BudgetError;
import flexdp.budget.Account;
import flexdp.budget.Cost;
import java.math.BigDecimal;

/** The question would cost more than what is left. Says what is left, which is public. */
public final class BudgetExhausted extends BudgetError {
  private static final long serialVersionUID = 1L;

  private final transient Standing standing;
  private final transient Cost cost;

  BudgetExhausted(Standing standing, Cost cost) {
    super(sentence(standing, cost), hint(standing));
    this.standing = standing;
    this.cost = cost;
  }

  /** The account that cannot pay. */
  public Standing standing() {
    return standing;
  }

  public Cost cost() {
    return cost;
  }

  private static String hint(Standing standing) {
    BigDecimal left = standing.epsilonLeft().orElse(BigDecimal.ZERO);
    String grant =
        "the owner can add to it: ./flexdp budget grant "
            + standing.account()
            + " --epsilon E --policy FILE";
    return left.signum() > 0
        ? "Ask with an epsilon of at most " + left.toPlainString() + ", or " + grant
        : capital(grant);
  }

  private static String sentence(Standing standing, Cost cost) {
    Account account = standing.account();
    String whose =
        switch (account) {
          case Account.Table table -> "table " + table.name();
          case Account.Analyst analyst -> "analyst " + analyst.name();
          case Account.Role role -> "role " + role.name();
        };
    BigDecimal left = standing.epsilonLeft().orElse(BigDecimal.ZERO);
    StringBuilder text = new StringBuilder("The budget of " + whose + " does not cover this: ");
    text.append("it costs epsilon ").append(cost.epsilon().toPlainString());
    if (cost.delta().signum() > 0) {
      text.append(" and delta ").append(cost.delta().toString());
    }
    text.append(", and epsilon ").append(left.toPlainString());
    BigDecimal deltaLeft = standing.deltaLeft().orElse(BigDecimal.ZERO);
    return text.append(" and delta ").append(deltaLeft).append(" are left.").toString();
  }

  private static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
