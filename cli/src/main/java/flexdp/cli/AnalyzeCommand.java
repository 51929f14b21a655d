package flexdp.cli;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.Report;
import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.AnalyzeLines;
import flexdp.gateway.json.AnalyzeRequest;
import flexdp.gateway.json.BinsCsv;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The owner's static analysis of a question; needs no database. */
@Command(
    name = "analyze",
    description = "How much one row can change the answer, and the noise that hides it (owner).",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp analyze --policy rides.yaml --distances 0,1,10 \\",
      "    \"SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id\"",
      "",
      "The metrics are private: so is what this prints."
    })
final class AnalyzeCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--policy", paramLabel = "FILE", description = "The policy (YAML or JSON).")
  Path policy;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "The metrics; otherwise NAME.metrics.json beside the policy, if it is there.")
  Path metrics;

  @Option(names = "--rules", description = "flexdp (default), or paper for reproduction.")
  String rules = "flexdp";

  @Option(names = "--epsilon", description = "The epsilon of the question.")
  String epsilon;

  @Option(names = "--delta", description = "The delta of the question.")
  String delta;

  @Option(
      names = "--mechanism",
      description = "auto (default), laplace, lomax, flex, released, gaussian.")
  String mechanism = "auto";

  @Option(
      names = "--distances",
      paramLabel = "K,K,...",
      description = "Distances at which the elastic sensitivity is shown.")
  String distances = "0,1,2,10";

  @Option(names = "--bins", paramLabel = "FILE", description = "Labels, as CSV with a header.")
  Path bins;

  @Option(
      names = "--sql-dialect",
      paramLabel = "NAME",
      description = "Whose SQL the question is written in; otherwise what the policy says.")
  String sqlDialect;

  @Option(
      names = "--jsonl",
      description = "Read one JSON request per line from stdin, answer each with one line.")
  boolean jsonl;

  @Parameters(
      arity = "0..1",
      paramLabel = "SQL",
      description = "The question; - reads it from stdin.")
  String sql;

  @Override
  public Integer call() throws IOException {
    LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
    Optional<Object> policyTree =
        Optional.ofNullable(policy).map(file -> TextFiles.tree(file, Code.BAD_POLICY));
    Optional<Object> metricsTree =
        metricsFile().map(file -> TextFiles.tree(file, Code.BAD_METRICS));
    if (jsonl) {
      return lines(policyTree, metricsTree, now);
    }
    if (sql == null) {
      throw usage("no question; give it as the last argument, in quotes");
    }
    Policy written =
        PolicyReader.read(policyTree.orElseThrow(() -> usage("analyze needs --policy FILE")));
    Policy read = sqlDialect == null ? written : written.in(SqlDialectOption.read(sqlDialect));
    Metrics measured = metricsTree.map(tree -> MetricsReader.read(tree, read)).orElse(Metrics.NONE);
    Report report = new Analyzer(read, measured, now).analyze(question(), options(distances()));
    spec.commandLine().getOut().print(ReportText.of(report));
    return 0;
  }

  private int lines(Optional<Object> policyTree, Optional<Object> metricsTree, LocalDateTime now)
      throws IOException {
    if (sql != null) {
      throw usage("--jsonl reads its questions from stdin, not from the arguments");
    }
    boolean asked = spec.commandLine().getParseResult().hasMatchedOption("--distances");
    AnalysisOptions defaults = options(asked ? distances() : AnalysisOptions.DEFAULT.distances());
    Optional<InputDialect> dialect = Optional.ofNullable(sqlDialect).map(SqlDialectOption::read);
    new AnalyzeLines(policyTree, metricsTree, defaults, now, dialect).run(System.in, System.out);
    return 0;
  }

  private AnalysisOptions options(List<Long> at) {
    return new AnalysisOptions(
        AnalyzeRequest.rules(option("--rules", rules)),
        AnalyzeRequest.choice(option("--mechanism", mechanism)),
        Optional.ofNullable(epsilon).map(e -> number("--epsilon", e).epsilon()),
        Optional.ofNullable(delta).map(d -> number("--delta", d).delta()),
        at,
        Optional.ofNullable(bins).map(f -> BinsCsv.read(TextFiles.read(f, Code.BAD_REQUEST))));
  }

  private List<Long> distances() {
    List<Object> numbers = new ArrayList<>();
    for (String k : distances.split(",", -1)) {
      numbers.add(number("--distances", k.strip()).raw());
    }
    return AnalyzeRequest.distances(option("--distances", numbers));
  }

  private static DocumentNode number(String option, String text) {
    try {
      return option(option, text.length() > 1000 ? text : new BigDecimal(text));
    } catch (NumberFormatException e) {
      return option(option, text);
    }
  }

  private static DocumentNode option(String name, Object value) {
    return DocumentNode.root(Map.of(name, value), Code.BAD_USAGE).entries().get(name);
  }

  private Optional<Path> metricsFile() {
    if (metrics != null) {
      return Optional.of(metrics);
    }
    return Optional.ofNullable(policy).map(MetricsFile::beside).filter(Files::exists);
  }

  private String question() throws IOException {
    if (!sql.equals("-")) {
      return sql;
    }
    try (InputStream in = System.in) {
      return TextFiles.decode(in.readAllBytes());
    } catch (CharacterCodingException e) {
      throw usage("the question is not UTF-8 text");
    }
  }

  private static ConfigurationError usage(String message) {
    return ConfigurationError.of(Code.BAD_USAGE, message);
  }
}
