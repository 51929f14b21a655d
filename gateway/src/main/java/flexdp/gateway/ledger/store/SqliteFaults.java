package flexdp.gateway.ledger.store;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Repairs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.SQLiteErrorCode;

/** What SQLite's errors mean to the owner. */
final class SqliteFaults {
  /** As much as SQLite makes at once beside a ledger that it opens. */
  private static final long ROOM = 64 << 10;

  private SqliteFaults() {}

  static LedgerError of(String place, SQLException e) {
    // The primary code is the low byte; sqlite-jdbc gives either.
    SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
    if (e.getMessage() != null && e.getMessage().contains(SqliteStore.MOVED)) {
      return Repairs.moved(place, Optional.of(e));
    }
    if (code == SQLiteErrorCode.SQLITE_FULL || isUnwritten(code) && isFull(place)) {
      return fault(
          LedgerError.Code.LEDGER_FULL, place, "cannot grow: the disk is full", Repairs.SPACE, e);
    }
    return switch (code) {
      case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
          fault(LedgerError.Code.LEDGER_READ_ONLY, place, "cannot be written", Repairs.WRITABLE, e);
      case SQLITE_CORRUPT, SQLITE_NOTADB ->
          fault(LedgerError.Code.LEDGER_CORRUPT, place, "is damaged", Repairs.LOSS, e);
      case SQLITE_BUSY, SQLITE_LOCKED ->
          fault(LedgerError.Code.LEDGER_BUSY, place, "is held by another process", Repairs.BUSY, e);
      default ->
          fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "cannot be used", Repairs.STORE, e);
    };
  }

  /** Files beside the ledger that cannot be made are told of in these ways. */
  private static boolean isUnwritten(SQLiteErrorCode code) {
    return code == SQLiteErrorCode.SQLITE_IOERR || code == SQLiteErrorCode.SQLITE_CANTOPEN;
  }

  private static boolean isFull(String place) {
    try {
      return Files.getFileStore(Path.of(place)).getUsableSpace() < ROOM;
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }

  private static LedgerError fault(
      LedgerError.Code code, String place, String what, String repair, SQLException e) {
    return LedgerError.of(code, "The ledger " + place + " " + what + ".", repair, e);
  }
}
