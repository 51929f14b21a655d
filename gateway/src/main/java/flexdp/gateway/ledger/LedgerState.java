package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.budget.NeighborConversion;
import flexdp.budget.TotalCost;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.ledger.AccountTally.PaidSums;
import flexdp.gateway.ledger.WatchRegister.WatchState;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.ChargeRequest.PrivacyBasis;
import flexdp.gateway.ledger.entry.CountingTerms;
import flexdp.gateway.ledger.entry.CountingTerms.BudgetLimits;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.entry.WatchStep;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The sums of a ledger: a fold over its entries that also checks that they form one chain. */
final class LedgerState {
  private final String place;
  private final Allowances allowances;
  private Map<String, String> own;
  private final Map<Account, AccountTally> tallies = new HashMap<>();
  private final TableNames names = new TableNames();
  private final QueryFailures failures;
  private final WatchHistory watches = new WatchHistory();
  private Optional<String> ledger = Optional.empty();
  private long seq;
  private long charges;
  private final OwnerChanges moves = new OwnerChanges();
  private Optional<Instant> lossAccepted = Optional.empty();
  private Optional<CountingTerms> terms = Optional.empty();
  private BudgetLimits limits = new BudgetLimits(new TreeMap<>());
  private long agreements;
  private String hash = LedgerEntry.START;
  private Instant last = Instant.EPOCH;

  LedgerState(String place, Allowances allowances) {
    this(place, allowances, Map.of());
  }

  /**
   * @param allowances under whose neighbours everything is counted
   * @param own the tables that the policy's words are, where its database was asked
   */
  LedgerState(String place, Allowances allowances, Map<String, String> own) {
    this.place = place;
    this.allowances = allowances;
    this.own = own;
    this.failures = new QueryFailures(allowances.failures());
  }

  /** Takes the next entry; whatever does not continue the chain is damage. */
  void add(LedgerEntry entry) {
    if (entry.seq() != seq + 1) {
      throw RepairCommands.corrupt(
          place, "entry " + (seq + 1) + " is missing, entry " + entry.seq() + " follows " + seq);
    }
    if (!entry.previous().equals(hash)) {
      throw RepairCommands.corrupt(
          place, "entry " + entry.seq() + " does not follow the one before");
    }
    if ((entry.event() instanceof LedgerEvent.Opened) != (seq == 0)) {
      throw RepairCommands.corrupt(place, "it does not begin with its opening");
    }
    if (entry.at().isBefore(last) && !(entry.event() instanceof LedgerEvent.ClockAccepted)) {
      throw RepairCommands.corrupt(place, "entry " + entry.seq() + " is older than the one before");
    }
    seq = entry.seq();
    hash = entry.hash();
    last = entry.at();
    switch (entry.event()) {
      case LedgerEvent.Opened opened -> ledger = Optional.of(opened.ledger());
      case LedgerEvent.Reserved reserved -> charge(reserved, entry);
      case LedgerEvent.Settled settled -> {
        if (!failures.end(settled, entry.at())) {
          throw RepairCommands.corrupt(place, "entry " + seq + " settles what is not open");
        }
        watches.end(settled).ifPresent(paid -> date(paid, entry.at()));
      }
      case LedgerEvent.Watch watch -> {
        if (!watches.step(watch, entry.at())) {
          throw RepairCommands.corrupt(place, "entry " + seq + " is of no watch that is open");
        }
      }
      case LedgerEvent.Granted granted -> {
        Account key = key(granted.account());
        tally(key).grant(granted.epsilon(), granted.delta(), slack(key, tally(key)));
      }
      case LedgerEvent.Declared declared -> agree(declared.terms());
      case LedgerEvent.Bound bound -> bind(bound.tables());
      case LedgerEvent.Adopted adopted -> {
        agree(adopted.terms());
        bind(adopted.tables());
        adopted
            .merged()
            .forEach(
                (word, accounts) ->
                    accounts.forEach(
                        account ->
                            names.unite(
                                account,
                                adopted.tables().get(word).name(),
                                (from, into) -> merge(from, into, false))));
      }
      case LedgerEvent.OwnersAdopted adopted -> moves.adopt(adopted, this::key, this::tally);
      case LedgerEvent.FailuresCleared cleared -> failures.clear(cleared.analyst());
      case LedgerEvent.ClockAccepted ignored -> {}
      case LedgerEvent.LossAccepted ignored -> lossAccepted = Optional.of(entry.at());
    }
  }

