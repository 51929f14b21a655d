package flexdp.gateway.ledger.store;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Repairs;
import java.sql.SQLException;

/** What PostgreSQL's errors mean to the owner, by the class of their SQLSTATE. */
final class PostgresFaults {
  private PostgresFaults() {}

  static LedgerError of(String place, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    return switch (state) {
      case "55P03", "57014" ->
          fault(LedgerError.Code.LEDGER_BUSY, place, "is held by another process", e);
      case "53100" -> fault(LedgerError.Code.LEDGER_FULL, place, "cannot grow: disk full", e);
      case "42501", "25006" ->
          fault(LedgerError.Code.LEDGER_READ_ONLY, place, "cannot be written by this user", e);
      default -> fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "cannot be reached", e);
    };
  }

  private static LedgerError fault(
      LedgerError.Code code, String place, String what, SQLException e) {
    return LedgerError.of(code, "The ledger " + place + " " + what + ".", Repairs.STORE, e);
  }
}
