package flexdp.gateway;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.AnalyzeRequest;
import flexdp.gateway.json.ReportJson;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The owner's view of a policy and of what was measured, as JSON text: whoever carries it to the
 * owner need not know what is in it.
 */
public final class AdminJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Policy policy;
  private final LiveMetrics live;
  private final Path file;
  private final Analyzer analyzer;

  /**
   * @param file where the metrics are kept
   */
  AdminJson(Policy policy, LiveMetrics live, Path file, Clock clock) {
    this.policy = policy;
    this.live = live;
    this.file = file;
    this.analyzer = new Analyzer(policy, live.metrics(), () -> LocalDateTime.now(clock));
  }

  /**
   * The static analysis of a question with the private numbers, as {@code analyze --jsonl} has it.
   *
   * @param request a tree of JSON; it cannot bring another policy or other metrics
   * @throws flexdp.failure.Failure when the question would be refused
   */
  public String analyze(Object request) {
    AnalyzeRequest asked = AnalyzeRequest.read(request, AnalysisOptions.DEFAULT);
    if (asked.policy().isPresent() || asked.metrics().isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST,
          "a server analyses with the policy and the metrics that it serves",
          "Leave out policy and metrics; flexdp analyze takes others.");
    }
    Object id = request instanceof Map<?, ?> map ? map.get("id") : null;
    return ReportJson.accepted(id, analyzer.analyze(asked.sql(), asked.options()));
  }

  /** What was measured, when, and whether questions may still believe it, by table. */
  public String metrics() {
    Map<?, ?> measured =
        Files.exists(file) && TextFiles.tree(file, Code.BAD_METRICS) instanceof Map<?, ?> map
            ? map
            : Map.of();
    List<Object> tables = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("table", table.name());
      one.put("protected", table.isProtected());
      one.put("freshness", live.freshness(table.name()));
      one.put("usable", !live.isUnknown(table.name()));
      one.put("measured", measured.containsKey(table.name()));
      if (measured.get(table.name()) instanceof Map<?, ?> values) {
        values.forEach((key, value) -> one.put(String.valueOf(key), value));
      }
      tables.add(one);
    }
    try {
      return JSON.writeValueAsString(Map.of("tables", tables));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