  private void charge(LedgerEvent.Reserved reserved, LedgerEntry entry) {
    charges++;
    ChargeRequest request = reserved.request();
    failures.begin(entry.seq(), request, entry.at());
    if (request.tables().stream().anyMatch(ChargeRequest::isPeople)) {
      reserved.basis().map(PrivacyBasis::unit).ifPresent(moves::protects);
    }
    Optional<Neighbors> made = reserved.basis().map(PrivacyBasis::neighbors);
    TotalCost spent = NeighborConversion.of(request.cost(), made, allowances.neighbors());
    if (request.isWatch()) {
      watches.charge(entry.seq(), request, spent);
    }
    for (Account account : request.accounts()) {
      Account key = key(account);
      AccountTally tally = tally(key);
      tally.charge(spent, entry.at(), windowed(key) && !request.isWatch(), request.parts(account));
      moves.charge(key, request.cost());
      if (tally.composition().isEmpty()) {
        composition(key, reserved.basis()).ifPresent(tally::addedUpBy);
      }
    }
  }

  /** A watch is paid for as long as it watches, and then for as long as anything else. */
  private void date(WatchHistory.Paid paid, Instant at) {
    for (Account account : paid.request().accounts()) {
      Account key = key(account);
      if (windowed(key)) {
        tally(key).date(paid.spent(), at);
      }
    }
  }

  private Optional<Policy.Composition> composition(Account account, Optional<PrivacyBasis> basis) {
    return account instanceof Account.Table || account instanceof Account.People
        ? basis
            .map(PrivacyBasis::composition)
            .or(() -> limits.composition(account))
            .or(() -> Optional.of(Policy.Composition.BASIC))
        : limits.composition(account);
  }

  /**
   * New terms; an account that was charged under another filter keeps that one's slack as spent.
   */
  private void agree(CountingTerms fresh) {
    tallies.forEach(
        (account, tally) ->
            fresh
                .limits()
                .composition(account)
                .filter(c -> tally.composition().isPresent())
                .filter(c -> tally.composition().get() != c)
                .ifPresent(c -> tally.switchTo(c, slack(account, tally))));
    terms = Optional.of(fresh);
    limits = fresh.limits().over(limits);
    agreements++;
  }

  private BigDecimal slack(Account account, AccountTally tally) {
    return tally.composition().orElse(Policy.Composition.BASIC) == Policy.Composition.BASIC
        ? BigDecimal.ZERO
        : limits.delta(account).add(tally.grantedDelta()).divide(BigDecimal.TWO);
  }

  private void bind(Map<String, TableIdentity> tables) {
    tables.forEach(
        (word, table) -> names.bind(word, table, (from, into) -> merge(from, into, true)));
  }

  private void merge(String from, String into, boolean same) {
    moves.merge(new Account.Table(from), new Account.Table(into));
    AccountTally gone = tallies.remove(new Account.Table(from));
    if (gone != null) {
      tally(new Account.Table(into)).absorb(same ? gone : gone.under(from), same);
    }
  }

  /** From here on the policy's words are these tables. */
  void own(Map<String, String> words) {
    own = words;
  }

  /**
   * The account under which charges are booked; tables by what they are and not by what they are
   * called.
   */
  Account key(Account account) {
    if (!(account instanceof Account.Table table)) {
      return account;
    }
    String name = names.account(table.name());
    return name.equals(table.name()) ? account : new Account.Table(name);
  }

  /** The name that a charge of this policy's table is recorded under. */
  String recorded(String word) {
    return own.containsKey(word) ? own.get(word) : names.account(names.bound(word));
  }

  /** The account that is charged for one of this policy. */
  Account meant(Account account) {
    if (!(account instanceof Account.Table table)) {
      return account;
    }
    Account key = key(new Account.Table(recorded(table.name())));
    boolean guessed = key.name().equals(table.name()) && !tallies.containsKey(key);
    return guessed ? names.likely(table.name()).<Account>map(Account.Table::new).orElse(key) : key;
  }

  /** How an account stands at a time: what left its window no longer counts. */
  Balance standing(Account account, Instant now) {
    Optional<Allowance> allowance = allowance(account);
    AccountTally tally = meantTally(account);
    PaidSums sums = allowance.isPresent() ? counted(tally, allowance.get(), now) : tally.sums();
    return new Balance(
        account,
        allowance,
        sums.most(),
        sums.spent().answers(),
        sums.parts().names(),
        allowance.flatMap(Allowance::window).flatMap(window -> tally.comesBack(window, now)));
  }

  /**
   * What was spent of an account, as far as it counts at a time.
   *
   * @param allowance what the account has
   */
  PaidSums sums(Account account, Allowance allowance, Instant now) {
    return counted(meantTally(account), allowance, now);
  }

  private PaidSums counted(AccountTally tally, Allowance allowance, Instant now) {
    return allowance.window().isPresent()
        ? tally.within(allowance.window().get(), last, now)
        : tally.sums();
  }

