package flexdp.gateway.json;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cache.LruCache;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.Optional;

/**
 * Answers one request per line, in order, flushing each. Whatever is wrong with a line ends as an
 * error object in its place; the run goes on.
 */
public final class AnalyzeLines {
  private static final int REMEMBERED = 64;

  private final Optional<Object> policy;
  private final Optional<Object> metrics;
  private final AnalysisOptions defaults;
  private final LocalDateTime now;
  private final Optional<InputDialect> dialect;

  /** Analyzers by the policy and metrics they were made of, so that repeats find their plans. */
  private final LruCache<Declared, Analyzer> analyzers = new LruCache<>(REMEMBERED);

  private record Declared(Object policy, Optional<Object> metrics) {}

  /** The policy and metrics are trees for requests that carry none. */
  public AnalyzeLines(
      Optional<Object> policy,
      Optional<Object> metrics,
      AnalysisOptions defaults,
      LocalDateTime now) {
    this(policy, metrics, defaults, now, Optional.empty());
  }

  /** Answers requests with all questions in one dialect, whatever their policies say. */
  public AnalyzeLines(
      Optional<Object> policy,
      Optional<Object> metrics,
      AnalysisOptions defaults,
      LocalDateTime now,
      Optional<InputDialect> dialect) {
    this.dialect = dialect;
    this.policy = policy;
    this.metrics = metrics;
    this.defaults = defaults;
    this.now = now;
  }

  public void run(InputStream in, OutputStream out) throws IOException {
    Lines lines = new Lines(in);
    for (long request = 1; ; request++) {
      Optional<byte[]> line;
      String answer;
      try {
        line = lines.next();
        if (line.isEmpty()) {
          return;
        }
        answer = answer(line.get(), request);
      } catch (ConfigurationError e) {
        answer = ReportJson.failed(null, e, request);
      }
      out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
    }
  }

  private String answer(byte[] line, long request) {
    Object id = null;
    try {
      Object tree = JsonText.tree(decode(line), Code.BAD_REQUEST);
      id = id(tree);
      AnalyzeRequest asked = AnalyzeRequest.read(tree, defaults);
      return ReportJson.accepted(id, analyzer(asked).analyze(asked.sql(), asked.options()));
    } catch (Failure e) {
      return ReportJson.failed(id, e, request);
    } catch (RuntimeException | StackOverflowError e) {
      return ReportJson.failed(id, internal(e), request);
    }
  }

  private static String decode(byte[] line) {
    try {
      return TextFiles.decode(line);
    } catch (CharacterCodingException e) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "the line is not UTF-8 text");
    }
  }

  private static Object id(Object tree) {
    if (!(tree instanceof Map<?, ?> map)) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "a request is a JSON object");
    }
    Object id = map.get("id");
    if (id instanceof Map<?, ?> || id instanceof Iterable<?>) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "id: must be text or a number");
    }
    return id;
  }

  private Analyzer analyzer(AnalyzeRequest asked) {
    Object declared =
        asked
            .policy()
            .or(() -> policy)
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        Code.BAD_REQUEST,
                        "the request has no policy and none was given with --policy"));
    Declared key = new Declared(declared, asked.metrics().or(() -> metrics));
    return analyzers.of(key, () -> analyzer(key));
  }

  private Analyzer analyzer(Declared key) {
    Policy written = PolicyReader.read(key.policy());
    Policy read = dialect.map(written::in).orElse(written);
    Metrics values = key.metrics().map(tree -> MetricsReader.read(tree, read)).orElse(Metrics.NONE);
    return new Analyzer(read, values, now);
  }

  /** A fault of ours: named by its kind, without words that might hold what was read. */
  private static ConfigurationError internal(Throwable thrown) {
    StackTraceElement[] trace = thrown.getStackTrace();
    String where =
        trace.length == 0 ? "" : " at " + trace[0].getFileName() + ":" + trace[0].getLineNumber();
    return ConfigurationError.of(
        Code.INTERNAL, "internal error (" + thrown.getClass().getSimpleName() + where + ")");
  }
}
