package flexdp.gateway.ledger;

import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.ledger.Adoption.OwnerAdoption;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PostgresStore;
import flexdp.gateway.ledger.store.SqliteStore;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;

/**
 * What only the owner may do to a ledger that is refused. All of it is entries itself, so the
 * record says who did it.
 */
public final class LedgerRepair {
  private static final Allowances NO_LIMITS = new Allowances(Optional.empty(), Map.of());

  /** Where the ledger is, and how another takes its place. */
  interface RepairTarget {
    String place();

    /** Whether there is something to save. */
    boolean exists();

    LedgerStore open();

    /** Puts a new ledger in place of the old one, which is kept aside. */
    void renew(Consumer<LedgerStore.Session> content);
  }

  private final RepairTarget ground;
  private final Path anchor;
  private final Clock clock;

  LedgerRepair(RepairTarget ground, Path anchor, Clock clock) {
    this.ground = ground;
    this.anchor = anchor;
    this.clock = clock;
  }

  public LedgerRepair(Path file, Path anchor, Clock clock) {
    this(new SqliteRepairTarget(file, clock), anchor, clock);
  }

  /** The repair of a ledger that gateways share. */
  public static LedgerRepair postgres(String url, Properties properties, Path anchor, Clock clock) {
    return new LedgerRepair(new PostgresRepairTarget(url, properties, clock), anchor, clock);
  }

  /** The repair of the ledger NAME.ledger with its anchor beside it. */
  public static LedgerRepair of(Path ledger) {
    return new LedgerRepair(ledger, Anchor.beside(ledger), Clock.systemUTC());
  }

  /**
   * What a repair found.
   *
   * @param saved how many entries are intact
   * @param lost what is known to be gone, in words; nothing if nobody knows
   */
  public record Saved(long saved, Optional<String> lost) {}

  /**
   * Goes on with the entries that are intact. What is damaged is kept aside under another name.
   *
   * @return how many entries were saved
   */
  public long acceptLoss(String owner, String note) {
    return acceptLoss(owner, note, Optional.empty(), session -> {}).saved();
  }

