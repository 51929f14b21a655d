package flexdp.server;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.LedgerError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.ledger.FailedQuestion;
import flexdp.gateway.ledger.Ledger.FailureCount;
import flexdp.gateway.watch.Watches;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.server.engine.AdminApi;
import flexdp.server.engine.Charge;
import flexdp.server.engine.Engine;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.engine.QuerySettings;
import flexdp.server.session.ServerFacts;
import flexdp.server.sql.Token;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * An engine with its catalogue that can be exchanged while connections use it: what has begun ends
 * with the old one, what begins then has the new one, and nobody waits for either.
 */
final class ReloadableEngine implements Engine, AdminApi, ServerFacts {
  private final ErrorLog log;
  private volatile EngineLease lease;
  private volatile Optional<String> trouble = Optional.empty();

  ReloadableEngine(GatewayEngine engine, ServerFacts catalogue, ErrorLog log) {
    this.log = log;
    this.lease = new EngineLease(engine, catalogue, log);
  }

  /** Whether what the engine's database rests on is what it was when it was opened. */
  boolean stands() {
    EngineLease present = lease;
    return !present.isRetired() && present.engine().stands();
  }

  /** Whether the database can be reached. */
  boolean isReachable() {
    return asking(GatewayEngine::isReachable);
  }

  /** Whether nothing was ever charged. */
  boolean isNew() {
    return asking(GatewayEngine::isNew);
  }

  /** What keeps the ledger from taking charges. */
  Optional<LedgerError> fault() {
    return asking(GatewayEngine::fault);
  }

  /**
   * Leaves an engine whose file was replaced: within a process the new file can be opened only when
   * the old one is closed. Until {@link #change} there is none.
   *
   * @return whether a new one may be opened; otherwise something still runs on the old one
   */
  boolean leaveMoved() {
    if (!stands()) {
      lease.retire();
      return lease.isOver();
    }
    return true;
  }

  void change(GatewayEngine newEngine, ServerFacts newCatalogue) {
    EngineLease old = lease;
    lease = new EngineLease(newEngine, newCatalogue, log);
    old.retire();
    trouble = Optional.empty();
  }

  private <T> T using(Function<EngineLease, T> work) {
    EngineLease present = lease;
    while (!present.enter()) {
      EngineLease next = lease;
      if (next == present) {
        throw DatabaseError.lost(
            "The database was replaced and could not be opened again yet.",
            "Ask again in a moment; the owner's log says what keeps it.");
      }
      present = next;
    }
    try {
      return work.apply(present);
    } catch (ConfigurationError e) {
      note(e);
      throw e;
    } finally {
      present.leave();
    }
  }

  /** What an analyst cannot mend: the database is no longer what the policy says. */
  private void note(ConfigurationError e) {
    if (e.code() == ConfigurationError.Code.BAD_POLICY) {
      trouble = Optional.of(Service.told(e));
    }
  }

  /** Why questions were refused that the policy allows, until it is opened anew. */
  Optional<String> trouble() {
    return trouble;
  }

  private <T> T asking(Function<GatewayEngine, T> work) {
    return using(present -> work.apply(present.engine()));
  }

  @Override
  public String name() {
    return lease.engine().name();
  }

  @Override
  public Policy policy() {
    return lease.engine().policy();
  }

  /** Of the file that the policy was read from. */
  String policyHash() {
    return lease.engine().policyHash();
  }

  Optional<Instant> measured() {
    return lease.engine().measured();
  }

  @Override
  public ParameterizedQuery prepare(
      String sql, Map<String, Type> declared, QuerySettings querySettings) {
    return asking(engine -> engine.prepare(sql, declared, querySettings));
  }

  @Override
  public List<DpQuery.ResultColumn> columns(
      String sql, List<Object> values, QuerySettings querySettings) {
    return asking(engine -> engine.columns(sql, values, querySettings));
  }

  @Override
  public AnalystView ask(
      String sql,
      List<Object> values,
      QuerySettings querySettings,
      CancellationToken cancellation) {
    return asking(engine -> engine.ask(sql, values, querySettings, cancellation));
  }

  @Override
  public Explanation explain(String sql, List<Object> values, QuerySettings querySettings) {
    return asking(engine -> engine.explain(sql, values, querySettings));
  }

  @Override
  public AnalystView ask(QueryRequest ask, CancellationToken cancellation) {
    return asking(engine -> engine.ask(ask, cancellation));
  }

  @Override
  public Explanation explain(QueryRequest ask) {
    return asking(engine -> engine.explain(ask));
  }

  @Override
  public WorkloadView ask(Workload workload, QueryRequest ask, CancellationToken cancellation) {
    return asking(engine -> engine.ask(workload, ask, cancellation));
  }

  @Override
  public WorkloadExplanation explain(Workload workload, QueryRequest ask) {
    return asking(engine -> engine.explain(workload, ask));
  }

  @Override
  public ThresholdView ask(Workload workload, QueryRequest ask, ThresholdQuery above) {
    return asking(engine -> engine.ask(workload, ask, above));
  }

  @Override
  public <T> T watching(Function<Watches, T> work) {
    return asking(engine -> engine.watching(work));
  }

  @Override
  public boolean isFree(QueryRequest ask) {
    return asking(engine -> engine.isFree(ask));
  }

  @Override
  public QueryRequest parse(QueryRequest ask, Map<String, ?> values) {
    return asking(engine -> engine.parse(ask, values));
  }

  @Override
  public List<Balance> budget(String analyst) {
    return asking(engine -> engine.budget(analyst));
  }

  @Override
  public List<Charge> history(Optional<String> analyst) {
    return asking(engine -> engine.history(analyst));
  }

  @Override
  public String analyze(Object request) {
    return asking(engine -> engine.analyze(request));
  }

  @Override
  public String metrics() {
    return asking(engine -> engine.metrics());
  }

  @Override
  public List<Balance> budgets(Set<String> analysts) {
    return asking(engine -> engine.budgets(analysts));
  }

  @Override
  public Balance grant(
      Account account, BigDecimal epsilon, BigDecimal delta, String by, String note) {
    return asking(engine -> engine.grant(account, epsilon, delta, by, note));
  }

  @Override
  public Audit audit() {
    return asking(engine -> engine.audit());
  }

  @Override
  public String ledger() {
    return asking(engine -> engine.ledger());
  }

  @Override
  public Map<String, FailureCount> failures() {
    return asking(engine -> engine.failures());
  }

  @Override
  public List<FailedQuestion> failed() {
    return asking(engine -> engine.failed());
  }

  @Override
  public void clearFailures(Optional<String> analyst, String by, String note) {
    asking(
        engine -> {
          engine.clearFailures(analyst, by, note);
          return null;
        });
  }

  @Override
  public Found find(
      List<Token> tokens,
      List<Object> values,
      Visitor visitor,
      boolean describe,
      CancellationToken cancellation) {
    return using(
        present -> present.catalogue().find(tokens, values, visitor, describe, cancellation));
  }

  /** What still runs closes it when it ends; a process that ends does not wait for that. */
  @Override
  public void close() {
    lease.retire();
  }
}
