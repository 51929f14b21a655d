package flexdp.failure;

import java.util.Objects;
import java.util.Optional;

/**
 * The ledger cannot be trusted or written, so nothing is answered. The hint says how the owner
 * repairs it. It is the installation that needs attention, not the question.
 */
public final class LedgerError extends Failure {
  private static final long serialVersionUID = 1L;

  /** What is wrong. */
  public enum Code {
    /** The ledger is gone, although answers were released. */
    LEDGER_MISSING,
    /** The file or its chain of hashes is damaged. */
    LEDGER_CORRUPT,
    /** An older state of the ledger than one that was seen before, or another ledger. */
    LEDGER_ROLLED_BACK,
    /** The folder or the file may not be written. */
    LEDGER_READ_ONLY,
    /** The disk is full. */
    LEDGER_FULL,
    /** The clock stands before the last entry. */
    LEDGER_CLOCK,
    /** The policy counts otherwise than the ledger was spent under. */
    LEDGER_POLICY,
    /** Somebody else holds the ledger for too long. */
    LEDGER_BUSY,
    /** Written by a newer version. */
    LEDGER_NEWER,
    /** The store failed in another way. */
    LEDGER_UNAVAILABLE
  }

  private final Code code;

  private LedgerError(Code code, String message, String repair, Optional<Throwable> cause) {
    super(message, repair, cause);
    this.code = Objects.requireNonNull(code);
  }

  public static LedgerError of(Code code, String message, String repair) {
    return new LedgerError(code, message, repair, Optional.empty());
  }

  public static LedgerError of(Code code, String message, String repair, Throwable cause) {
    return new LedgerError(code, message, repair, Optional.of(cause));
  }

  public Code code() {
    return code;
  }

  @Override
  public String codeName() {
    return code.name();
  }

  @Override
  public int exitCode() {
    return 2;
  }
}
