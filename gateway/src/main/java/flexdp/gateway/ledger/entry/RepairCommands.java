package flexdp.gateway.ledger.entry;

import flexdp.failure.LedgerError;
import java.util.Optional;

/** The commands that repair a ledger, in one place so that messages and commands agree. */
public final class RepairCommands {
  public static final String LOSS =
      "Put the ledger back from a backup. If there is none, the owner may accept that charges were"
          + " lost: ./flexdp budget repair --accept-loss --policy FILE";
  public static final String OLDER =
      "Put the newest ledger back, or let a charge stand for what is missing: ./flexdp ledger"
          + " restore --policy FILE --from BACKUP --charge EPSILON. To give up what was spent:"
          + " ./flexdp budget repair --accept-loss --policy FILE";
  public static final String GONE =
      "If it is lost, put a copy back: ./flexdp ledger restore --policy FILE --from BACKUP. If it is"
          + " elsewhere, name it: --ledger FILE|URL, or bring it along: ./flexdp ledger import"
          + " --policy FILE --from LEDGER. To give up what was spent: ./flexdp budget repair"
          + " --accept-loss --policy FILE";
  public static final String ELSEWHERE =
      "If the policy was renamed, copied or moved, name its ledger: --ledger FILE, or bring it"
          + " along: ./flexdp ledger import --policy FILE --from LEDGER. To begin anew and give up"
          + " what was spent, the owner writes: ./flexdp budget repair --accept-loss --policy FILE";
  public static final String CLOCK =
      "Set the clock right. If the last entry's time was the wrong one: ./flexdp budget repair"
          + " --accept-clock --policy FILE";
  public static final String POLICY =
      "Undo the change, or see how the entries before would count, and let them count so:"
          + " ./flexdp budget adopt --dry-run --policy FILE";
  public static final String WRITABLE =
      "Let the gateway's user write the folder and the file: chmod u+w FOLDER FILE, then ./flexdp"
          + " budget audit --policy FILE";
  public static final String SPACE =
      "Free space on the disk, then check: ./flexdp budget audit --policy FILE";
  public static final String BUSY =
      "Find the process that holds it open (fuser FILE), then check: ./flexdp budget audit --policy"
          + " FILE";
  public static final String NEWER = "Use the version of FlexDP that wrote it, or a newer one.";
  public static final String STORE =
      "See that the ledger can be reached, then check: ./flexdp budget audit --policy FILE";

  private static final String MOVED =
      "Name the place where it goes on: --ledger FILE|URL. To bring it back: ./flexdp ledger import"
          + " --policy FILE --from THAT_PLACE";

  private RepairCommands() {}

  /** Its entries go on in another place, which alone may be copied, restored and repaired. */
  public static LedgerError moved(String place, Optional<Throwable> cause) {
    String message = "The ledger " + place + " was moved elsewhere.";
    return cause
        .map(e -> LedgerError.of(LedgerError.Code.LEDGER_MISSING, message, MOVED, e))
        .orElseGet(() -> LedgerError.of(LedgerError.Code.LEDGER_MISSING, message, MOVED));
  }

  public static LedgerError corrupt(String place, String what) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_CORRUPT,
        "The ledger " + place + " is damaged: " + what + ".",
        LOSS);
  }
}
