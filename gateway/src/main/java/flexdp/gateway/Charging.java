package flexdp.gateway;

import flexdp.DatabaseError;
import flexdp.Failure;
import flexdp.gateway.database.DatabaseTimeout;
import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Outcome;
import flexdp.gateway.ledger.ReleasedAnswer;
import flexdp.gateway.ledger.Request;
import flexdp.gateway.ledger.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Charges a question before it runs, and records how it ended. */
final class Charging {
  private final Ledger ledger;
  private final OwnerLog log;

  Charging(Ledger ledger, OwnerLog log) {
    this.ledger = ledger;
    this.log = log;
  }

  /**
   * @param answer is handed a list for what it releases
   */
  AnalystView charged(Request request, Function<List<ReleasedAnswer>, AnalystView> answer) {
    Reservation reservation = ledger.reserve(request);
    List<ReleasedAnswer> answers = new ArrayList<>();
    Outcome outcome = Outcome.FAILED;
    try {
      AnalystView view = answer.apply(answers);
      outcome = Outcome.RELEASED;
      return view;
    } catch (DatabaseTimeout e) {
      outcome = Outcome.TIMED_OUT;
      throw timeout();
    } catch (RuntimeException e) {
      throw e instanceof Failure ? e : internal(e);
    } finally {
      ledger.settle(
          reservation, outcome, outcome == Outcome.RELEASED ? List.copyOf(answers) : List.of());
    }
  }

  static DatabaseError timeout() {
    return DatabaseError.of(
        "The database took longer than the owner allows.",
        "Ask a question that reads less. This one stays charged if it had begun.");
  }

  /** What went wrong may depend on the data, so the analyst learns only that it did. */
  private DatabaseError internal(RuntimeException e) {
    log.failure("answering", e);
    return DatabaseError.of(
        "The answer could not be computed.", "The owner finds the cause in the log.");
  }
}