  /** What an account may spend, grants included; nothing for one that is only counted. */
  Optional<Allowance> allowance(Account account) {
    Optional<Allowance> given = allowances.of(account);
    if (given.isEmpty()) {
      return given;
    }
    AccountTally tally = meantTally(account);
    return given
        .map(a -> a == Allowance.NOTHING ? nothing(tally) : a)
        .map(a -> a.plus(tally.grantedEpsilon(), tally.grantedDelta()));
  }

  private AccountTally meantTally(Account account) {
    AccountTally tally = tallies.get(meant(account));
    return tally == null ? new AccountTally() : tally;
  }

  /** What the owner grants to an account without a limit is judged by the filter that it had. */
  private static Allowance nothing(AccountTally tally) {
    return tally
        .composition()
        .map(c -> new Allowance(BigDecimal.ZERO, BigDecimal.ZERO, c, Optional.empty()))
        .orElse(Allowance.NOTHING);
  }

  private boolean windowed(Account account) {
    return allowances.of(account).flatMap(Allowance::window).isPresent();
  }

  private AccountTally tally(Account account) {
    return tallies.computeIfAbsent(account, ignored -> new AccountTally());
  }

  /** These accounts, and every other that was ever charged or granted something. */
  Set<Account> accounts(Set<Account> first) {
    Map<Account, Account> all = new LinkedHashMap<>();
    first.forEach(account -> all.put(meant(account), account));
    for (Account key : tallies.keySet()) {
      all.putIfAbsent(
          key,
          key instanceof Account.Table table
              ? new Account.Table(names.called(table.name(), own))
              : key);
    }
    return new TreeSet<>(all.values());
  }

  /** The tables that were charged, by the names of their accounts. */
  Set<String> chargedTables() {
    Set<String> charged = new TreeSet<>();
    tallies.forEach(
        (account, tally) -> {
          if (account instanceof Account.Table table && tally.spent().answers() > 0) {
            charged.add(table.name());
          }
        });
    return charged;
  }

  /** The tables that were charged or granted something. */
  Set<String> tables() {
    Set<String> all = new TreeSet<>();
    tallies.keySet().stream()
        .filter(Account.Table.class::isInstance)
        .forEach(account -> all.add(account.name()));
    return all;
  }

  Map<Account, AccountTally> tallies() {
    return tallies;
  }

  QueryFailures failures() {
    return failures;
  }

  WatchHistory watches() {
    return watches;
  }

  TableNames names() {
    return names;
  }

  Optional<String> ledger() {
    return ledger;
  }

  boolean isOpen(long reservation) {
    return failures.isOpen(reservation);
  }

  long seq() {
    return seq;
  }

  /** How many charges there are. */
  long charges() {
    return charges;
  }

  /** Whom charges protect, and what was spent while rows were others'. */
  OwnerChanges moves() {
    return moves;
  }

  /** The terms that were declared or adopted last. */
  Optional<CountingTerms> terms() {
    return terms;
  }

  /** How often terms were declared or adopted. */
  long agreements() {
    return agreements;
  }

  /** Whether the owner has said that lost charges are known of. */
  boolean lossAccepted() {
    return lossAccepted.isPresent();
  }

  /** Whether the owner has said so since then. */
  boolean lostSince(Instant at) {
    return lossAccepted.filter(then -> !then.isBefore(at)).isPresent();
  }

  String hash() {
    return hash;
  }

  Instant last() {
    return last;
  }

  String place() {
    return place;
  }

  /** What became of watches: a fold over their charges, their steps and their ends. */
  static final class WatchHistory {
    /** What a watch that has ended had paid. */
    record Paid(ChargeRequest request, TotalCost spent) {}

    private static final class Watch {
      private final Paid paid;
      private final Map<String, WatchState.Turn> turns = new LinkedHashMap<>();
      private Optional<Instant> armed = Optional.empty();
      private String seal = "";
      private String name = "";
      private Optional<ChargeOutcome> ended = Optional.empty();

      private Watch(Paid paid) {
        this.paid = paid;
      }
    }

    private final Map<Long, Watch> watches = new LinkedHashMap<>();

    void charge(long entry, ChargeRequest request, TotalCost spent) {
      watches.put(entry, new Watch(new Paid(request, spent)));
    }

    /** What it had paid, when it was a watch that ended. */
    Optional<Paid> end(LedgerEvent.Settled settled) {
      Watch watch = watches.get(settled.reservation());
      if (watch == null) {
        return Optional.empty();
      }
      watch.ended = Optional.of(settled.outcome());
      return Optional.of(watch.paid);
    }

