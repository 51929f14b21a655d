package flexdp.server.session;

import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Failures as fields of the protocol: the words are those of every other way in. */
public final class ErrorFields {
  /** PostgreSQL's own codes where it has one; all others are things that are not supported. */
  private static final Map<RejectionCode, String> STATES =
      Map.ofEntries(
          Map.entry(RejectionCode.SYNTAX, "42601"),
          Map.entry(RejectionCode.MULTIPLE_STATEMENTS, "42601"),
          Map.entry(RejectionCode.TOO_COMPLEX, "54001"),
          Map.entry(RejectionCode.TOO_MANY_LABELS, "54001"),
          Map.entry(RejectionCode.NOT_A_SELECT, "25006"),
          Map.entry(RejectionCode.UNKNOWN_TABLE, "42P01"),
          Map.entry(RejectionCode.UNKNOWN_COLUMN, "42703"),
          Map.entry(RejectionCode.AMBIGUOUS_COLUMN, "42702"),
          Map.entry(RejectionCode.UNKNOWN_FUNCTION, "42883"),
          Map.entry(RejectionCode.TYPE_MISMATCH, "42804"),
          Map.entry(RejectionCode.INVALID_GROUPING, "42803"),
          Map.entry(RejectionCode.RAW_ROWS, "42501"),
          Map.entry(RejectionCode.INDIVIDUAL_FILTER, "42501"),
          Map.entry(RejectionCode.PROTECTED_ABOVE_RELEASE, "42501"));

  private ErrorFields() {}

  /**
   * The fields of an error that an analyst may read; anything unexpected shows nothing.
   *
   * @param text what the client sent, for the place in it
   */
  public static Map<Character, String> fields(Throwable thrown, String severity, String text) {
    return switch (thrown) {
      case SqlError e ->
          placed(fields(severity, e.state(), e.getMessage(), e.hint(), ""), e.at(), text);
      case LocatedFailure p -> placed(failure(p.failure(), severity), p.at(), text);
      case Failure f -> failure(f, severity);
      case flexdp.server.wire.BadText e -> fields(severity, "22021", e.getMessage(), "", "");
      case flexdp.server.wire.ProtocolError e -> fields(severity, "08P01", e.getMessage(), "", "");
      default ->
          fields(
              severity,
              "XX000",
              "The request could not be handled.",
              "The owner finds the cause in the log.",
              "INTERNAL");
    };
  }

  /** Whether it is an outcome like others; otherwise somebody should look into it. */
  public static boolean isExpected(Throwable thrown) {
    return thrown instanceof SqlError
        || thrown instanceof LocatedFailure
        || thrown instanceof Failure
        || thrown instanceof flexdp.server.wire.BadText
        || thrown instanceof flexdp.server.wire.ProtocolError;
  }

  /** The stable name of what went wrong. */
  public static String code(Throwable thrown) {
    return switch (thrown) {
      case SqlError e -> e.state();
      case LocatedFailure p -> p.failure().codeName();
      case Failure f -> f.codeName();
      default -> "INTERNAL";
    };
  }

  private static Map<Character, String> failure(Failure f, String severity) {
    return fields(severity, state(f), message(f), f.hint(), f.codeName());
  }

  /** Positions count characters from one. */
  private static Map<Character, String> placed(
      Map<Character, String> fields, Optional<Integer> at, String text) {
    at.filter(i -> i <= text.length())
        .ifPresent(i -> fields.put('P', String.valueOf(text.codePointCount(0, i) + 1)));
    return fields;
  }

  /** A notice. */
  public static Map<Character, String> notice(String severity, String state, String message) {
    return fields(severity, state, message, "", "");
  }

  private static Map<Character, String> fields(
      String severity, String state, String message, String hint, String code) {
    Map<Character, String> fields = new LinkedHashMap<>();
    fields.put('S', severity);
    fields.put('V', severity);
    fields.put('C', state);
    fields.put('M', message);
    if (!code.isEmpty()) {
      fields.put('D', "FlexDP code " + code + ".");
    }
    if (!hint.isEmpty()) {
      fields.put('H', hint);
    }
    if (!code.isEmpty()) {
      fields.put('R', code);
    }
    return fields;
  }

  /** The message of a failure, without where the ledger stands: that is the owner's business. */
  private static String message(Failure failure) {
    return failure instanceof LedgerError
        ? "The budget's ledger cannot be used, so nothing is answered."
        : failure.message();
  }

  static String state(Failure failure) {
    return switch (failure) {
      case Rejection r -> state(r.code());
      case BudgetError ignored -> "53400";
      case DatabaseError d -> d.isAway() ? "57P03" : "58000";
      case LedgerError l -> l.code() == LedgerError.Code.LEDGER_UNAVAILABLE ? "57P03" : "58030";
      case ConfigurationError c -> c.code() == ConfigurationError.Code.INTERNAL ? "XX000" : "22023";
    };
  }

  private static String state(RejectionCode code) {
    return STATES.getOrDefault(code, "0A000");
  }
}
