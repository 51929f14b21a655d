package flexdp.server.engine;

import flexdp.budget.Account;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.Ledger.FailureCount;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the owner of one policy sees and does. Nothing that it returns is for analysts. */
public interface AdminApi {
  /**
   * The analysis of a question with private numbers, as JSON text.
   *
   * @param request a tree of JSON
   * @throws flexdp.failure.Failure when the question would be refused
   */
  String analyze(Object request);

  /** What was measured, and how fresh it is, as JSON text. */
  String metrics();

  /**
   * Every account.
   *
   * @param analysts who may ask, whether they have asked or not
   */
  List<Balance> budgets(Set<String> analysts);

  /** Adds to an account's allowance, on record. */
  Balance grant(Account account, BigDecimal epsilon, BigDecimal delta, String by, String note);

  /** Reads the whole ledger and verifies its chain. */
  Audit audit();

  /** The identity of the ledger. */
  String ledger();

  Map<String, FailureCount> failures();

  List<FailedQuestion> failed();

  /** The owner has looked at the failures of an analyst, or of all. */
  void clearFailures(Optional<String> analyst, String by, String note);
}
