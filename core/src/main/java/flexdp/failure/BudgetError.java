package flexdp.failure;

/**
 * A question that was refused because the privacy budget does not cover it. Nothing was asked. The
 * ledger adds what is left.
 */
public non-sealed class BudgetError extends Failure {
  private static final long serialVersionUID = 1L;

  protected BudgetError(String message, String hint) {
    super(message, hint);
  }

  public static BudgetError of(String message, String hint) {
    return new BudgetError(message, hint);
  }

  @Override
  public String codeName() {
    return "BUDGET_EXHAUSTED";
  }

  @Override
  public int exitCode() {
    return 4;
  }
}
