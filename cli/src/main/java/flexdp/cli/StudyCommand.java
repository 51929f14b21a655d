package flexdp.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.Analyzer;
import flexdp.experiments.report.Plain;
import flexdp.experiments.report.ReportFolder;
import flexdp.experiments.report.Section;
import flexdp.experiments.report.Stamp;
import flexdp.experiments.study.KnownKeys;
import flexdp.experiments.study.LogColumns;
import flexdp.experiments.study.LogCounts;
import flexdp.experiments.study.LogFile;
import flexdp.experiments.study.LogFormat;
import flexdp.experiments.study.LogRecord;
import flexdp.experiments.study.Study;
import flexdp.experiments.study.StudySection;
import flexdp.experiments.study.Verdict;
import flexdp.experiments.workload.DrawnLog;
import flexdp.experiments.workload.LogEntry;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.files.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
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

  /** Several logs, one after the other, with a bar that says how far they are read. */
  static final class LogFiles implements Study.Source, Closeable {
    private static final long PAUSE = 500_000_000;
    private static final long PAUSE_IN_FILES = 10_000_000_000L;
    private static final int WIDTH = 30;

    private final Deque<Path> left;
    private final Optional<LogFormat> format;
    private final LogColumns columns;
    private final PrintWriter err;
    private final boolean terminal = System.console() != null;
    private final long start = System.nanoTime();
    private long total;
    private long read;
    private long entries;
    private long said = start;
    private Optional<LogFile> open = Optional.empty();

    LogFiles(List<Path> files, Optional<LogFormat> format, LogColumns columns, PrintWriter err) {
      this.left = new ArrayDeque<>(files);
      this.format = format;
      this.columns = columns;
      this.err = err;
      for (Path file : files) {
        total += file.toFile().length();
      }
    }

    @Override
    public Optional<LogRecord> next() throws IOException {
      while (true) {
        if (open.isEmpty()) {
          if (left.isEmpty()) {
            clear();
            return Optional.empty();
          }
          open = Optional.of(open(left.poll()));
        }
        Optional<LogRecord> next = open.get().next();
        if (next.isPresent()) {
          entries++;
          return next;
        }
        close();
      }
    }

    private LogFile open(Path file) throws IOException {
      if (file.toString().equals("-")) {
        return new LogFile(System.in, "", format, columns);
      }
      LogFile log = LogFile.open(file, format, columns, this::progress);
      if (format.isEmpty() && Files.size(file) > 0) {
        err.println("study: " + file.getFileName() + " read as " + log.format().word());
      }
      return log;
    }

    private void progress(long bytes) {
      read += bytes;
      long now = System.nanoTime();
      if (now - said < (terminal ? PAUSE : PAUSE_IN_FILES) || total == 0) {
        return;
      }
      said = now;
      double part = Math.min(1, read / (double) total);
      double seconds = (now - start) / 1e9;
      int full = (int) (part * WIDTH);
      err.printf(
          Locale.ROOT,
          "%sstudy: [%s%s] %3.0f %%, %,d queries, about %.0f s left%s",
          terminal ? "\r" : "",
          "#".repeat(full),
          ".".repeat(WIDTH - full),
          100 * part,
          entries,
          Math.ceil(seconds * (1 - part) / Math.max(part, 1e-9)),
          terminal ? "  " : System.lineSeparator());
      err.flush();
    }

    private void clear() {
      if (terminal && said != start) {
        err.print("\r" + " ".repeat(WIDTH + 60) + "\r");
        err.flush();
      }
    }

    @Override
    public void close() throws IOException {
      if (open.isPresent()) {
        open.get().close();
        open = Optional.empty();
      }
    }
  }

  /** A generated log as JSON lines. */
  static final class GeneratedLog {
    private GeneratedLog() {}

    static void print(PrintWriter out, long count, long seed) throws IOException {
      DrawnLog workload = new DrawnLog(seed);
      JsonFactory json = new JsonFactory().disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      JsonGenerator lines = json.createGenerator(out);
      lines.setRootValueSeparator(null);
      for (long i = 0; i < count && !out.checkError(); i++) {
        LogEntry entry = workload.next();
        lines.writeStartObject();
        lines.writeStringField("backend", entry.backend());
        lines.writeNumberField("rows", entry.rows());
        lines.writeStringField("sql", entry.sql());
        lines.writeEndObject();
        lines.writeRaw('\n');
      }
      lines.flush();
    }
  }

  /** What is said of each query of a log, as JSON lines in the order of the log. */
  static final class VerdictLines implements Verdict.Reader, AutoCloseable {
    private final PrintWriter out;

    private VerdictLines(PrintWriter out) {
      this.out = out;
    }

    /** Into a file, or nowhere. */
    static VerdictLines to(Optional<Path> file) {
      try {
        return new VerdictLines(
            file.isEmpty()
                ? new PrintWriter(PrintWriter.nullWriter())
                : new PrintWriter(Files.newBufferedWriter(file.get(), StandardCharsets.UTF_8)));
      } catch (IOException e) {
        throw ConfigurationError.of(
            Code.BAD_USAGE, "the file " + file.orElseThrow() + " cannot be written");
      }
    }

    @Override
    public void read(Verdict verdict) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      line.put("query", verdict.entry());
      line.put("kind", verdict.kind().toLowerCase(Locale.ROOT));
      line.put("verdict", verdict.isAccepted() ? "accepted" : "rejected");
      if (!verdict.isAccepted()) {
        line.put("code", verdict.code());
        verdict
            .why()
            .ifPresent(
                why -> {
                  line.put("message", why.message());
                  line.put("hint", why.hint());
                  why.at().ifPresent(at -> line.put("at", at.toString()));
                });
      }
      line.put("sql", verdict.sql());
      out.println(line);
    }

    @Override
    public void close() {
      out.close();
    }
  }
}
