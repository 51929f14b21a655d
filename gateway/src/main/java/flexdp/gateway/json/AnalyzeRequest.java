package flexdp.gateway.json;

import flexdp.AnalysisOptions;
import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.plan.MechanismChoice;
import flexdp.query.Bins;
import flexdp.sensitivity.RuleSet;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One line of {@code analyze --jsonl}.
 *
 * @param policy the tree of an inline policy
 * @param metrics the tree of inline metrics
 */
public record AnalyzeRequest(
    String sql, Optional<Object> policy, Optional<Object> metrics, AnalysisOptions options) {
  private static final Set<String> KEYS =
      Set.of(
          "id",
          "sql",
          "policy",
          "metrics",
          "rules",
          "distances",
          "epsilon",
          "delta",
          "mechanism",
          "bins");
  private static final BigInteger FARTHEST = BigInteger.valueOf(1_000_000_000);
  private static final int MOST_DISTANCES = 10_000;

  /** Reads a request; what it leaves out is as in the defaults. */
  public static AnalyzeRequest read(Object tree, AnalysisOptions defaults) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_REQUEST);
    Map<String, DocumentNode> fields = root.fields(KEYS);
    AnalysisOptions options =
        new AnalysisOptions(
            given(fields, "rules").map(AnalyzeRequest::rules).orElse(defaults.rules()),
            given(fields, "mechanism").map(AnalyzeRequest::choice).orElse(defaults.mechanism()),
            given(fields, "epsilon").map(DocumentNode::epsilon).or(defaults::epsilon),
            given(fields, "delta").map(DocumentNode::delta).or(defaults::delta),
            given(fields, "distances").map(AnalyzeRequest::distances).orElse(defaults.distances()),
            given(fields, "bins").map(AnalyzeRequest::bins).or(defaults::bins));
    return new AnalyzeRequest(
        root.required(fields, "sql").text(),
        given(fields, "policy").map(DocumentNode::raw),
        given(fields, "metrics").map(DocumentNode::raw),
        options);
  }

  /** An optional field may be null, which many JSON writers put for what is absent. */
  private static Optional<DocumentNode> given(Map<String, DocumentNode> fields, String name) {
    return DocumentNode.optional(fields, name).filter(n -> !n.isNull());
  }

  public static RuleSet rules(DocumentNode node) {
    return RuleSet.values()[node.word(List.of("flexdp", "paper"))];
  }

  public static MechanismChoice choice(DocumentNode node) {
    return MechanismChoice.values()[node.word(MechanismChoice.words())];
  }

  public static List<Long> distances(DocumentNode node) {
    List<Long> distances = new ArrayList<>();
    for (DocumentNode entry : node.list()) {
      BigInteger distance = entry.count();
      if (distance.compareTo(FARTHEST) > 0) {
        throw entry.error("a distance beyond " + FARTHEST + " is out of reach");
      }
      distances.add(distance.longValueExact());
    }
    if (distances.size() > MOST_DISTANCES) {
      throw node.error("more than " + MOST_DISTANCES + " distances");
    }
    return distances;
  }

  public static Bins bins(DocumentNode node) {
    Map<String, DocumentNode> fields = node.fields(Set.of("columns", "rows"));
    List<String> columns = List.copyOf(node.required(fields, "columns").names());
    List<List<Object>> rows = new ArrayList<>();
    for (DocumentNode row : node.required(fields, "rows").list()) {
      List<Object> values = new ArrayList<>();
      for (DocumentNode value : row.list()) {
        if (value.isList() || value.isMap()) {
          throw value.error("a label is text, a number, true, false or null");
        }
        values.add(value.raw() instanceof Number ? value.decimal() : value.raw());
      }
      if (values.size() != columns.size()) {
        throw row.error("has " + values.size() + " values for " + columns.size() + " columns");
      }
      rows.add(values);
    }
    return new Bins(columns, rows);
  }
}
