package flexdp.gateway.ledger.store;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Repairs;
import java.sql.SQLException;
import java.util.Optional;

/** What PostgreSQL's errors mean to the owner, by the class of their SQLSTATE. */
final class PostgresFaults {
  private static final String CREDENTIALS =
      "Say who we are there: PGUSER, and PGPASSWORD or a line in ~/.pgpass (PGPASSFILE).";

  private PostgresFaults() {}

  static LedgerError of(String place, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (e.getMessage() != null && e.getMessage().contains(SqliteStore.MOVED)) {
      return Repairs.moved(place, Optional.of(e));
    }
    return switch (state) {
      case "55P03", "57014" ->
          fault(LedgerError.Code.LEDGER_BUSY, place, "is held by another process", e);
      case "53100" -> fault(LedgerError.Code.LEDGER_FULL, place, "cannot grow: disk full", e);
      case "42501", "25006" ->
          fault(LedgerError.Code.LEDGER_READ_ONLY, place, "cannot be written by this user", e);
      case "28P01", "28000" ->
          LedgerError.of(
              LedgerError.Code.LEDGER_UNAVAILABLE,
              "The server of the ledger " + place + " refuses the user or the password.",
              CREDENTIALS,
              e);
      case "3D000" ->
          fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "is in no database of its server", e);
      case "08001", "08004", "08006" ->
          e.getMessage() != null && e.getMessage().contains("password")
              ? LedgerError.of(
                  LedgerError.Code.LEDGER_UNAVAILABLE,
                  "The server of the ledger " + place + " asks for a password, and none is given.",
                  CREDENTIALS,
                  e)
              : fault(
                  LedgerError.Code.LEDGER_UNAVAILABLE,
                  place,
                  "cannot be reached: its server is stopped, starting up or does not answer",
                  e);
      default -> fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "cannot be reached", e);
    };
  }

  /** Whether the connection broke: it has to be opened anew. */
  static boolean isLost(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return state.startsWith("08") || state.startsWith("57P");
  }

  private static LedgerError fault(
      LedgerError.Code code, String place, String what, SQLException e) {
    return LedgerError.of(code, "The ledger " + place + " " + what + ".", Repairs.STORE, e);
  }
}
