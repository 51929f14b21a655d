package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PostgresStore;
import flexdp.gateway.ledger.store.SqliteStore;
import flexdp.policy.Neighbors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;

/**
 * How a ledger is opened: everything in it is read and its chain verified before anything is
 * answered.
 *
 * @param anchor the file that remembers the last entry seen; see {@link Anchor}
 * @param answered whether something else says that answers were released from this data, such as
 *     released metrics; a ledger without charges is then refused
 * @param known the ledger that the metrics name as theirs; another one is refused, and an older one
 */
public record LedgerOpening(
    Allowances allowances,
    Clock clock,
    Path anchor,
    boolean answered,
    Optional<KnownLedger> known) {
  public LedgerOpening(Allowances allowances, Clock clock, Path anchor, boolean answered) {
    this(allowances, clock, anchor, answered, Optional.empty());
  }

  /** The usual case: the ledger NAME.ledger, its anchor beside it, the system's clock. */
  public static Ledger file(Path ledger, Allowances allowances, boolean answered) {
    return new LedgerOpening(allowances, Clock.systemUTC(), Anchor.beside(ledger), answered)
        .sqlite(ledger);
  }

  /** Opens the ledger in a file of its own, or begins one. */
  public Ledger sqlite(Path file) {
    Optional<Anchor.Mark> mark = Anchor.read(anchor);
    if (!Files.exists(file) && (mark.isPresent() || answered)) {
      throw missing(file.toString());
    }
    if (!Files.exists(file) && known.isPresent()) {
      throw gone(file.toString());
    }
    SqliteStore store = SqliteStore.open(file);
    try {
      store.checkPages();
      return over(store, mark);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Opens the ledger in a PostgreSQL database that gateways share, or begins one. */
  public Ledger postgres(String url, Properties properties) {
    Optional<Anchor.Mark> mark = Anchor.read(anchor);
    PostgresStore store = PostgresStore.open(url, properties);
    try {
      return over(store, mark);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Reads the store, begins the ledger when it is new, and checks it against the anchor. */
  Ledger over(LedgerStore store, Optional<Anchor.Mark> mark) {
    LedgerState state =
        exclusively(
            store,
            mark,
            allowances,
            (session, read) -> {
              if (answered && read.charges() == 0 && !read.lossAccepted()) {
                throw missing(store.place());
              }
              Optional<String> named = known.map(KnownLedger::id);
              if (named.isPresent() && !named.equals(read.ledger()) && !read.lossAccepted()) {
                throw unknown(store.place());
              }
              SeenLedgers.require(session, read, store.place());
              known.ifPresent(k -> k.require(session, read));
              if (read.seq() == 0) {
                LedgerEntry first = LedgerEntry.following(1, now(clock), opened(), read.hash());
                session.append(first);
                read.add(first);
              }
              CountingTerms terms = CountingTerms.of(allowances);
              PolicyAgreement.require(read, terms);
              if (!read.terms().equals(Optional.of(terms))) {
                Instant at = ChainedLedger.at(clock, read, store.place());
                LedgerEvent declared = new LedgerEvent.Declared(terms, "");
                LedgerEntry entry =
                    LedgerEntry.following(read.seq() + 1, at, declared, read.hash());
                session.append(entry);
                read.add(entry);
              }
            });
    return ChainedLedger.over(store, allowances, clock, Optional.of(Anchor.open(anchor)), state);
  }

  /**
   * Verifies everything in the store while others go on writing, since that takes long in a long
   * ledger. Nobody else writes during the work, which sees what they appended meanwhile, verified
   * as well.
   */
  static LedgerState exclusively(
      LedgerStore store,
      Optional<Anchor.Mark> mark,
      Allowances allowances,
      BiConsumer<LedgerStore.Session, LedgerState> work) {
    LedgerState state = store.reading(session -> verified(store, session, mark, allowances));
    return store.exclusively(
        session -> {
          follow(store, session, state);
          work.accept(session, state);
          return state;
        });
  }

  /** Takes what was appended after the last entry, which has to be there still, and unchanged. */
  private static void follow(LedgerStore store, LedgerStore.Session session, LedgerState state) {
    Anchor.Mark last = new Anchor.Mark(state.ledger().orElse(""), state.seq(), state.hash());
    boolean[] seen = {last.seq() == 0};
    session.after(
        Math.max(0, last.seq() - 1),
        entry -> {
          seen[0] |= entry.seq() == last.seq() && entry.hash().equals(last.hash());
          if (entry.seq() > last.seq()) {
            state.add(entry);
          }
        });
    if (!seen[0]) {
      throw lacks(store.place(), last, true);
    }
  }

  /** Everything in the store, checked to be one chain that contains the anchor's entry. */
  private static LedgerState verified(
      LedgerStore store,
      LedgerStore.Session session,
      Optional<Anchor.Mark> mark,
      Allowances allowances) {
    if (session.isMoved()) {
      throw RepairCommands.moved(store.place(), Optional.empty());
    }
    LedgerState state = new LedgerState(store.place(), allowances);
    boolean[] seen = {mark.isEmpty()};
    session.after(
        0,
        entry -> {
          state.add(entry);
          mark.ifPresent(m -> seen[0] |= m.seq() == entry.seq() && m.hash().equals(entry.hash()));
        });
    if (!seen[0]) {
      throw lacks(store.place(), mark.orElseThrow(), state.seq() > 0);
    }
    return state;
  }

  /** A ledger that lost an entry, or all of them. */
  static LedgerError lacks(String place, Anchor.Mark mark, boolean something) {
    if (!something) {
      return missing(place);
    }
    return LedgerError.of(
        LedgerError.Code.LEDGER_ROLLED_BACK,
        "The ledger "
            + place
            + " lacks entry "
            + mark.seq()
            + ", which was in it before: it is an older copy, was cut off, or is another ledger.",
        RepairCommands.LOSS);
  }

  static LedgerEvent.Opened opened() {
    return new LedgerEvent.Opened(UUID.randomUUID().toString(), "flexdp-ledger-1");
  }

  static Instant now(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private static LedgerError missing(String place) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_MISSING,
        "The ledger " + place + " is gone or empty, although answers were released from this data.",
        RepairCommands.LOSS);
  }

  /** Metrics name a ledger, and none is here. */
  private static LedgerError gone(String place) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_MISSING,
        "There is no ledger "
            + place
            + ", and the metrics were measured beside one, whose charges count for this data.",
        RepairCommands.GONE);
  }

  /** Metrics came here without their ledger: renamed, copied, or asked with another one. */
  private static LedgerError unknown(String place) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_MISSING,
        "The ledger "
            + place
            + " is not the one that the metrics were measured beside, whose charges count for this"
            + " data.",
        RepairCommands.ELSEWHERE);
  }

  /** Whether a policy counts as the entries of a ledger were made, and in what it differs. */
  static final class PolicyAgreement {
    private PolicyAgreement() {}

    /** What the owner has to decide before anything is answered under these terms; one per line. */
    static List<String> differences(LedgerState state, CountingTerms mine) {
      List<String> all = new ArrayList<>();
      if (state.charges() == 0) {
        return all;
      }
      Neighbors now = mine.neighbors().orElseThrow();
      String before =
          state
              .terms()
              .flatMap(CountingTerms::neighbors)
              .map(Neighbors::word)
              .orElse(
                  now == Neighbors.REPLACE_ONE ? "neighbours that are not recorded" : now.word());
      if (!before.equals(now.word())) {
        all.add("neighbors: " + now.word() + " instead of " + before);
      }
      String unit = state.terms().flatMap(CountingTerms::unit).orElse(PrivacyBasis.ROW);
      if (!unit.equals(mine.unit().orElseThrow())) {
        all.add("unit: " + mine.unit().orElseThrow() + " instead of " + unit);
      }
      TreeSet<String> compositions = new TreeSet<>();
      state
          .tallies()
          .forEach(
              (account, tally) ->
                  mine.limits()
                      .composition(account)
                      .filter(c -> tally.composition().filter(t -> t != c).isPresent())
                      .ifPresent(
                          c ->
                              compositions.add(
                                  (account instanceof Account.Table ? "tables" : account)
                                      + ": composition "
                                      + PrivacyBasis.word(c)
                                      + " instead of "
                                      + PrivacyBasis.word(tally.composition().get()))));
      all.addAll(compositions);
      return all;
    }

    /** Refuses terms under which the entries would mean something else. */
    static void require(LedgerState state, CountingTerms mine) {
      List<String> differences = differences(state, mine);
      if (!differences.isEmpty()) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_POLICY,
            "The policy counts otherwise than the ledger "
                + state.place()
                + " was spent under ("
                + String.join("; ", differences)
                + ").",
            RepairCommands.POLICY);
      }
    }
  }
}
