package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.ledger.Ledger.Reservation;
import flexdp.gateway.ledger.LedgerOpening.PolicyAgreement;
import flexdp.gateway.ledger.StoredAnswers.PendingSettlements;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A ledger as a chain of entries in a store. A decision is made inside the store's exclusive
 * transaction, on sums that include what other processes appended meanwhile, so no two decisions
 * can spend the same rest. Threads that wait for the store are served in one transaction, see
 * {@link GroupCommit}.
 */
final class ChainedLedger implements Ledger {
  /** Corrections of the clock up to this pass; entries keep the time of the one before. */
  static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);

  private static final int BATCH = 512;

  /** What a look finds, and finds to be over. */
  private static final Set<LedgerError.Code> LOOKED_AT =
      EnumSet.of(
          LedgerError.Code.LEDGER_FULL,
          LedgerError.Code.LEDGER_READ_ONLY,
          LedgerError.Code.LEDGER_BUSY,
          LedgerError.Code.LEDGER_CLOCK,
          LedgerError.Code.LEDGER_UNAVAILABLE);

  /** Makes the next event from the sums, or refuses by throwing. */
  interface Decision {
    LedgerEvent event(LedgerState state, Instant now);
  }

  /** A waiting thread's wish and what became of it; written by the thread that serves it. */
  private static final class Wish {
    private final Decision decision;
    private Optional<LedgerEntry> entry = Optional.empty();
    private Optional<RuntimeException> refusal = Optional.empty();

    private Wish(Decision decision) {
      this.decision = decision;
    }
  }

  private final LedgerStore store;
  private final Allowances allowances;
  private final Clock clock;
  private final Optional<Anchor> anchor;
  private final Optional<Anchor> sight;
  private final ReentrantLock lock = new ReentrantLock();
  private final GroupCommit<Wish> groupCommit = new GroupCommit<>(BATCH, this::serve);
  private final PendingSettlements settlements = new PendingSettlements(() -> serve(List.of()));
  private final OpenCharges open;
  private final String id;
  private final CountingTerms terms;
  private final Admission admission;
  private final StoredAnswers kept;
  private Map<String, String> own = Map.of();
  private LedgerState state;
  private long agreed = -1;

  /** What the last use ended with, until one ends well. */
  private volatile Optional<LedgerError> fault = Optional.empty();

  /** The last entry that is known to be on disk; a store that lost it is never used again. */
  private Anchor.Mark known;

  private ChainedLedger(
      LedgerStore store,
      Allowances allowances,
      Clock clock,
      Optional<Anchor> anchor,
      LedgerState state) {
    this.store = store;
    this.allowances = allowances;
    this.clock = clock;
    this.anchor = anchor;
    this.state = state;
    this.id = state.ledger().orElseThrow();
    this.sight =
        store.place().endsWith(LedgerCopies.TRIAL)
            ? Optional.empty()
            : anchor.flatMap(ignored -> SeenLedgers.open(id));
    this.terms = CountingTerms.of(allowances);
    this.admission = new Admission(allowances);
    this.open = new OpenCharges(clock, allowances.failures());
    this.kept = new StoredAnswers(store, lock, settlements);
    this.known = new Anchor.Mark(id, state.seq(), state.hash());
  }

  /** A ledger over sums that were read from its store, see {@link LedgerOpening}. */
  static ChainedLedger over(
      LedgerStore store,
      Allowances allowances,
      Clock clock,
      Optional<Anchor> anchor,
      LedgerState state) {
    ChainedLedger ledger = new ChainedLedger(store, allowances, clock, anchor, state);
    ledger.mark();
    return ledger;
  }

  @Override
  public Reservation reserve(ChargeRequest request) {
    LedgerEntry entry = append((sums, now) -> admission.reserve(sums, now, request));
    open.begin(entry.seq(), request);
    return new Reservation(id, entry.seq());
  }

  @Override
  public WatchRegister watches() {
    return new WatchRegister(this, admission, clock);
  }

  @Override
  public void bind(TableIdentities tables) {
    Map<String, String> words = AccountMatching.own(tables);
    boolean known =
        reading(
            sums -> {
              AccountMatching matching = AccountMatching.of(sums, tables);
              matching.require(sums);
              return matching.bound().isEmpty();
            });
    if (!known) {
      append(
          (sums, now) -> {
            AccountMatching matching = AccountMatching.of(sums, tables);
            matching.require(sums);
            return new LedgerEvent.Bound(matching.bound());
          });
    }
    lock.lock();
    try {
      own = words;
      state.own(words);
    } finally {
      lock.unlock();
    }
  }

  private LedgerState fresh() {
    return new LedgerState(store.place(), allowances, own);
  }

  @Override
  public void settle(Reservation reservation, ChargeOutcome outcome, List<ReleasedAnswer> answers) {
    if (open.isWithheld(reservation.entry(), () -> reading(sums -> sums))) {
      end(reservation, ChargeOutcome.CANCELLED, Set.of(), List.of());
      open.require(reservation.entry());
    }
    end(reservation, outcome, Set.of(), answers);
  }

  @Override
  public void fail(Reservation reservation, ChargeOutcome outcome, Set<String> meanings) {
    end(reservation, outcome, outcome.isFailure() ? meanings : Set.of(), List.of());
    serve(List.of()); // before anybody hears of it, so that no other process runs it again
    open.require(reservation.entry());
  }

  private void end(
      Reservation reservation,
      ChargeOutcome outcome,
      Set<String> failed,
      List<ReleasedAnswer> answers) {
    if (!reservation.ledger().equals(id) || !open.end(reservation.entry())) {
      throw new IllegalStateException("not open in this ledger: " + reservation);
    }
    settlements.add(reservation, outcome, failed, answers);
    answers.forEach(kept::add);
  }

  @Override
  public void clearFailures(Optional<String> analyst, String by, String note) {
    append((sums, now) -> new LedgerEvent.FailuresCleared(analyst, by, note));
  }

  @Override
  public Map<String, FailureCount> failures() {
    return reading(sums -> sums.failures().counts(clock.instant()));
  }

  @Override
  public List<ReleasedAnswer> find(String key, String snapshot) {
    return kept.find(key, snapshot);
  }

  @Override
  public List<ReleasedAnswer> family(String family, String snapshot, Optional<String> analyst) {
    return kept.family(family, snapshot, analyst);
  }

  @Override
  public void grant(Account account, BigDecimal epsilon, BigDecimal delta, String by, String note) {
    append((sums, now) -> Admission.grant(sums, now, account, epsilon, delta, by, note));
  }

  /** Queues a wish and returns when it was decided durably, by this thread or by another. */
  LedgerEntry append(Decision decision) {
    Wish wish = new Wish(decision);
    groupCommit.await(wish);
    if (wish.refusal.isPresent()) {
      throw wish.refusal.get();
    }
    return wish.entry.orElseThrow();
  }

  /** One transaction for all who wait, and for the questions that ended meanwhile. */
  private void serve(List<Wish> batch) {
    lock.lock();
    try {
      commit(batch);
    } finally {
      lock.unlock();
    }
  }

  private void commit(List<Wish> batch) {
    List<LedgerEntry> decided = new ArrayList<>(batch.size());
    List<PendingSettlements.Ending> ended = settlements.waiting();
    if (batch.isEmpty() && ended.isEmpty()) {
      return;
    }
    try {
      if (state.seq() == 0) {
        // Everything anew takes long in a long ledger: others go on writing meanwhile.
        reread();
      }
      store.exclusively(
          session -> {
            catchUp(session);
            ended.forEach(ending -> settle(ending, session));
            for (Wish wish : batch) {
              decided.add(decide(wish, session));
            }
            return null;
          });
    } catch (RuntimeException e) {
      // What was appended may or may not be on disk: read everything anew before the next decision.
      state = fresh();
      note(e);
      batch.forEach(wish -> wish.refusal = Optional.of(e));
      return;
    }
    fault = Optional.empty();
    settlements.written(ended.size());
    open.stopped(state.failures().stopped());
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).entry = Optional.ofNullable(decided.get(i));
    }
    known = new Anchor.Mark(id, state.seq(), state.hash());
    mark();
  }

  private void mark() {
    anchor.ifPresent(a -> a.write(id, state.seq(), state.hash()));
    try {
      sight.ifPresent(s -> s.write(id, state.seq(), state.hash(), state.charges()));
    } catch (LedgerError e) {
      // It is there for what the anchor does not notice; the charge is on record.
      return;
    }
  }

  private void reread() {
    store.reading(
        session -> {
          catchUp(session);
          return null;
        });
  }

  /** Null when the wish is refused. */
  private LedgerEntry decide(Wish wish, LedgerStore.Session session) {
    Instant now;
    LedgerEvent event;
    try {
      now = at(clock, state, store.place());
      event = wish.decision.event(state, now);
    } catch (RuntimeException refusal) {
      wish.refusal = Optional.of(refusal);
      return null;
    }
    return add(event, now, session);
  }

  /** An ending whose transaction failed after it reached the disk is there already. */
  private void settle(PendingSettlements.Ending ending, LedgerStore.Session session) {
    long charge = ending.reservation().entry();
    if (state.isOpen(charge)) {
      Instant now = LedgerOpening.now(clock);
      Instant at = now.isBefore(state.last()) ? state.last() : now;
      Set<String> failed = open.told(charge, ending.failed(), state.failures());
      add(new LedgerEvent.Settled(charge, ending.outcome(), failed), at, session);
      ending.answers().forEach(answer -> session.keep(answer, charge));
    }
  }

  private LedgerEntry add(LedgerEvent event, Instant at, LedgerStore.Session session) {
    LedgerEntry entry = LedgerEntry.following(state.seq() + 1, at, event, state.hash());
    session.append(entry);
    state.add(entry);
    return entry;
  }

  /** Reads what others appended; the last entry known has to be there still, and unchanged. */
  private void catchUp(LedgerStore.Session session) {
    boolean anew = state.seq() == 0;
    boolean[] seen = {false};
    session.after(
        anew ? 0 : known.seq() - 1,
        entry -> {
          seen[0] |= entry.seq() == known.seq() && entry.hash().equals(known.hash());
          if (anew || entry.seq() > known.seq()) {
            state.add(entry);
          }
        });
    if (!seen[0]) {
      throw LedgerOpening.lacks(store.place(), known, state.ledger().equals(Optional.of(id)));
    }
    if (state.agreements() != agreed || anew) {
      PolicyAgreement.require(state, terms);
      agreed = state.agreements();
    }
    known = new Anchor.Mark(id, state.seq(), state.hash());
    open.stopped(state.failures().stopped());
  }

  /** The time of the next entry: never before the last one. */
  static Instant at(Clock clock, LedgerState state, String place) {
    Instant now = LedgerOpening.now(clock);
    if (now.isBefore(state.last().minus(CLOCK_TOLERANCE))) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_CLOCK,
          "The clock says "
              + now
              + ", but the ledger "
              + place
              + " was written at "
              + state.last()
              + ".",
          RepairCommands.CLOCK);
    }
    return now.isBefore(state.last()) ? state.last() : now;
  }

  @Override
  public Balance standing(Account account) {
    return reading(sums -> sums.standing(account, clock.instant()));
  }

  @Override
  public List<Balance> standings(Set<Account> first) {
    return reading(
        sums -> sums.accounts(first).stream().map(a -> sums.standing(a, clock.instant())).toList());
  }

  @Override
  public List<String> moved(Policy policy) {
    return reading(state -> OwnerMoves.of(state, policy).differences());
  }

  <T> T reading(Function<LedgerState, T> question) {
    lock.lock();
    try {
      commit(List.of());
      return store.reading(
          session -> {
            catchUp(session);
            return question.apply(state);
          });
    } catch (RuntimeException e) {
      state = fresh();
      note(e);
      throw e;
    } finally {
      lock.unlock();
    }
  }

  private void note(RuntimeException e) {
    if (e instanceof LedgerError ledger) {
      fault = Optional.of(ledger);
    }
  }

  @Override
  public boolean isNew() {
    return reading(sums -> sums.charges() == 0 && !sums.lossAccepted());
  }

  @Override
  public void patience(Duration most) {
    store.patience(most);
  }

  @Override
  public Optional<LedgerError> fault() {
    if (lock.tryLock()) { // whoever has it finds out by himself
      try {
        store.check();
        at(clock, state, store.place());
        fault = fault.filter(f -> !LOOKED_AT.contains(f.code()));
      } catch (LedgerError e) {
        note(e);
      } finally {
        lock.unlock();
      }
    }
    return fault;
  }

  @Override
  public void read(Consumer<LedgerEntry> reader) {
    lock.lock();
    try {
      commit(List.of());
      LedgerState check = fresh();
      store.reading(
          session -> {
            session.after(
                0,
                entry -> {
                  check.add(entry);
                  reader.accept(entry);
                });
            return null;
          });
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      settlements.close();
      commit(List.of());
      anchor.ifPresent(Anchor::close);
      sight.ifPresent(Anchor::close);
      store.close();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The charges of one process that have not ended. How a question ends says whether it failed, so
   * of an analyst who was stopped meanwhile nothing more is told: of so many questions as are asked
   * at once.
   */
  private static final class OpenCharges {
    /** After so long a question looks at what other processes wrote before its answer is told. */
    private static final Duration LONG = Duration.ofSeconds(1);

    private record Mine(String analyst, boolean measures, Instant since) {}

    private final Clock clock;
    private final Policy.Failures limit;
    private final Map<Long, Mine> open = new ConcurrentHashMap<>();
    private final Map<Long, String> withheld = new ConcurrentHashMap<>();
    private volatile Set<String> stopped = Set.of();

    OpenCharges(Clock clock, Policy.Failures limit) {
      this.clock = clock;
      this.limit = limit;
    }

    void begin(long charge, ChargeRequest request) {
      open.put(charge, new Mine(request.analyst(), !request.meanings().isEmpty(), clock.instant()));
    }

    /** Whether it was open. */
    boolean end(long charge) {
      return open.remove(charge) != null;
    }

    /** The analysts who were stopped when entries were read last. */
    void stopped(Set<String> analysts) {
      stopped = analysts;
    }

    /**
     * What is put on record as failed: what is not told is neither counted nor remembered, or
     * others would hear of it.
     */
    Set<String> told(long charge, Set<String> failed, QueryFailures failures) {
      if (failed.isEmpty() || !failures.isWithheld(charge)) {
        return failed;
      }
      withheld.put(charge, failures.analyst(charge));
      return Set.of();
    }

    /**
     * Whether an answer is not to be told.
     *
     * @param look reads what other processes wrote
     */
    boolean isWithheld(long charge, Runnable look) {
      Mine mine = open.get(charge);
      if (mine == null || !mine.measures()) {
        return false;
      }
      if (clock.instant().isAfter(mine.since().plus(LONG))) {
        look.run();
      }
      return stopped.contains(mine.analyst()) && withheld.put(charge, mine.analyst()) == null;
    }

    /** Throws where it is not to be told how a charge ended. */
    void require(long charge) {
      String analyst = withheld.remove(charge);
      if (analyst != null) {
        throw new TooManyFailures(analyst, limit);
      }
    }
  }

  /**
   * Group commit: of the threads that wait for the disk one serves all. The others sleep until
   * their wish was served, and are not woken to take turns at a lock.
   */
  private static final class GroupCommit<T> {
    /** A wish and the thread that waits for it. */
    private static final class Waiting<T> {
      private final T wish;
      private final Thread thread = Thread.currentThread();
      private volatile boolean served;

      private Waiting(T wish) {
        this.wish = wish;
      }
    }

    private final int most;
    private final Consumer<List<T>> service;
    private final ConcurrentLinkedQueue<Waiting<T>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean serving = new AtomicBoolean();

    /**
     * @param most wishes served at once
     * @param service serves a batch; never two at a time
     */
    GroupCommit(int most, Consumer<List<T>> service) {
      this.most = most;
      this.service = service;
    }

    /** Returns when the wish was in a batch that was served, by this thread or by another. */
    void await(T wish) {
      Waiting<T> mine = new Waiting<>(wish);
      queue.add(mine);
      boolean interrupted = false;
      while (!mine.served) {
        if (serving.compareAndSet(false, true)) {
          try {
            serve(mine);
          } finally {
            serving.set(false);
            wakeNext();
          }
        } else {
          // Whoever serves now looks at the queue afterwards, so that nobody sleeps for ever.
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void serve(Waiting<T> mine) {
      if (mine.served) {
        return;
      }
      List<Waiting<T>> batch = new ArrayList<>();
      for (Waiting<T> w = queue.poll(); w != null; w = batch.size() < most ? queue.poll() : null) {
        batch.add(w);
      }
      try {
        service.accept(batch.stream().map(w -> w.wish).toList());
      } finally {
        for (Waiting<T> w : batch) {
          w.served = true;
          LockSupport.unpark(w.thread);
        }
      }
    }

    private void wakeNext() {
      Waiting<T> next = queue.peek();
      if (next != null) {
        LockSupport.unpark(next.thread);
      }
    }
  }
}
