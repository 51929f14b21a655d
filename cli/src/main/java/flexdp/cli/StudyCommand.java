package flexdp.cli;

import flexdp.Analyzer;
import flexdp.experiments.report.Plain;
import flexdp.experiments.report.ReportFolder;
import flexdp.experiments.report.Section;
import flexdp.experiments.report.Stamp;
import flexdp.experiments.study.KnownKeys;
import flexdp.experiments.study.LogColumns;
import flexdp.experiments.study.LogCounts;
import flexdp.experiments.study.LogFormat;
import flexdp.experiments.study.Study;
import flexdp.experiments.study.StudySection;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.text.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The paper's study of queries, over a log. */
@Command(
    name = "study",
    description = "What the queries of a log are made of, and which of them can be answered.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp study queries.sql --policy rides.yaml --out report",
      "  flexdp study --generate 10000 > queries.jsonl",
      "",
      "Files hold statements with semicolons, one statement in a line, JSON lines or CSV, also",
      "packed with gzip; - is the standard input. Without a policy nothing is said about which",
      "queries can be answered, nor about relationships of joins."
    })
final class StudyCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Query logs.")
  List<Path> files = List.of();

  @Option(names = "--policy", paramLabel = "FILE", description = "Which tables may be asked about.")
  Path policy;

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description = "Their metrics; otherwise NAME.metrics.json beside the policy, if it is there.")
  Path metrics;

  @Option(
      names = "--format",
      paramLabel = "sql|lines|jsonl|csv",
      description = "How the queries stand in the files; otherwise found out.")
  String format;

  @Option(names = "--column", paramLabel = "NAME", description = "The field with the query.")
  String column;

  @Option(names = "--backend", paramLabel = "NAME", description = "The field with the database.")
  String backend;

  @Option(names = "--rows", paramLabel = "NAME", description = "The field with the rows returned.")
  String rows;

  @Option(names = "--columns", paramLabel = "NAME", description = "The field with the columns.")
  String columns;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Write an HTML report with plots and CSV files there too.")
  Path out;

  @Option(
      names = "--verdicts",
      paramLabel = "FILE",
      description = "Write what is said of each query there, one JSON object in a line.")
  Path verdicts;

  @Option(
      names = "--generate",
      paramLabel = "N",
      description =
          "Print a log of N queries like the paper's over the demo's tables, as JSON lines.")
  long generate;

  @Option(names = "--seed", paramLabel = "N", description = "Of --generate.")
  long seed = 2016;

  @Override
  public Integer call() throws Exception {
    if (generate > 0) {
      GeneratedLog.print(spec.commandLine().getOut(), generate, seed);
      return 0;
    }
    if (files.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "Which log? Try: flexdp study --help");
    }
    if (verdicts != null && policy == null) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "verdicts need a policy", "Give one: --policy FILE");
    }
    long start = System.nanoTime();
    LogCounts tally = study();
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    Section section = StudySection.of("study", "The queries of " + names(), tally);
    spec.commandLine().getOut().print(Plain.of(section));
    spec.commandLine()
        .getErr()
        .printf(
            Locale.ROOT,
            "study: %,d queries in %s, %,.0f in a second%n",
            tally.queries(),
            Stamp.shown(took),
            tally.queries() / (took.toNanos() / 1e9));
    if (out != null) {
      write(section, took);
    }
    return 0;
  }

  private LogCounts study() throws InterruptedException {
    Optional<Policy> rules =
        Optional.ofNullable(policy)
            .map(file -> PolicyReader.read(TextFiles.tree(file, Code.BAD_POLICY)));
    Metrics measured = rules.map(this::measured).orElse(Metrics.NONE);
    KnownKeys keys = rules.map(p -> KnownKeys.of(p, measured)).orElse(KnownKeys.NONE);
    Optional<Analyzer> analyzer =
        rules.map(p -> new Analyzer(p, measured, LocalDateTime.now(ZoneOffset.UTC)));
    int workers = Runtime.getRuntime().availableProcessors();
    LogColumns fields =
        new LogColumns(
            Optional.ofNullable(column),
            Optional.ofNullable(backend),
            Optional.ofNullable(rows),
            Optional.ofNullable(columns));
    try (LogFiles logs = new LogFiles(files, known(), fields, spec.commandLine().getErr());
        VerdictLines lines = VerdictLines.to(Optional.ofNullable(verdicts))) {
      return new Study(keys, analyzer, workers).of(logs, lines);
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "a log cannot be read: " + names());
    }
  }

  private Metrics measured(Policy read) {
    Path file = metrics == null ? MetricsFile.beside(policy) : metrics;
    if (metrics == null && !Files.exists(file)) {
      return Metrics.NONE;
    }
    return MetricsFile.read(file, read).metrics();
  }

  private Optional<LogFormat> known() {
    if (format == null) {
      return Optional.empty();
    }
    return Optional.of(
        LogFormat.of(format)
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        Code.BAD_USAGE,
                        "there is no format '" + format + "'",
                        "Say sql, lines, jsonl or csv.")));
  }

  private String names() {
    String first = files.getFirst().getFileName().toString();
    return files.size() == 1 ? first : first + " and " + (files.size() - 1) + " more";
  }

  private void write(Section section, Duration took) {
    ReportFolder folder = new ReportFolder(out);
    try {
      folder.keep(section, new Stamp(LocalDate.now(), Stamp.thisMachine(), took), "study");
      folder.write(
          "A study of queries",
          "The questions of the paper's section 2, asked of this log. The paper's numbers are of"
              + " 8.1 million queries of another company: that logs differ is no fault.",
          List.of(section.name()));
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the folder " + out + " cannot be written");
    }
    spec.commandLine().getErr().println("study: written to " + folder.index());
  }
}