    /** Whether there was such a watch, and this may be its next step. */
    boolean step(LedgerEvent.Watch step, Instant at) {
      Watch watch = watches.get(step.charge());
      boolean arms = step.step() == WatchStep.ARMED;
      if (watch == null || watch.ended.isPresent() || watch.armed.isEmpty() != arms) {
        return false;
      }
      String[] words = step.note().split(" ", 2);
      if (arms) {
        watch.armed = Optional.of(at);
        watch.seal = words[0];
        watch.name = words.length > 1 ? words[1] : "";
        return true;
      }
      WatchState.Turn before = watch.turns.get(words[0]);
      boolean begins = step.step() == WatchStep.BEGUN;
      if (begins ? before != null : before == null || before.step() != WatchStep.BEGUN) {
        return false;
      }
      Optional<BigDecimal> gap =
          words.length > 1 ? Optional.of(new BigDecimal(words[1])) : Optional.empty();
      watch.turns.put(words[0], new WatchState.Turn(words[0], step.step(), gap));
      return true;
    }

    /** All that were armed, the oldest first. */
    List<WatchState> states() {
      List<WatchState> states = new ArrayList<>();
      watches.forEach((charge, watch) -> state(charge).ifPresent(states::add));
      return states;
    }

    Optional<WatchState> state(long charge) {
      return Optional.ofNullable(watches.get(charge))
          .flatMap(
              watch ->
                  watch.armed.map(
                      at ->
                          new WatchState(
                              charge,
                              watch.paid.request(),
                              watch.name,
                              watch.seal,
                              at,
                              watch.ended,
                              List.copyOf(watch.turns.values()))));
    }
  }

  /**
   * What the entries say of rows that became other people's: whom the charges protect, and which
   * accounts have to go on somewhere when the policy has them no longer.
   */
  static final class OwnerChanges {
    private final Set<String> whose = new TreeSet<>();
    private final Set<String> ever = new TreeSet<>();
    private final Set<Account> owed = new HashSet<>();

    /** What a row of somebody costs: without her, and with her but the row, are two steps. */
    private final Map<Account, TotalCost> rows = new HashMap<>();

    void protects(String people) {
      whose.add(people);
      ever.add(people);
    }

    void charge(Account account, Cost cost) {
      switch (account) {
        case Account.People people -> {
          owed.add(people);
          TotalCost twice =
              NeighborConversion.of(
                  cost, Optional.of(Neighbors.ADD_REMOVE_ONE), Neighbors.REPLACE_ONE);
          rows.merge(people, twice, TotalCost::plus);
        }
        case Account.Table table -> owed.add(table);
        case Account.Analyst ignored -> {}
        case Account.Role ignored -> {}
      }
    }

    /**
     * Lets what was spent count elsewhere, too, and takes nothing away where it was.
     *
     * @param keys the account of a name that stands in an entry
     */
    void adopt(
        LedgerEvent.OwnersAdopted adopted,
        UnaryOperator<Account> keys,
        Function<Account, AccountTally> tallies) {
      Map<Account, AccountTally> before = new HashMap<>();
      Map<Account, TotalCost> rowsBefore = new HashMap<>(rows);
      for (List<String> from : adopted.carried().values()) {
        for (String name : from) {
          Account source = keys.apply(Account.parse(name));
          before.put(source, tallies.apply(source).copy());
        }
      }
      Set<Account> kept = new HashSet<>();
      adopted
          .carried()
          .forEach(
              (name, from) -> {
                Account into = keys.apply(Account.parse(name));
                kept.add(into);
                for (String one : from) {
                  Account source = keys.apply(Account.parse(one));
                  carry(source, into, before.get(source), rowsBefore, tallies.apply(into));
                }
              });
      owed.removeIf(account -> account instanceof Account.People || before.containsKey(account));
      owed.addAll(kept);
      whose.clear();
      protects(adopted.whose());
    }

    /** Two accounts of tables are one from here on. */
    void merge(Account from, Account into) {
      if (owed.remove(from)) {
        owed.add(into);
      }
    }

    private void carry(
        Account source,
        Account into,
        AccountTally spent,
        Map<Account, TotalCost> rowsBefore,
        AccountTally tally) {
      boolean toRows = source instanceof Account.People && into instanceof Account.Table;
      if (toRows) {
        tally.spend(rowsBefore.getOrDefault(source, TotalCost.NOTHING), spent.composition());
      } else {
        tally.carry(spent);
      }
      if (into instanceof Account.People) {
        TotalCost row =
            source instanceof Account.People
                ? rowsBefore.getOrDefault(source, TotalCost.NOTHING)
                : spent.spent();
        rows.merge(into, row, TotalCost::plus);
      }
    }

    /** Whom the charges since the last adoption were to protect. */
    Set<String> whose() {
      return Set.copyOf(whose);
    }

    /** Whom charges were to protect at any time. */
    Set<String> ever() {
      return Set.copyOf(ever);
    }

    /** Whether an account was charged since what it had spent was last let count elsewhere. */
    boolean isOwed(Account account) {
      return owed.contains(account);
    }
  }
}
