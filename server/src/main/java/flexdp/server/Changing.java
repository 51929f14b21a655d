package flexdp.server;

import flexdp.budget.Account;
import flexdp.failure.DatabaseError;
import flexdp.gateway.ask.Above;
import flexdp.gateway.ask.AboveView;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.ask.PreparedQuestion;
import flexdp.gateway.ask.Workload;
import flexdp.gateway.ask.WorkloadExplanation;
import flexdp.gateway.ask.WorkloadView;
import flexdp.gateway.database.Stop;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.FailureCount;
import flexdp.gateway.ledger.Standing;
import flexdp.gateway.watch.Watches;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.question.Question;
import flexdp.server.engine.Asking;
import flexdp.server.engine.Charge;
import flexdp.server.engine.Desk;
import flexdp.server.engine.Engine;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.session.AboutServer;
import flexdp.server.sql.Token;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An engine with its catalogue that can be exchanged while connections use it: what has begun ends
 * with the old one, and only then is that closed.
 */
final class Changing implements Engine, Desk, AboutServer {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);
  private GatewayEngine engine;
  private AboutServer catalogue;
  private boolean left;

  Changing(GatewayEngine engine, AboutServer catalogue) {
    this.engine = engine;
    this.catalogue = catalogue;
  }

  /** Whether what the engine's database rests on is what it was when it was opened. */
  boolean stands() {
    lock.readLock().lock();
    try {
      return !left && engine.stands();
    } finally {
      lock.readLock().unlock();
    }
  }

  /**
   * Closes an engine whose file was replaced: within a process the new file can be opened only
   * then. Until {@link #change} there is none.
   */
  void leaveMoved() {
    lock.writeLock().lock();
    try {
      if (!left && !engine.stands()) {
        left = true;
        engine.close();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  void change(GatewayEngine newEngine, AboutServer newCatalogue) {
    lock.writeLock().lock();
    try {
      if (!left) {
        engine.close();
      }
      left = false;
      catalogue.close();
      engine = newEngine;
      catalogue = newCatalogue;
    } finally {
      lock.writeLock().unlock();
    }
  }

  private <T> T using(Supplier<T> work) {
    lock.readLock().lock();
    try {
      requireOpen();
      return work.get();
    } finally {
      lock.readLock().unlock();
    }
  }

  private void requireOpen() {
    if (left) {
      throw DatabaseError.lost(
          "The database was replaced and could not be opened again yet.",
          "Ask again in a moment; the owner's log says what keeps it.");
    }
  }

  /** The present one; its name and policy may be asked even when it is closed. */
  private GatewayEngine present() {
    lock.readLock().lock();
    try {
      return engine;
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public String name() {
    return present().name();
  }

  @Override
  public Policy policy() {
    return present().policy();
  }

  @Override
  public PreparedQuestion prepare(String sql, Map<String, Type> declared, Asking asking) {
    return using(() -> engine.prepare(sql, declared, asking));
  }

  @Override
  public List<Question.ResultColumn> columns(String sql, List<Object> values, Asking asking) {
    return using(() -> engine.columns(sql, values, asking));
  }

  @Override
  public AnalystView ask(String sql, List<Object> values, Asking asking, Stop stop) {
    return using(() -> engine.ask(sql, values, asking, stop));
  }

  @Override
  public Explanation explain(String sql, List<Object> values, Asking asking) {
    return using(() -> engine.explain(sql, values, asking));
  }

  @Override
  public AnalystView ask(Ask ask, Stop stop) {
    return using(() -> engine.ask(ask, stop));
  }

  @Override
  public Explanation explain(Ask ask) {
    return using(() -> engine.explain(ask));
  }

  @Override
  public WorkloadView ask(Workload workload, Ask ask, Stop stop) {
    return using(() -> engine.ask(workload, ask, stop));
  }

  @Override
  public WorkloadExplanation explain(Workload workload, Ask ask) {
    return using(() -> engine.explain(workload, ask));
  }

  @Override
  public AboveView ask(Workload workload, Ask ask, Above above) {
    return using(() -> engine.ask(workload, ask, above));
  }

  @Override
  public <T> T watching(Function<Watches, T> work) {
    return using(() -> engine.watching(work));
  }

  @Override
  public boolean isFree(Ask ask) {
    return using(() -> engine.isFree(ask));
  }

  @Override
  public Ask parse(Ask ask, Map<String, ?> values) {
    return using(() -> engine.parse(ask, values));
  }

  @Override
  public List<Standing> budget(String analyst) {
    return using(() -> engine.budget(analyst));
  }

  @Override
  public List<Charge> history(Optional<String> analyst) {
    return using(() -> engine.history(analyst));
  }

  @Override
  public String analyze(Object request) {
    return using(() -> engine.analyze(request));
  }

  @Override
  public String metrics() {
    return using(() -> engine.metrics());
  }

  @Override
  public List<Standing> budgets() {
    return using(() -> engine.budgets());
  }

  @Override
  public Standing grant(
      Account account, BigDecimal epsilon, BigDecimal delta, String by, String note) {
    return using(() -> engine.grant(account, epsilon, delta, by, note));
  }

  @Override
  public Audit audit() {
    return using(() -> engine.audit());
  }

  @Override
  public String ledger() {
    return using(() -> engine.ledger());
  }

  @Override
  public Map<String, FailureCount> failures() {
    return using(() -> engine.failures());
  }

  @Override
  public List<FailedQuestion> failed() {
    return using(() -> engine.failed());
  }

  @Override
  public void clearFailures(Optional<String> analyst, String by, String note) {
    lock.readLock().lock();
    try {
      requireOpen();
      engine.clearFailures(analyst, by, note);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public Found find(
      List<Token> tokens, List<Object> values, Visitor visitor, boolean describe, Stop stop) {
    return using(() -> catalogue.find(tokens, values, visitor, describe, stop));
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      if (!left) {
        engine.close();
      }
      catalogue.close();
    } finally {
      lock.writeLock().unlock();
    }
  }
}