  /**
   * Accepts a loss and says what was lost.
   *
   * @param measured what the metrics know of the ledger
   * @param cover appends a charge that stands for what was lost
   */
  public Saved acceptLoss(
      String owner,
      String note,
      Optional<KnownLedger> measured,
      Consumer<CoveringCharge.Place> cover) {
    List<LedgerEntry> saved = salvage();
    Optional<String> id =
        saved.isEmpty() || !(saved.getFirst().event() instanceof LedgerEvent.Opened opened)
            ? Optional.empty()
            : Optional.of(opened.ledger());
    long charges = saved.stream().filter(e -> e.event() instanceof LedgerEvent.Reserved).count();
    Optional<String> lost =
        CoveringCharge.newest(anchor, id, measured)
            .filter(mark -> mark.seq() > saved.size())
            .map(mark -> SeenLedgers.lacking(mark, saved.size(), charges));
    LedgerState[] renewed = new LedgerState[1];
    ground.renew(
        session -> {
          LedgerState state = begin(session, saved, new LedgerEvent.LossAccepted(owner, note));
          renewed[0] = state;
          cover.accept(new CoveringCharge.Place(state, event -> append(session, state, event)));
        });
    id.ifPresent(ledger -> SeenLedgers.begin(ledger, renewed[0]));
    try {
      // Last: until the new ledger stands, the old anchor keeps everything closed.
      Files.deleteIfExists(anchor);
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_READ_ONLY,
          "The anchor " + anchor + " of the ledger cannot be removed.",
          RepairCommands.WRITABLE,
          e);
    }
    return new Saved(saved.size(), lost);
  }

  private LedgerState begin(
      LedgerStore.Session session, List<LedgerEntry> saved, LedgerEvent.LossAccepted accepted) {
    LedgerState state = new LedgerState(ground.place(), NO_LIMITS);
    for (LedgerEntry entry : saved) {
      session.append(entry);
      state.add(entry);
    }
    if (saved.isEmpty()) {
      append(session, state, LedgerOpening.opened());
    }
    append(session, state, accepted);
    return state;
  }

  /** Lets time start again at what the clock says now. */
  public void acceptClock(String owner, String note) {
    try (LedgerStore store = ground.open()) {
      LedgerOpening.exclusively(
          store,
          Anchor.read(anchor),
          NO_LIMITS,
          (session, state) -> append(session, state, new LedgerEvent.ClockAccepted(owner, note)));
    }
  }

  /**
   * Lets the entries count under another policy from here on, by the larger loss.
   *
   * @param tables what the policy's database says; without it, tables are left as they are
   * @param write whether it is done, or only shown
   * @throws IllegalArgumentException when the choice names what there is not
   */
  public Adoption adopt(
      Allowances allowances,
      Optional<TableIdentities> tables,
      Adoption.Choice choice,
      String owner,
      String note,
      boolean write) {
    try (LedgerStore store = ground.open()) {
      LedgerState before = new LedgerState(ground.place(), NO_LIMITS);
      store.reading(
          session -> {
            session.after(0, before::add);
            return null;
          });
      Neighbors old =
          before.terms().flatMap(CountingTerms::neighbors).orElse(Neighbors.ADD_REMOVE_ONE);
      Adoption[] made = new Adoption[1];
      LedgerState[] counted = {new LedgerState(ground.place(), allowances.under(old))};
      LedgerOpening.exclusively(
          store,
          Anchor.read(anchor),
          allowances,
          (session, state) -> {
            session.after(0, counted[0]::add);
            made[0] = Adoption.of(counted[0], state, allowances, tables, choice, owner, note);
            if (made[0].isNeeded()) {
              LedgerEntry entry = next(state, made[0].event());
              state.add(entry);
              if (write) {
                session.append(entry);
              }
            }
            made[0] = made[0].counted(counted[0], state, LedgerOpening.now(clock));
          });
      return made[0];
    }
  }

  /**
   * Lets what was spent count under a policy that says otherwise whose rows are whose. To be done
   * after everything else was adopted.
   *
   * @param write whether it is done, or only shown
   */
  public OwnerAdoption adoptOwners(
      Policy policy, Optional<TableIdentities> tables, String owner, String note, boolean write) {
    Map<String, String> own = tables.map(AccountMatching::own).orElse(Map.of());
    try (LedgerStore store = ground.open()) {
      Allowances allowances = Allowances.of(policy);
      OwnerAdoption[] made = new OwnerAdoption[1];
      LedgerOpening.exclusively(
          store,
          Anchor.read(anchor),
          allowances,
          (session, state) -> {
            LedgerState before = new LedgerState(ground.place(), allowances, own);
            LedgerState after = new LedgerState(ground.place(), allowances, own);
            session.after(
                0,
                entry -> {
                  before.add(entry);
                  after.add(entry);
                });
            OwnerMoves moves = OwnerMoves.of(before, policy);
            if (moves.isNeeded()) {
              LedgerEntry entry = next(after, moves.event(owner, note));
              after.add(entry);
              if (write) {
                session.append(entry);
              }
            }
            made[0] = OwnerAdoption.of(moves, before, after, LedgerOpening.now(clock));
          });
      return made[0];
    }
  }

  /** Adopts without a database: tables stay as they are. */
  public void acceptPolicy(Allowances allowances, String owner) {
    adopt(allowances, Optional.empty(), Adoption.Choice.NONE, owner, "", true);
  }

  private void append(LedgerStore.Session session, LedgerState state, LedgerEvent event) {
    LedgerEntry entry = next(state, event);
    session.append(entry);
    state.add(entry);
  }

  private LedgerEntry next(LedgerState state, LedgerEvent event) {
    Instant now = LedgerOpening.now(clock);
    boolean restart = event instanceof LedgerEvent.ClockAccepted;
    Instant at = restart || now.isAfter(state.last()) ? now : state.last();
    return LedgerEntry.following(state.seq() + 1, at, event, state.hash());
  }

  /** The longest beginning that is a chain. */
  private List<LedgerEntry> salvage() {
    List<LedgerEntry> saved = new ArrayList<>();
    if (ground.exists()) {
      LedgerState state = new LedgerState(ground.place(), NO_LIMITS);
      boolean[] moved = {false};
      try (LedgerStore store = ground.open()) {
        store.reading(
            session -> {
              moved[0] = session.isMoved();
              session.after(
                  0,
                  entry -> {
                    state.add(entry);
                    saved.add(entry);
                  });
              return null;
            });
      } catch (LedgerError damage) {
        if (!isDamage(damage)) {
          throw damage;
        }
      }
      if (moved[0]) {
        throw RepairCommands.moved(ground.place(), Optional.empty());
      }
    }
    return saved;
  }

  /** Damage is what a repair is for; a file that is busy or of a newer version is not damaged. */
  static boolean isDamage(LedgerError error) {
    return switch (error.code()) {
      case LEDGER_CORRUPT, LEDGER_UNAVAILABLE, LEDGER_ROLLED_BACK, LEDGER_MISSING -> true;
      case LEDGER_READ_ONLY, LEDGER_FULL, LEDGER_CLOCK, LEDGER_BUSY, LEDGER_NEWER, LEDGER_POLICY ->
          false;
    };
  }

  /** A ledger in a file: its successor is written beside it and then moved into its place. */
  record SqliteRepairTarget(Path file, Clock clock) implements LedgerRepair.RepairTarget {
    @Override
    public String place() {
      return file.toString();
    }

    @Override
    public boolean exists() {
      return Files.exists(file);
    }

    @Override
    public LedgerStore open() {
      return SqliteStore.open(file);
    }

    @Override
    public void renew(Consumer<LedgerStore.Session> content) {
      Path fresh = file.resolveSibling(file.getFileName() + ".repairing");
      try {
        Files.deleteIfExists(fresh);
        try (SqliteStore store = SqliteStore.open(fresh)) {
          store.exclusively(
              session -> {
                content.accept(session);
                return null;
              });
        }
        setAside();
        Files.move(
            fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_READ_ONLY,
            "The folder of the ledger " + file + " cannot be written.",
            RepairCommands.WRITABLE,
            e);
      }
    }

    private void setAside() throws IOException {
      String first = ".damaged-" + clock.instant().getEpochSecond();
      String suffix = first;
      for (int n = 2; Files.exists(file.resolveSibling(file.getFileName() + suffix)); n++) {
        suffix = first + "-" + n;
      }
      for (String part : List.of("-wal", "-shm", "")) {
        Path from = file.resolveSibling(file.getFileName() + part);
        Path to = file.resolveSibling(file.getFileName() + suffix + part);
        if (Files.exists(from) && part.isEmpty()) {
          Files.createLink(to, from);
        } else if (Files.exists(from)) {
          Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /**
   * A ledger in a database: in one transaction its table is renamed and another takes its place.
   */
  record PostgresRepairTarget(String url, Properties properties, Clock clock)
      implements LedgerRepair.RepairTarget {
    @Override
    public String place() {
      return PostgresStore.withoutParameters(url);
    }

    /** The store makes what is missing. */
    @Override
    public boolean exists() {
      return true;
    }

    @Override
    public LedgerStore open() {
      return PostgresStore.open(url, properties);
    }

    @Override
    public void renew(Consumer<LedgerStore.Session> content) {
      try (PostgresStore store = PostgresStore.open(url, properties)) {
        store.renew("entry_damaged_" + clock.instant().toEpochMilli(), content);
      }
    }
  }
}
