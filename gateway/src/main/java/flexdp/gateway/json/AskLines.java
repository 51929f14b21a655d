package flexdp.gateway.json;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.TextFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Answers one question per line, in order, flushing each; a bad line does not end the run. */
public final class AskLines {
  private final Function<QueryRequest, AnalystView> answers;
  private final BiFunction<QueryRequest, Map<String, Object>, QueryRequest> values;
  private final BiFunction<Workload, QueryRequest, WorkloadView> workloads;
  private final Comparison comparison;
  private final QueryRequest defaults;
  private final boolean intervals;

  /** Says which of many numbers are above a threshold. */
  @FunctionalInterface
  public interface Comparison {
    ThresholdView ask(Workload workload, QueryRequest ask, ThresholdQuery above);
  }

  /**
   * @param values puts the values of parameters into a question that has some
   * @param workloads answers many statements at once
   */
  public AskLines(
      Function<QueryRequest, AnalystView> answers,
      BiFunction<QueryRequest, Map<String, Object>, QueryRequest> values,
      BiFunction<Workload, QueryRequest, WorkloadView> workloads,
      Comparison comparison,
      QueryRequest defaults,
      boolean intervals) {
    this.answers = answers;
    this.values = values;
    this.workloads = workloads;
    this.comparison = comparison;
    this.defaults = defaults.withIntervals(intervals);
    this.intervals = intervals;
  }

  public void run(InputStream in, OutputStream out) throws IOException {
    Lines lines = new Lines(in);
    for (long request = 1; ; request++) {
      String answer;
      try {
        Optional<byte[]> line = lines.next();
        if (line.isEmpty()) {
          return;
        }
        answer = answer(line.get(), request);
      } catch (ConfigurationError e) {
        answer = AnswerJson.failed(null, e, request);
      }
      out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private String answer(byte[] line, long request) {
    Object id = null;
    try {
      Object tree = JsonText.tree(TextFiles.decode(line), Code.BAD_REQUEST);
      id = tree instanceof Map<?, ?> map ? scalar(map.get("id")) : null;
      QueryRequest ask = AskRequest.read(tree, defaults);
      Map<String, Object> given = AskRequest.values(tree);
      Optional<Workload> workload = AskRequest.workload(tree);
      Optional<ThresholdQuery> above = AskRequest.above(tree);
      if (above.isPresent()) {
        return WatchJson.answered(id, comparison.ask(workload.orElseThrow(), ask, above.get()));
      }
      if (workload.isPresent()) {
        return AnswerJson.answered(id, workloads.apply(workload.get(), ask), intervals);
      }
      QueryRequest bound = given.isEmpty() ? ask : values.apply(ask, given);
      return AnswerJson.answered(id, answers.apply(bound), intervals);
    } catch (CharacterCodingException e) {
      return AnswerJson.failed(
          id, ConfigurationError.of(Code.BAD_REQUEST, "the line is not UTF-8 text"), request);
    } catch (Failure e) {
      return AnswerJson.failed(id, e, request);
    } catch (RuntimeException e) {
      // Named by its kind only: its words might hold what was read.
      return AnswerJson.failed(
          id,
          ConfigurationError.of(
              Code.INTERNAL, "internal error (" + e.getClass().getSimpleName() + ")"),
          request);
    }
  }

  private static Object scalar(Object id) {
    if (id instanceof Map<?, ?> || id instanceof Iterable<?>) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "id: must be text or a number");
    }
    return id;
  }
}
