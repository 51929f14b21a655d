package flexdp.server.engine;

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
import flexdp.gateway.ledger.Balance;
import flexdp.gateway.watch.Watches;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** An engine as one connection uses it: its questions are seen while they are being answered. */
public final class WatchedEngine implements Engine {
  private final Engine engine;
  private final RunningQuestions running;
  private final String door;
  private final Runnable cancel;

  /**
   * @param cancel gives up what the connection waits for
   */
  public WatchedEngine(Engine engine, RunningQuestions running, String door, Runnable cancel) {
    this.engine = engine;
    this.running = running;
    this.door = door;
    this.cancel = cancel;
  }

  private AnalystView seen(String sql, String analyst, Supplier<AnalystView> asking) {
    Runnable ended = running.begin(Optional.empty(), analyst, name(), sql, door, cancel);
    try {
      return asking.get();
    } finally {
      ended.run();
    }
  }

  @Override
  public AnalystView ask(
      String sql,
      List<Object> values,
      QuerySettings querySettings,
      CancellationToken cancellation) {
    return seen(
        sql, querySettings.analyst(), () -> engine.ask(sql, values, querySettings, cancellation));
  }

  @Override
  public AnalystView ask(QueryRequest request, CancellationToken cancellation) {
    return seen(request.sql(), request.analyst(), () -> engine.ask(request, cancellation));
  }

  @Override
  public String name() {
    return engine.name();
  }

  @Override
  public Policy policy() {
    return engine.policy();
  }

  @Override
  public ParameterizedQuery prepare(
      String sql, Map<String, Type> declared, QuerySettings querySettings) {
    return engine.prepare(sql, declared, querySettings);
  }

  @Override
  public List<DpQuery.ResultColumn> columns(
      String sql, List<Object> values, QuerySettings querySettings) {
    return engine.columns(sql, values, querySettings);
  }

  @Override
  public Explanation explain(String sql, List<Object> values, QuerySettings querySettings) {
    return engine.explain(sql, values, querySettings);
  }

  @Override
  public Explanation explain(QueryRequest request) {
    return engine.explain(request);
  }

  @Override
  public WorkloadView ask(Workload workload, QueryRequest request, CancellationToken cancellation) {
    return engine.ask(workload, request, cancellation);
  }

  @Override
  public WorkloadExplanation explain(Workload workload, QueryRequest request) {
    return engine.explain(workload, request);
  }

  @Override
  public ThresholdView ask(Workload workload, QueryRequest request, ThresholdQuery above) {
    return engine.ask(workload, request, above);
  }

  @Override
  public <T> T watching(Function<Watches, T> work) {
    return engine.watching(work);
  }

  @Override
  public boolean isFree(QueryRequest request) {
    return engine.isFree(request);
  }

  @Override
  public QueryRequest parse(QueryRequest request, Map<String, ?> values) {
    return engine.parse(request, values);
  }

  @Override
  public List<Balance> budget(String analyst) {
    return engine.budget(analyst);
  }

  @Override
  public List<Charge> history(Optional<String> analyst) {
    return engine.history(analyst);
  }

  @Override
  public void close() {
    engine.close();
  }
}
