package flexdp.gateway.json;

import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.Workload;
import flexdp.marginals.StrategyChoice;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A question as JSON has it: one line of {@code ask --jsonl}, or what a program posts. */
public final class AskRequest {
  private static final Set<String> KEYS =
      Set.of(
          "id",
          "sql",
          "epsilon",
          "delta",
          "mechanism",
          "bins",
          "analyst",
          "fresh",
          "within",
          "noiseLimit",
          "workload",
          "propose",
          "strategy",
          "ranges",
          "above",
          "hits",
          "parameters");

  private AskRequest() {}

  /** Reads a request; what it leaves out is as in the defaults. */
  public static QueryRequest read(Object tree, QueryRequest defaults) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_REQUEST);
    Map<String, DocumentNode> fields = root.fields(KEYS);
    QueryOptions usual = defaults.options();
    QueryOptions options =
        new QueryOptions(
            given(fields, "mechanism").map(AnalyzeRequest::choice).orElse(usual.mechanism()),
            given(fields, "epsilon").map(DocumentNode::epsilon).or(usual::epsilon),
            given(fields, "delta").map(DocumentNode::delta).or(usual::delta),
            given(fields, "bins").map(AnalyzeRequest::bins).or(usual::bins),
            given(fields, "propose").map(DocumentNode::text).or(usual::propose),
            given(fields, "strategy").map(AskRequest::strategy).orElse(usual.strategy()),
            given(fields, "noiseLimit")
                .map(DocumentNode::text)
                .map(NoiseLimit::parse)
                .or(usual::noiseLimit),
            given(fields, "ranges").map(AskRequest::ranges).orElse(usual.ranges()));
    boolean chosen = given(fields, "epsilon").isPresent();
    Optional<ErrorTarget> within =
        given(fields, "within")
            .map(AskRequest::within)
            .or(() -> chosen ? Optional.empty() : defaults.within());
    boolean many = given(fields, "workload").isPresent();
    if (many && given(fields, "sql").isPresent()) {
      throw root.error("a request has sql or workload, not both");
    }
    return new QueryRequest(
        many ? "" : root.required(fields, "sql").text(),
        options,
        given(fields, "analyst").map(DocumentNode::text).orElse(defaults.analyst()),
        defaults.roles(),
        given(fields, "fresh").map(DocumentNode::bool).orElse(defaults.fresh()),
        defaults.intervals(),
        within);
  }

  /** How questions that are asked together are measured, by its word. */
  public static StrategyChoice strategy(DocumentNode node) {
    return StrategyChoice.of(node.text())
        .orElseThrow(
            () -> node.error("must be one of " + String.join(", ", StrategyChoice.words())));
  }

  /** Where ranges come from that nobody declared, by its word. */
  public static RangeChoice ranges(DocumentNode node) {
    return RangeChoice.of(node.text())
        .orElseThrow(() -> node.error("must be one of " + String.join(", ", RangeChoice.words())));
  }

  /** The statements of a request that has many. */
  public static Optional<Workload> workload(Object tree) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_REQUEST);
    return given(root.fields(KEYS), "workload")
        .map(node -> Workload.of(node.list().stream().map(DocumentNode::text).toList()));
  }

  /**
   * What the numbers of a workload are compared with, where that is asked.
   *
   * @throws ConfigurationError when there is no workload, or nothing to compare with
   */
  public static Optional<ThresholdQuery> above(Object tree) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_REQUEST);
    Map<String, DocumentNode> fields = root.fields(KEYS);
    Optional<DocumentNode> threshold = given(fields, "above");
    Optional<DocumentNode> hits = given(fields, "hits");
    if (threshold.isPresent() && given(fields, "workload").isEmpty()
        || hits.isPresent() && threshold.isEmpty()) {
      throw root.error("above is for a workload, and hits for above");
    }
    BigInteger most = hits.map(DocumentNode::integer).orElse(BigInteger.ONE);
    return threshold.map(
        node ->
            new ThresholdQuery(
                node.decimal(), most.min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue()));
  }

  /** Values of the question's parameters: text, numbers, true, false or null by name or number. */
  public static Map<String, Object> values(Object tree) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_REQUEST);
    Map<String, Object> values = new HashMap<>();
    given(root.fields(KEYS), "parameters")
        .map(DocumentNode::entries)
        .orElse(Map.of())
        .forEach((name, value) -> values.put(name, value(value)));
    return values;
  }

  private static Object value(DocumentNode node) {
    if (node.isNull() || node.isText() || node.raw() instanceof Boolean) {
      return node.raw();
    }
    return node.decimal();
  }

  /** A number, or text as on the command line. */
  private static ErrorTarget within(DocumentNode node) {
    return ErrorTarget.parse(node.isText() ? node.text() : node.decimal().toString());
  }

  private static Optional<DocumentNode> given(Map<String, DocumentNode> fields, String name) {
    return DocumentNode.optional(fields, name).filter(n -> !n.isNull());
  }
}
