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

/** Answers questions about one policy's data. Everything that it returns an analyst may see. */
public interface Engine extends AutoCloseable {
  /** The name by which clients ask for it. */
  String name();

  /** What the owner decided; nothing in it is secret. */
  Policy policy();

  /**
   * The columns of the answer and the types of $1, $2 …, without touching data.
   *
   * @param declared types that the client has decided, by number
   * @throws flexdp.failure.Failure when the question would be refused
   */
  ParameterizedQuery prepare(String sql, Map<String, Type> declared, QuerySettings querySettings);

  /**
   * The columns of the answer, without touching data.
   *
   * @param values of $1, $2 …
   * @throws flexdp.failure.Failure when the question would be refused
   */
  List<DpQuery.ResultColumn> columns(String sql, List<Object> values, QuerySettings querySettings);

  /**
   * @throws flexdp.failure.Failure when there is no answer
   */
  default AnalystView ask(String sql, List<Object> values, QuerySettings querySettings) {
    return ask(sql, values, querySettings, new CancellationToken());
  }

  /**
   * Answers a question, unless the caller wishes meanwhile that it stop.
   *
   * @throws flexdp.failure.Failure when there is no answer
   */
  AnalystView ask(
      String sql, List<Object> values, QuerySettings querySettings, CancellationToken cancellation);

  /**
   * @throws flexdp.failure.Failure when the question would be refused
   */
  Explanation explain(String sql, List<Object> values, QuerySettings querySettings);

  /**
   * @throws flexdp.failure.Failure when there is no answer
   */
  AnalystView ask(QueryRequest request, CancellationToken cancellation);

  /**
   * @throws flexdp.failure.Failure when the question would be refused
   */
  Explanation explain(QueryRequest request);

  /**
   * The answers to many statements, at one price, unless the caller wishes meanwhile that it stop.
   *
   * @throws flexdp.failure.Failure when there are none
   */
  WorkloadView ask(Workload workload, QueryRequest request, CancellationToken cancellation);

  /**
   * @throws flexdp.failure.Failure when the workload would be refused
   */
  WorkloadExplanation explain(Workload workload, QueryRequest request);

  /**
   * Which of many numbers are above a threshold, at one price.
   *
   * @throws flexdp.failure.Failure when there is no answer
   */
  ThresholdView ask(Workload workload, QueryRequest request, ThresholdQuery above);

  /** Does something with the watches. */
  <T> T watching(Function<Watches, T> work);

  /** Whether asking gives an answer again that the analyst has paid for. */
  boolean isFree(QueryRequest request);

  /** A question with the values of its parameters, by name or number. */
  QueryRequest parse(QueryRequest request, Map<String, ?> values);

  /** How the accounts stand that concern an analyst: those of the tables, and their own. */
  List<Balance> budget(String analyst);

  /**
   * What was charged, oldest first.
   *
   * @param analyst one, or everybody
   */
  List<Charge> history(Optional<String> analyst);

  @Override
  void close();
}
