package flexdp.gateway.engine;

import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.TimeBudget;
import flexdp.gateway.database.CancellationToken.QueryCancelled;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.Session.DatabaseTimeout;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Charges a question before it runs, and records how it ended. */
public final class Charging {
  private final Ledger ledger;
  private final ErrorLog log;

  public Charging(Ledger ledger, ErrorLog log) {
    this.ledger = ledger;
    this.log = log;
  }

  /** What a question has come to while it runs. */
  public static final class Course {
    private final List<ReleasedAnswer> answers = new ArrayList<>();
    private Set<String> now;

    Course(Set<String> meanings) {
      this.now = meanings;
    }

    void releases(List<ReleasedAnswer> some) {
      answers.addAll(some);
    }

    /** From here on it is this measurement that may fail, and no other. */
    public void measures(String meaning) {
      now = Set.of(meaning);
    }
  }

  /**
   * @throws flexdp.failure.BudgetError when an account cannot pay; nothing was run
   */
  public <T> T charged(ChargeRequest request, Function<Course, T> answer) {
    // What is on record ends as it ends: only its statements have deadlines.
    try (TimeBudget.Limit ignored = TimeBudget.unlimited()) {
      return answered(request, answer);
    }
  }

  private <T> T answered(ChargeRequest request, Function<Course, T> answer) {
    Reservation reservation = ledger.reserve(request);
    Course course = new Course(request.meanings());
    T view;
    try {
      view = answer.apply(course);
    } catch (RuntimeException | Error e) {
      ledger.fail(reservation, outcome(e), course.now);
      throw told(e);
    }
    ledger.settle(reservation, ChargeOutcome.RELEASED, course.answers);
    return view;
  }

  private static ChargeOutcome outcome(Throwable e) {
    if (e instanceof DatabaseTimeout) {
      return ChargeOutcome.TIMED_OUT;
    }
    if (e instanceof QueryCancelled) {
      return ChargeOutcome.CANCELLED;
    }
    return e instanceof DatabaseError d && d.isLost() ? ChargeOutcome.LOST : ChargeOutcome.FAILED;
  }

  private RuntimeException told(Throwable e) {
    if (e instanceof DatabaseTimeout) {
      return timeout();
    }
    if (e instanceof QueryCancelled) {
      return cancelled();
    }
    return e instanceof Failure failure ? failure : internal(e);
  }

  /** Throws what charging would throw for want of budget, and charges nothing. */
  void requireRoom(ChargeRequest request) {
    ledger.requireRoom(request);
  }

  /** Too long or too much memory: which of them is not said. */
  public static DatabaseError timeout() {
    return DatabaseError.of(
        DatabaseError.TOO_LATE,
        "Ask a question that reads less. This one stays charged if it had begun.");
  }

  static DatabaseError cancelled() {
    return DatabaseError.of("The question was cancelled.", "It stays charged if it had begun.");
  }

  /** What went wrong may depend on the data, so the analyst learns only that it did. */
  private DatabaseError internal(Throwable e) {
    log.failure("answering", e);
    return DatabaseError.of(
        "The answer could not be computed.", "The owner finds the cause in the log.");
  }
}
