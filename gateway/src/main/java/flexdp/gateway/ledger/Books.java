package flexdp.gateway.ledger;

import flexdp.LedgerError;
import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.budget.Spent;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The sums of a ledger: a fold over its entries that also checks that they form one chain. */
final class Books {
  /** What one account has paid; charges are kept one by one only for a window. */
  private static final class Tally {
    private Spent spent = Spent.NOTHING;
    private BigDecimal grantedEpsilon = BigDecimal.ZERO;
    private BigDecimal grantedDelta = BigDecimal.ZERO;
    private final Deque<Dated> dated = new ArrayDeque<>();
  }

  private record Dated(Instant at, Cost cost) {}

  private final String place;
  private final Allowances allowances;
  private final Map<Account, Tally> tallies = new HashMap<>();
  private final Set<Long> open = new HashSet<>();
  private Optional<String> ledger = Optional.empty();
  private long seq;
  private long charges;
  private boolean lossAccepted;
  private Optional<Limits> limits = Optional.empty();
  private String hash = Entry.START;
  private Instant last = Instant.EPOCH;

  Books(String place, Allowances allowances) {
    this.place = place;
    this.allowances = allowances;
  }

  /** Takes the next entry; whatever does not continue the chain is damage. */
  void add(Entry entry) {
    if (entry.seq() != seq + 1) {
      throw Repairs.corrupt(
          place, "entry " + (seq + 1) + " is missing, entry " + entry.seq() + " follows " + seq);
    }
    if (!entry.previous().equals(hash)) {
      throw Repairs.corrupt(place, "entry " + entry.seq() + " does not follow the one before");
    }
    if ((entry.event() instanceof Event.Opened) != (seq == 0)) {
      throw Repairs.corrupt(place, "it does not begin with its opening");
    }
    if (entry.at().isBefore(last) && !(entry.event() instanceof Event.ClockAccepted)) {
      throw Repairs.corrupt(place, "entry " + entry.seq() + " is older than the one before");
    }
    seq = entry.seq();
    hash = entry.hash();
    last = entry.at();
    switch (entry.event()) {
      case Event.Opened opened -> ledger = Optional.of(opened.ledger());
      case Event.Reserved reserved -> charge(reserved.request(), entry);
      case Event.Settled settled -> {
        if (!open.remove(settled.reservation())) {
          throw Repairs.corrupt(place, "entry " + seq + " settles what is not open");
        }
      }
      case Event.Granted granted -> {
        Tally tally = tally(granted.account());
        tally.grantedEpsilon = tally.grantedEpsilon.add(granted.epsilon());
        tally.grantedDelta = tally.grantedDelta.add(granted.delta());
      }
      case Event.Declared declared -> limits = Optional.of(declared.limits());
      case Event.ClockAccepted ignored -> {}
      case Event.LossAccepted ignored -> lossAccepted = true;
    }
  }

  private void charge(Request request, Entry entry) {
    open.add(entry.seq());
    charges++;
    for (Account account : request.accounts()) {
      Tally tally = tally(account);
      tally.spent = tally.spent.plus(request.cost());
      if (windowed(account)) {
        tally.dated.add(new Dated(entry.at(), request.cost()));
      }
    }
  }

  /** How an account stands at a time: what left its window no longer counts. */
  Standing standing(Account account, Instant now) {
    Tally tally = tallies.getOrDefault(account, new Tally());
    Optional<Allowance> allowance =
        allowances.of(account).map(a -> a.plus(tally.grantedEpsilon, tally.grantedDelta));
    Optional<Duration> window = allowance.flatMap(Allowance::window);
    Spent spent = window.isPresent() ? within(tally, window.get(), now) : tally.spent;
    return new Standing(account, allowance, spent);
  }

  /**
   * What was spent within the window. Charges are forgotten for good only by the time of the last
   * entry, which is on record: a clock that runs ahead for a while takes nothing away. After an
   * accepted clock, later entries may hide behind earlier ones and count for longer, which errs on
   * the safe side.
   */
  private Spent within(Tally tally, Duration window, Instant now) {
    Instant recorded = last.minus(window);
    while (!tally.dated.isEmpty() && !tally.dated.peek().at().isAfter(recorded)) {
      tally.spent = tally.spent.minus(tally.dated.poll().cost());
    }
    Spent spent = tally.spent;
    for (Dated charge : tally.dated) {
      if (charge.at().isAfter(now.minus(window))) {
        break;
      }
      spent = spent.minus(charge.cost());
    }
    return spent;
  }

  private boolean windowed(Account account) {
    return allowances.of(account).flatMap(Allowance::window).isPresent();
  }

  private Tally tally(Account account) {
    return tallies.computeIfAbsent(account, ignored -> new Tally());
  }

  Set<Account> accounts() {
    return new TreeSet<>(tallies.keySet());
  }

  Optional<String> ledger() {
    return ledger;
  }

  boolean isOpen(long reservation) {
    return open.contains(reservation);
  }

  long seq() {
    return seq;
  }

  /** How many charges there are. */
  long charges() {
    return charges;
  }

  /** The limits that were declared last. */
  Optional<Limits> limits() {
    return limits;
  }

  /** Refuses another composition than the one under which answers were given. */
  void requireComposition(Limits mine) {
    if (charges > 0 && limits.filter(mine::changesComposition).isPresent()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_POLICY,
          "The policy chooses another composition than the ledger " + place + " was spent under.",
          Repairs.POLICY);
    }
  }

  /** Whether the owner has said that lost charges are known of. */
  boolean lossAccepted() {
    return lossAccepted;
  }

  /** How many charges were never settled: crashes, and questions that are running now. */
  int unsettled() {
    return open.size();
  }

  String hash() {
    return hash;
  }

  Instant last() {
    return last;
  }
}
