package flexdp.gateway.ledger;

/**
 * The ledger cannot be trusted or written, so nothing is answered. Says what the owner can do. Exit
 * code 2: it is the installation that needs attention, not the question.
 */
public final class LedgerFault extends RuntimeException {
  private static final long serialVersionUID = 1L;
  public static final int EXIT_CODE = 2;

  /** What is wrong. */
  public enum Code {
    /** The ledger is gone, although answers were released. */
    LEDGER_MISSING,
    /** The file or its chain of hashes is damaged. */
    LEDGER_CORRUPT,
    /** An older state of the ledger than one that was seen before, or another ledger. */
    LEDGER_ROLLED_BACK,
    LEDGER_READ_ONLY,
    LEDGER_FULL,
    /** The clock stands before the last entry. */
    LEDGER_CLOCK,
    /** Somebody else holds the ledger for too long. */
    LEDGER_BUSY,
    /** Written by a newer version. */
    LEDGER_NEWER,
    /** The store failed in another way. */
    LEDGER_UNAVAILABLE
  }

  private final Code code;
  private final String repair;

  LedgerFault(Code code, String message, String repair, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.repair = repair;
  }

  LedgerFault(Code code, String message, String repair) {
    this(code, message, repair, null);
  }

  public Code code() {
    return code;
  }

  /** What to do about it, with the command to type. */
  public String repair() {
    return repair;
  }

  static LedgerFault corrupt(String place, String what) {
    return new LedgerFault(
        Code.LEDGER_CORRUPT, "The ledger " + place + " is damaged: " + what + ".", Repairs.LOSS);
  }
}
