package flexdp.gateway.ledger;

import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PrivateFiles;
import flexdp.gateway.ledger.store.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Ledgers in other places: copies while they are in use, and their return. A copy is a file with an
 * anchor and a checksum beside it, wherever the ledger itself is kept.
 */
public final class LedgerCopies {
  static final Allowances NO_LIMITS = new Allowances(Optional.empty(), Map.of());
  private static final int AT_ONCE = 1_000;

  /** How copies end with which something is tried: what is seen of them is not remembered. */
  public static final String TRIAL = ".trial";

  private static final String WHOLE =
      "The ledger that is there has all that is known, and the copy has not: leave it in its"
          + " place.";

  private LedgerCopies() {}

  /**
   * What was copied.
   *
   * @param last when the last entry was made
   */
  public record Copied(String ledger, long entries, long charges, String hash, Instant last) {
    private static Copied of(LedgerState state) {
      return new Copied(
          state.ledger().orElse(""), state.seq(), state.charges(), state.hash(), state.last());
    }
  }

  /** The checksum of a copy, as sha256sum writes and checks it. */
  public static Path checksum(Path copy) {
    return copy.resolveSibling(copy.getFileName() + ".sha256");
  }

  /** Writes a consistent copy while others go on using the ledger. */
  public static Copied backup(LedgerPlace from, Path file) {
    if (Files.exists(file)) {
      throw refused("There is a file " + file + " already.", "Choose a name that is free.");
    }
    if (!from.ground().exists()) {
      throw refused("There is no ledger at " + from.ground().place() + ".", RepairCommands.LOSS);
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    try {
      delete(part);
      Copied copied;
      try (LedgerStore source = from.ground().open();
          SqliteStore target = SqliteStore.open(part)) {
        copied =
            target.exclusively(
                to -> source.reading(session -> Copied.of(copied(source.place(), session, to))));
      }
      sync(part);
      Path sum = checksum(file);
      PrivateFiles.create(sum);
      Files.writeString(sum, digest(part) + "  " + file.getFileName() + "\n");
      sync(sum);
      Files.deleteIfExists(Anchor.beside(file));
      anchor(Anchor.beside(file), copied);
      // Last: a copy that is there is whole, and has what belongs to it.
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      return copied;
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /**
   * A copy with which a start can be tried, or the name of none where a start would begin a ledger.
   *
   * @throws LedgerError when the ledger cannot be read, or could take no charge
   */
  public static Path trial(LedgerPlace place, Path folder) {
    Path copy = folder.resolve("ledger" + TRIAL);
    if (place.isBlank()) {
      return copy;
    }
    try (LedgerStore store = place.ground().open()) {
      store.check();
    }
    try {
      // Before the copy: what is charged meanwhile is in both or in neither.
      Optional<byte[]> anchor =
          Files.exists(place.anchor())
              ? Optional.of(Files.readAllBytes(place.anchor()))
              : Optional.empty();
      backup(place, copy);
      if (anchor.isPresent()) {
        Files.write(Anchor.beside(copy), anchor.get());
      }
      return copy;
    } catch (IOException e) {
      throw unwritable(copy, e);
    }
  }

  private static LedgerState copied(
      String place, LedgerStore.Session from, LedgerStore.Session to) {
    requireHere(place, from.isMoved());
    LedgerState state = new LedgerState(place, NO_LIMITS);
    from.after(
        0,
        entry -> {
          state.add(entry);
          append(to, entry);
        });
    from.released(to::keep);
    if (state.seq() == 0) {
      throw refused(
          "There is no ledger at " + place + ": it has no entries.", RepairCommands.STORE);
    }
    return state;
  }

  private static void requireHere(String place, boolean moved) {
    if (moved) {
      throw RepairCommands.moved(place, Optional.empty());
    }
  }

  /** In pieces, so that no driver collects all of a long ledger. */
  private static void append(LedgerStore.Session to, LedgerEntry entry) {
    to.append(entry);
    if (entry.seq() % AT_ONCE == 0) {
      to.after(entry.seq(), ignored -> {});
    }
  }

  /**
   * What came back.
   *
   * @param missing what the copy lacked and the owner covered, in words
   */
  public record Restored(Copied copied, Optional<String> missing) {}

  /**
   * Puts a copy in the place of a ledger, which is kept aside.
   *
   * @param measured the ledger that the metrics name as theirs
   * @param cover a charge for what the copy lacks
   * @throws LedgerError when the copy is damaged, another ledger's, or lacks what is known of it
   *     and nothing covers that
   */
  public static Restored restore(
      LedgerPlace into,
      Path copy,
      Optional<KnownLedger> measured,
      Optional<CoveringCharge> cover,
      String owner,
      String note) {
    requireWhole(copy);
    Path work = workingCopy(into, copy);
    try (SqliteStore source = SqliteStore.open(work)) {
      LedgerState have = source.reading(session -> read(source.place(), session));
      Copied copied = Copied.of(have);
      require(copied, measured.map(KnownLedger::id), "the metrics name");
      Known known = known(into, copied, measured.flatMap(m -> m.mark(have)));
      List<Anchor.Mark> lacked =
          source.reading(
              session -> known.marks().stream().filter(mark -> !mark.isIn(session)).toList());
      Optional<String> missing =
          lacked.stream()
              .max(
                  Comparator.comparingLong(Anchor.Mark::seq)
                      .thenComparing(mark -> mark.charges().isPresent()))
              .map(mark -> missing(mark, copied));
      boolean whole = known.whole();
      if (missing.isPresent() && (whole || cover.isEmpty())) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_ROLLED_BACK,
            "The copy "
                + copy
                + (lacked.stream().anyMatch(mark -> mark.seq() > copied.entries())
                    ? " is older than what is known of the ledger: "
                    : " went another way than what is known of the ledger: ")
                + missing.get()
                + ".",
            whole
                ? WHOLE
                : "Restore the newest copy. If there is none, let a charge stand for what is"
                    + " missing, as large as all of it together: --charge EPSILON");
      }
      String why = missing.map(m -> note + " (restored from a copy; " + m + ")").orElse(note);
      LedgerState[] renewed = new LedgerState[1];
      into.ground()
          .renew(
              to ->
                  source.reading(
                      session -> {
                        LedgerState state = copied(source.place(), session, to);
                        renewed[0] = state;
                        if (missing.isPresent()) {
                          CoveringCharge.Place place =
                              new CoveringCharge.Place(state, event -> next(to, state, event));
                          place.append().accept(new LedgerEvent.LossAccepted(owner, why));
                          cover.orElseThrow().charge(place);
                        }
                        return null;
                      }));
      // Last: until the new ledger stands, what is known keeps everything closed.
      SeenLedgers.begin(copied.ledger(), renewed[0]);
      Files.deleteIfExists(into.anchor());
      anchor(into.anchor(), Copied.of(renewed[0]));
      return new Restored(copied, missing);
    } catch (IOException e) {
      throw unwritable(into.anchor(), e);
    } finally {
      quietly(work);
    }
  }

  private static void next(LedgerStore.Session session, LedgerState state, LedgerEvent event) {
    Instant now = LedgerOpening.now(Clock.systemUTC());
    Instant at = now.isAfter(state.last()) ? now : state.last();
    LedgerEntry entry = LedgerEntry.following(state.seq() + 1, at, event, state.hash());
    session.append(entry);
    state.add(entry);
  }

  private static LedgerState read(String place, LedgerStore.Session session) {
    LedgerState state = new LedgerState(place, NO_LIMITS);
    session.after(0, state::add);
    return state;
  }

  private static void require(Copied copied, Optional<String> other, String who) {
    if (other.isPresent() && !other.get().equals(copied.ledger())) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_ROLLED_BACK,
          "It is another ledger: " + copied.ledger() + ", and " + who + " " + other.get() + ".",
          "Choose a copy of the ledger of this policy.");
    }
  }

  /** What a copy lacks that does not contain an entry. */
  private static String missing(Anchor.Mark mark, Copied copied) {
    return mark.seq() > copied.entries()
        ? SeenLedgers.lacking(mark, copied.entries(), copied.charges())
        : "its entry "
            + mark.seq()
            + " is not the one that is known, so that charges before and after it may be missing";
  }

  /**
   * What is known of a ledger.
   *
   * @param marks entries that it has
   * @param whole whether the one that is there contains all of them
   */
  private record Known(List<Anchor.Mark> marks, boolean whole) {}

  /** What the anchor, this machine, the metrics and the ledger that is there know. */
  private static Known known(LedgerPlace into, Copied copied, Optional<Anchor.Mark> measured) {
    Optional<Anchor.Mark> anchored = Anchor.read(into.anchor());
    require(copied, anchored.map(Anchor.Mark::ledger), "the anchor is of");
    List<Anchor.Mark> kept =
        Stream.of(anchored, SeenLedgers.read(copied.ledger()), measured)
            .flatMap(Optional::stream)
            .toList();
    Set<Anchor.Mark> found = new HashSet<>();
    Optional<Anchor.Mark> present = present(into, kept, found);
    require(copied, present.map(Anchor.Mark::ledger), "the one that is there is");
    return new Known(
        Stream.concat(kept.stream(), present.stream()).toList(),
        present.isPresent() && found.containsAll(kept));
  }

  /**
   * Of the ledger that is there, as far as it can be read.
   *
   * @param found gets those of the marks that are in it
   */
  private static Optional<Anchor.Mark> present(
      LedgerPlace into, List<Anchor.Mark> marks, Set<Anchor.Mark> found) {
    if (!into.ground().exists()) {
      return Optional.empty();
    }
    LedgerState state = new LedgerState(into.ground().place(), NO_LIMITS);
    boolean[] moved = {false};
    try (LedgerStore store = into.ground().open()) {
      store.reading(
          session -> {
            moved[0] = session.isMoved();
            session.after(
                0,
                entry -> {
                  state.add(entry);
                  marks.stream()
                      .filter(m -> m.seq() == entry.seq() && m.hash().equals(entry.hash()))
                      .forEach(found::add);
                });
            return null;
          });
    } catch (LedgerError damage) {
      // What comes before the damage counts. A server that is away has no damage.
      boolean away = into.file().isEmpty() && damage.code() == LedgerError.Code.LEDGER_UNAVAILABLE;
      if (away || !LedgerRepair.isDamage(damage)) {
        throw damage;
      }
    }
    requireHere(into.ground().place(), moved[0]);
    return state
        .ledger()
        .map(id -> new Anchor.Mark(id, state.seq(), state.hash(), Optional.of(state.charges())));
  }

  /**
   * Lets the entries go on elsewhere: the old place keeps them and takes no more. Whatever ends
   * this in between, it can be done again.
   */
  public static Copied move(LedgerPlace from, LedgerPlace to) {
    if (from.ground().place().equals(to.ground().place())) {
      throw refused("The ledger is at " + to.ground().place() + " already.", "");
    }
    if (!from.ground().exists()) {
      throw refused("There is no ledger at " + from.ground().place() + ".", RepairCommands.LOSS);
    }
    try (LedgerStore source = from.ground().open()) {
      makeRoom(to, source.reading(session -> read(source.place(), session)).ledger());
    }
    try (LedgerStore source = from.ground().open();
        LedgerStore target = to.ground().open()) {
      // First the copy is there, then the old place is closed: at no time is there none.
      Copied moved =
          source.exclusively(
              session -> {
                Copied copied =
                    target.exclusively(
                        other -> {
                          requireAnchored(to.anchor(), session);
                          return followed(source, session, target, other);
                        });
                if (!session.isMoved()) {
                  session.moved(true);
                }
                return copied;
              });
      anchor(to.anchor(), moved);
      return moved;
    }
  }

  /**
   * Whoever started a server before the ledger was brought has begun another one: it gives way, and
   * is kept aside, if nothing was ever charged or granted there. Interrupted, it is done again.
   *
   * @param coming the ledger that comes
   */
  private static void makeRoom(LedgerPlace to, Optional<String> coming) {
    if (!to.ground().exists()) {
      return;
    }
    LedgerState there = new LedgerState(to.ground().place(), NO_LIMITS);
    boolean gives;
    try (LedgerStore store = to.ground().open()) {
      gives =
          store.exclusively(
              session -> {
                boolean[] used = {false};
                session.after(
                    0,
                    entry -> {
                      there.add(entry);
                      used[0] |= !saysNothing(entry.event());
                    });
                boolean unused = there.seq() > 0 && !used[0] && !there.ledger().equals(coming);
                if (unused && !session.isMoved()) {
                  session.moved(true); // a server that runs on it takes no charge from here on
                }
                return unused;
              });
    }
    if (gives) {
      if (Anchor.read(to.anchor()).map(Anchor.Mark::ledger).equals(there.ledger())) {
        remove(to.anchor());
      }
      to.ground().renew(session -> {});
    }
  }

  private static boolean saysNothing(LedgerEvent event) {
    return event instanceof LedgerEvent.Opened
        || event instanceof LedgerEvent.Declared
        || event instanceof LedgerEvent.Bound;
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  /** What was there before, as its anchor says, has to be of this ledger. */
  private static void requireAnchored(Path anchor, LedgerStore.Session from) {
    if (Anchor.read(anchor).stream().anyMatch(mark -> !mark.isIn(from))) {
      throw refused(
          "The anchor " + anchor + " is of a ledger that has entries which this one lacks.",
          "Move to a place where there is none, or put the ledger of that anchor back.");
    }
  }

  /** What the target lacks; it has the beginning if it was moved to, or from, before. */
  private static Copied followed(
      LedgerStore source, LedgerStore.Session from, LedgerStore target, LedgerStore.Session to) {
    LedgerState there = read(target.place(), to);
    LedgerState state = new LedgerState(source.place(), NO_LIMITS);
    if (there.seq() > 0) {
      if (!last(there).isIn(from)) {
        throw refused(
            "There is a ledger at " + target.place() + " that is not the beginning of this one.",
            "Move to a place where there is none.");
      }
    }
    if (from.isMoved()) {
      // Only what was interrupted is done again: other places would fork the ledger.
      boolean done = there.seq() > 0 && !to.isMoved() && !isLonger(from, there.seq());
      requireHere(source.place(), !done);
    }
    if (to.isMoved()) {
      to.moved(false);
    }
    from.after(
        0,
        entry -> {
          state.add(entry);
          if (entry.seq() > there.seq()) {
            append(to, entry);
          }
        });
    from.released(to::keep);
    if (state.seq() == 0) {
      throw refused("There is no ledger at " + source.place() + ".", RepairCommands.STORE);
    }
    return Copied.of(state);
  }

  private static Anchor.Mark last(LedgerState state) {
    return new Anchor.Mark(state.ledger().orElse(""), state.seq(), state.hash());
  }

  private static boolean isLonger(LedgerStore.Session session, long seq) {
    boolean[] more = {false};
    session.after(seq, entry -> more[0] = true);
    return more[0];
  }

  private static void anchor(Path file, Copied copied) {
    try (Anchor anchor = Anchor.open(file)) {
      anchor.write(copied.ledger(), copied.entries(), copied.hash());
      anchor.write(copied.ledger(), copied.entries(), copied.hash());
    }
  }

  private static void requireWhole(Path copy) {
    try {
      String said = Files.readString(checksum(copy)).split(" ", 2)[0];
      if (!said.equals(digest(copy))) {
        throw RepairCommands.corrupt(copy.toString(), "its checksum is another one");
      }
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_MISSING,
          "The copy " + copy + " or its checksum " + checksum(copy) + " cannot be read.",
          "Both are written by: ./flexdp ledger backup --policy FILE --to COPY",
          e);
    }
  }

  /** Reading a database may write to its file; the copy stays as it is. */
  private static Path workingCopy(LedgerPlace into, Path copy) {
    Path work = into.anchor().resolveSibling(into.anchor().getFileName() + ".restoring");
    try {
      delete(work);
      PrivateFiles.create(work);
      Files.copy(copy, work, StandardCopyOption.REPLACE_EXISTING);
      return work;
    } catch (IOException e) {
      throw unwritable(work, e);
    }
  }

  private static void delete(Path file) throws IOException {
    for (String part : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + part));
    }
  }

  private static void quietly(Path file) {
    try {
      delete(file);
    } catch (IOException e) {
      return; // it is written over the next time
    }
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static String digest(Path file) throws IOException {
    try {
      MessageDigest sum = MessageDigest.getInstance("SHA-256");
      try (var in = Files.newInputStream(file)) {
        byte[] piece = new byte[1 << 16];
        for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
          sum.update(piece, 0, n);
        }
      }
      return HexFormat.of().formatHex(sum.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new UncheckedIOException(new IOException(e));
    }
  }

  private static LedgerError refused(String message, String hint) {
    return LedgerError.of(LedgerError.Code.LEDGER_UNAVAILABLE, message, hint);
  }

  private static LedgerError unwritable(Path file, IOException e) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_READ_ONLY,
        "The file " + file + " cannot be written.",
        RepairCommands.WRITABLE,
        e);
  }
}
