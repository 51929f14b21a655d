package flexdp;

import java.util.Objects;
import java.util.Optional;

/**
 * A question that was refused because the privacy budget does not cover it. Nothing was asked. The
 * ledger adds what is left.
 */
public non-sealed class BudgetError extends RuntimeException implements Failure {
  private static final long serialVersionUID = 1L;

  private final String hint;

  protected BudgetError(String message, String hint) {
    super(message, null, false, false);
    this.hint = Objects.requireNonNull(hint);
  }

  public static BudgetError of(String message, String hint) {
    return new BudgetError(message, hint);
  }

  @Override
  public String codeName() {
    return "BUDGET_EXHAUSTED";
  }

  @Override
  public String message() {
    return getMessage();
  }

  @Override
  public String hint() {
    return hint;
  }

  @Override
  public Optional<Position> at() {
    return Optional.empty();
  }

  @Override
  public int exitCode() {
    return 4;
  }
}
