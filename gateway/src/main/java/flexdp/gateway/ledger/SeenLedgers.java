package flexdp.gateway.ledger;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What this user has seen of ledgers on this machine, kept away from them, in the folder that the
 * system property {@value #PROPERTY} names: a ledger that was put back together with its anchor is
 * older than that, and a copy of one goes another way.
 */
final class SeenLedgers {
  static final String PROPERTY = "flexdp.state";

  private SeenLedgers() {}

  private static Optional<Path> file(String ledger) {
    String folder = System.getProperty(PROPERTY, "");
    boolean plain = ledger.matches("[A-Za-z0-9-]{1,64}");
    return folder.isEmpty() || !plain
        ? Optional.empty()
        : Optional.of(Path.of(folder, "ledgers", ledger));
  }

  /** The last entry that was seen; nothing where nothing is kept. */
  static Optional<Anchor.Mark> read(String ledger) {
    try {
      return file(ledger).flatMap(Anchor::read);
    } catch (LedgerError e) {
      return Optional.empty(); // it helps where it can be read
    }
  }

  /** Where to write what is seen; nowhere if the folder cannot be written. */
  static Optional<Anchor> open(String ledger) {
    Optional<Path> file = file(ledger);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      Files.createDirectories(file.get().getParent());
      return Optional.of(Anchor.open(file.get()));
    } catch (IOException | LedgerError e) {
      return Optional.empty();
    }
  }

  /** The owner put another ledger in its place: from here on this is what was seen. */
  static void begin(String ledger, LedgerState state) {
    Optional<Path> file = file(ledger);
    if (file.isEmpty()) {
      return;
    }
    try {
      Files.deleteIfExists(file.get());
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_READ_ONLY,
          "The file " + file.get() + " cannot be removed.",
          RepairCommands.WRITABLE,
          e);
    }
    try (Anchor anchor = open(ledger).orElse(null)) {
      for (int slot = 0; anchor != null && slot < 2; slot++) {
        anchor.write(ledger, state.seq(), state.hash(), state.charges());
      }
    }
  }

  /** Refuses a ledger that lacks what was seen of it. */
  static void require(LedgerStore.Session session, LedgerState state, String place) {
    Optional<Anchor.Mark> seen = state.ledger().flatMap(SeenLedgers::read);
    if (seen.isEmpty()) {
      return;
    }
    Anchor.Mark mark = seen.get();
    if (!mark.isIn(session)) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_ROLLED_BACK,
          "The ledger "
              + place
              + gone(mark, state, "one that was seen here before")
              + " ("
              + file(mark.ledger()).map(Path::toString).orElse("")
              + ").",
          RepairCommands.OLDER);
    }
  }

  /** What a ledger is that lacks an entry of another one. */
  static String gone(Anchor.Mark mark, LedgerState state, String other) {
    return mark.seq() > state.seq()
        ? " is older than " + other + ": " + lacking(mark, state.seq(), state.charges())
        : " is a copy that went another way than " + other;
  }

  /** How much is missing of what a mark says. */
  static String lacking(Anchor.Mark mark, long entries, long charges) {
    long lost = mark.seq() - entries;
    return "it lacks "
        + lost
        + (lost == 1 ? " entry" : " entries")
        + mark.charges()
            .map(
                c ->
                    ", of which "
                        + (c - charges)
                        + (c - charges == 1 ? " is a charge" : " are charges"))
            .orElse(", each of which may be a charge");
  }
}
