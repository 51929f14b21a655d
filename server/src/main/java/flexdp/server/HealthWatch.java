package flexdp.server;

import flexdp.budget.Account;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.pause.Pause;
import flexdp.server.api.Health;
import flexdp.server.connection.Tls;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Looks from time to time whether the parts are there that answers need. Each policy has a thread
 * of its own, so that a database that does not answer keeps nobody from looking at the others.
 */
final class HealthWatch implements AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  /** Of so many looks one is at the budgets. */
  private static final int BUDGETS = 5;

  private final List<ReloadableEngine> engines;
  private final Optional<Tls> tls;
  private final ErrorLog log;
  private final Consumer<String> say;
  private final Map<String, Boolean> databases = new ConcurrentHashMap<>();
  private final Map<String, Optional<String>> ledgers = new ConcurrentHashMap<>();
  private final Map<String, List<Health.Left>> budgets = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private Supplier<Map<String, Boolean>> reloads = Map::of;
  private IntSupplier connections = () -> 0;

  /**
   * @param say takes what went away, why, and that it is back
   */
  HealthWatch(
      Collection<ReloadableEngine> engines, Optional<Tls> tls, ErrorLog log, Consumer<String> say) {
    this.engines = List.copyOf(engines);
    this.tls = tls;
    this.log = log;
    this.say = say;
  }

  /**
   * Looks from now on.
   *
   * @param changes whether what was configured is used
   * @param clients how many are connected
   */
  synchronized void begin(Supplier<Map<String, Boolean>> changes, IntSupplier clients) {
    reloads = changes;
    connections = clients;
    for (ReloadableEngine engine : engines) {
      threads.add(Thread.ofPlatform().daemon().name("flexdp-health").start(() -> watch(engine)));
    }
  }

  private void watch(ReloadableEngine engine) {
    try {
      for (int i = 0; true; i++) {
        look(engine, i % BUDGETS == 0);
        Pause.of(LOOK_AGAIN);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(ReloadableEngine engine, boolean sums) {
    try {
      database(engine.name(), engine.isReachable());
      Optional<LedgerError> fault = engine.fault();
      ledger(engine.name(), fault);
      if (sums && fault.isEmpty()) {
        budgets.put(engine.name(), left(engine));
      }
    } catch (LedgerError e) {
      ledger(engine.name(), Optional.of(e)); // it went just now
    } catch (Failure e) {
      // Between two engines, such as while a file is replaced.
      database(engine.name(), false);
    } catch (RuntimeException e) {
      database(engine.name(), false);
      log.failure("health", e);
    }
  }

  private void database(String name, boolean up) {
    Boolean before = databases.put(name, up);
    if (up != (before == null || before)) {
      say.accept(
          up
              ? "the database of " + name + " is back"
              : "the database of " + name + " is away; the cause is in " + name + ".log");
    }
  }

  private void ledger(String name, Optional<LedgerError> fault) {
    Optional<String> code = fault.map(LedgerError::codeName);
    Optional<String> before = ledgers.put(name, code);
    if (code.equals(before == null ? Optional.empty() : before)) {
      return;
    }
    say.accept(
        fault
            .map(
                f ->
                    "the ledger of "
                        + name
                        + " takes no charges: "
                        + f.codeName()
                        + ": "
                        + Service.told(f))
            .orElse("the ledger of " + name + " takes charges again"));
  }

  /** Of those whom the guarantee is for; who asks is nobody's business here. */
  private static List<Health.Left> left(ReloadableEngine engine) {
    List<Health.Left> all = new ArrayList<>();
    for (Balance balance : engine.budgets(Set.of())) {
      boolean protects =
          balance.account() instanceof Account.Table || balance.account() instanceof Account.People;
      if (protects && balance.allowance().isPresent()) {
        all.add(
            new Health.Left(
                engine.name(),
                balance.account().toString(),
                balance.epsilonLeft().map(BigDecimal::doubleValue).orElse(0.0),
                balance.allowance().get().epsilon().doubleValue()));
      }
    }
    return all;
  }

  synchronized Health latest() {
    Instant now = Instant.now();
    return new Health(
        new HashMap<>(databases),
        new HashMap<>(ledgers),
        reloads.get(),
        tls.map(Tls::expires),
        tls.map(t -> t.isValid(now)).orElse(true),
        connections.getAsInt(),
        budgets.values().stream().flatMap(List::stream).toList(),
        engines.stream()
            .collect(
                Collectors.toMap(
                    ReloadableEngine::name, e -> new Health.Used(e.policyHash(), e.measured()))));
  }

  @Override
  public synchronized void close() {
    threads.forEach(Thread::interrupt);
  }
}
