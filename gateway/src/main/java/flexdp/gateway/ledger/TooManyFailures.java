package flexdp.gateway.ledger;

import flexdp.failure.BudgetError;
import flexdp.policy.Policy;

/** So many questions of an analyst failed that the owner has to look first. */
public final class TooManyFailures extends BudgetError {
  private static final long serialVersionUID = 1L;

  TooManyFailures(String analyst, Policy.Failures limit) {
    super(
        "As many questions of analyst "
            + analyst
            + " failed in the database as the policy allows ("
            + limit.atMost()
            + " in "
            + hours(limit)
            + "), and nothing more is put to it.",
        "The owner looks at them and lets you go on: ./flexdp budget clear-failures --analyst "
            + analyst
            + " --policy FILE");
  }

  private static String hours(Policy.Failures limit) {
    long minutes = limit.window().toMinutes();
    return minutes % 60 == 0 ? minutes / 60 + " hours" : minutes + " minutes";
  }

  @Override
  public String codeName() {
    return "TOO_MANY_FAILURES";
  }
}
