package flexdp.server.engine;

import flexdp.gateway.ask.Above;
import flexdp.gateway.ask.Above.AboveView;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.ask.PreparedQuestion;
import flexdp.gateway.ask.Workload;
import flexdp.gateway.ask.Workload.WorkloadExplanation;
import flexdp.gateway.ask.Workload.WorkloadView;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.ledger.Standing;
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
      String sql, List<Object> values, Asking asking, CancellationToken cancellation) {
    return seen(sql, asking.analyst(), () -> engine.ask(sql, values, asking, cancellation));
  }

  @Override
  public AnalystView ask(Ask ask, CancellationToken cancellation) {
    return seen(ask.sql(), ask.analyst(), () -> engine.ask(ask, cancellation));
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
  public PreparedQuestion prepare(String sql, Map<String, Type> declared, Asking asking) {
    return engine.prepare(sql, declared, asking);
  }

  @Override
  public List<DpQuery.ResultColumn> columns(String sql, List<Object> values, Asking asking) {
    return engine.columns(sql, values, asking);
  }

  @Override
  public Explanation explain(String sql, List<Object> values, Asking asking) {
    return engine.explain(sql, values, asking);
  }

  @Override
  public Explanation explain(Ask ask) {
    return engine.explain(ask);
  }

  @Override
  public WorkloadView ask(Workload workload, Ask ask, CancellationToken cancellation) {
    return engine.ask(workload, ask, cancellation);
  }

  @Override
  public WorkloadExplanation explain(Workload workload, Ask ask) {
    return engine.explain(workload, ask);
  }

  @Override
  public AboveView ask(Workload workload, Ask ask, Above above) {
    return engine.ask(workload, ask, above);
  }

  @Override
  public <T> T watching(Function<Watches, T> work) {
    return engine.watching(work);
  }

  @Override
  public boolean isFree(Ask ask) {
    return engine.isFree(ask);
  }

  @Override
  public Ask parse(Ask ask, Map<String, ?> values) {
    return engine.parse(ask, values);
  }

  @Override
  public List<Standing> budget(String analyst) {
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
