package flexdp.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.experiments.study.LogColumns;
import flexdp.experiments.study.LogFile;
import flexdp.experiments.study.LogRecord;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.BinsCsv;
import flexdp.gateway.json.VerifyRequest;
import flexdp.gateway.verify.Verification;
import flexdp.gateway.verify.Verification.VerificationResult;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import java.io.IOException;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The owner's own proof, by brute force. */
@Command(
    name = "verify",
    description = {
      "Try to break the promise by brute force on tiny made-up databases (owner).",
      "They have the policy's own schema; every neighbour is tried: the true change against the"
          + " bound claimed, then an audit of the noise.",
      "Reads no data and charges nothing. Exit code 1 and a counterexample if a promise breaks."
    },
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp verify --policy rides.yaml \\",
      "    \"SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id\"",
      "  flexdp verify --policy rides.yaml --minutes 30 -f queries.sql",
    })
final class VerifyCommand implements Callable<Integer> {
  private static final BigDecimal NANOS = BigDecimal.valueOf(60_000_000_000L);

  @Spec CommandSpec spec;

  @Option(names = "--policy", paramLabel = "FILE", required = true, description = "The policy.")
  Path policy;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "A log of questions: statements with semicolons, lines, JSON lines or CSV.")
  Path file;

  @Option(
      names = "--jsonl",
      description = "Read one JSON request per line from stdin (id, sql, bins); answer with lines.")
  boolean jsonl;

  @Option(
      names = "--minutes",
      description = "How long to try, all questions together (default: ${DEFAULT-VALUE}).")
  BigDecimal minutes = BigDecimal.ONE;

  @Option(
      names = "--epsilon",
      description = "At which the noise is audited (default: ${DEFAULT-VALUE}).")
  BigDecimal epsilon = BigDecimal.ONE;

  @Option(names = "--seed", description = "Of the made-up databases (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--bins", paramLabel = "FILE", description = "Labels, as CSV with a header.")
  Path bins;

  @Parameters(arity = "0..1", paramLabel = "SQL", description = "The question; - reads stdin.")
  String sql;

  @Override
  public Integer call() throws IOException {
    int sources = (sql == null ? 0 : 1) + (file == null ? 0 : 1) + (jsonl ? 1 : 0);
    if (sources != 1) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "give one question, or -f FILE with many, or --jsonl");
    }
    if (minutes.signum() <= 0 || epsilon.signum() <= 0) {
      throw ConfigurationError.of(Code.BAD_USAGE, "--minutes and --epsilon must be above zero");
    }
    Policy read = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
    List<VerifyRequest> questions = questions();
    VerifiedText text = new VerifiedText(spec.commandLine().getOut(), jsonl);
    long end = System.nanoTime() + minutes.multiply(NANOS).longValue();
    boolean broken = false;
    try (VerifyProgress progress =
        new VerifyProgress(spec.commandLine().getErr(), questions.size(), end)) {
      for (int i = 0; i < questions.size(); i++) {
        VerifyRequest one = questions.get(i);
        long each = Math.max(0, end - System.nanoTime()) / (questions.size() - i);
        progress.begin(i);
        try {
          VerificationResult found =
              new Verification(
                      read, seed + i, epsilon, System::nanoTime, LocalDateTime.now(ZoneOffset.UTC))
                  .of(one.sql(), one.bins(), Duration.ofNanos(each), progress::checked);
          broken |= found.isBroken();
          progress.pause();
          text.add(one, found);
        } catch (Failure e) {
          if (sql != null) {
            throw e;
          }
          progress.pause();
          text.add(one, e);
        }
      }
    }
    text.end();
    return broken ? 1 : 0;
  }

  private List<VerifyRequest> questions() throws IOException {
    if (jsonl) {
      return VerifyRequest.all(System.in);
    }
    Optional<Bins> labels =
        Optional.ofNullable(bins).map(f -> BinsCsv.read(TextFiles.read(f, Code.BAD_REQUEST)));
    if (sql != null) {
      return List.of(VerifyRequest.of(QuestionOptions.text(sql), labels));
    }
    Map<String, VerifyRequest> all = new LinkedHashMap<>();
    LogColumns fields =
        new LogColumns(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    try (LogFile log = LogFile.open(file, Optional.empty(), fields, read -> {})) {
      for (Optional<LogRecord> next = log.next(); next.isPresent(); next = log.next()) {
        if (next.get() instanceof LogRecord.Query query) {
          String text = query.sql().strip();
          all.putIfAbsent(text, VerifyRequest.of(text, labels));
        }
      }
    }
    return new ArrayList<>(all.values());
  }

  /** What {@code verify} found: a table with counterexamples below it, or JSON lines. */
  static final class VerifiedText {
    private static final int WIDE = 48;
    private static final String ROW = "%-48s  %9s  %8s  %-14s  %-13s  %s%n";

    private final PrintWriter out;
    private final boolean json;
    private final List<String> below = new ArrayList<>();
    private boolean begun;

    VerifiedText(PrintWriter out, boolean json) {
      this.out = out;
      this.json = json;
    }

    void add(VerifyRequest request, VerificationResult found) {
      if (json) {
        out.println(line(request, found));
        out.flush();
        return;
      }
      String seen =
          found
              .audit()
              .map(
                  a ->
                      String.format(
                          Locale.ROOT, "%.2f of %s", a.seen(), a.epsilon().toPlainString()))
              .orElse("-");
      row(
          request,
          String.format(Locale.ROOT, "%,d", found.checks()),
          String.format(Locale.ROOT, "%.2f", found.tightest()),
          found.mechanism(),
          seen,
          found.isBroken() ? "BROKEN" : found.note().isEmpty() ? "holds" : found.note());
      found.broken().ifPresent(broken -> below.addAll(text(request, broken)));
    }

    void add(VerifyRequest request, Failure failure) {
      if (json) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        id(line, request);
        line.put("status", "rejected");
        line.put("code", failure.codeName());
        line.put("message", failure.message());
        out.println(line);
        out.flush();
        return;
      }
      row(request, "-", "-", "-", "-", "rejected: " + failure.codeName());
    }

    private void row(VerifyRequest request, Object... cells) {
      if (!begun) {
        begun = true;
        out.printf(
            Locale.ROOT,
            ROW,
            "question",
            "checks",
            "tightest",
            "mechanism",
            "epsilon seen",
            "verdict");
      }
      List<Object> all = new ArrayList<>(List.of(brief(request.sql())));
      all.addAll(List.of(cells));
      out.printf(Locale.ROOT, ROW, all.toArray());
      out.flush();
    }

    private static String brief(String sql) {
      String line = sql.strip().replaceAll("\\s+", " ");
      return line.length() <= WIDE ? line : line.substring(0, WIDE - 1) + "…";
    }

    private static List<String> text(
        VerifyRequest request, VerificationResult.Counterexample broken) {
      List<String> lines = new ArrayList<>();
      lines.add("");
      lines.add("A promise breaks for: " + request.sql().strip());
      lines.add("  " + broken.what());
      lines.add(
          broken.rows().isEmpty() ? "  in the empty database" : "  in the database with the rows");
      broken.rows().forEach(row -> lines.add("    " + row));
      broken.neighbour().forEach(row -> lines.add("  " + row));
      lines.add("No answer to this question is private until that is mended; please report it.");
      return lines;
    }

    void end() {
      below.forEach(out::println);
      out.flush();
    }

    private static void id(ObjectNode line, VerifyRequest request) {
      if (request.id() == null) {
        line.putNull("id");
      } else {
        line.put("id", request.id().toString());
      }
    }

    private static ObjectNode line(VerifyRequest request, VerificationResult found) {
      ObjectNode line = JsonNodeFactory.instance.objectNode();
      id(line, request);
      line.put("status", found.isBroken() ? "broken" : "holds");
      line.put("databases", found.databases());
      line.put("checks", found.checks());
      line.put("tightest", found.tightest());
      line.put("mechanism", found.mechanism());
      found
          .audit()
          .ifPresent(
              audit -> {
                line.put("epsilon", audit.epsilon());
                line.put("epsilonSeen", audit.seen());
                line.put("answers", audit.answers());
              });
      if (!found.note().isEmpty()) {
        line.put("note", found.note());
      }
      found
          .broken()
          .ifPresent(
              broken -> {
                ObjectNode example = line.putObject("counterexample");
                example.put("what", broken.what());
                ArrayNode rows = example.putArray("rows");
                broken.rows().forEach(rows::add);
                ArrayNode neighbour = example.putArray("neighbour");
                broken.neighbour().forEach(neighbour::add);
              });
      return line;
    }
  }

  /** How far a verification is: time is what it has, so the bar is of time. */
  static final class VerifyProgress implements AutoCloseable {
    private static final long PAUSE = 250_000_000;
    private static final int WIDTH = 24;

    private final PrintWriter err;
    private final int questions;
    private final long start = System.nanoTime();
    private final long end;
    private final boolean terminal = Boolean.getBoolean("flexdp.terminal"); // the launcher knows
    private long said;
    private int at;
    private long before;
    private long now;

    VerifyProgress(PrintWriter err, int questions, long end) {
      this.err = err;
      this.questions = questions;
      this.end = end;
    }

    void begin(int question) {
      at = question;
      before += now;
      now = 0;
    }

    void checked(long checks) {
      now = checks;
      long time = System.nanoTime();
      if (!terminal || time - said < PAUSE) {
        return;
      }
      said = time;
      double part = Math.clamp((time - start) / (double) Math.max(1, end - start), 0, 1);
      int filled = (int) (part * WIDTH);
      err.printf(
          Locale.ROOT,
          "\r\033[Kverify: [%s%s] question %d of %d, %,d checks, about %.0f s left",
          "#".repeat(filled),
          " ".repeat(WIDTH - filled),
          at + 1,
          questions,
          before + now,
          Math.max(0, (end - time) / 1e9));
      err.flush();
    }

    /** Makes room for a line. */
    void pause() {
      if (terminal) {
        err.print("\r\033[K");
        err.flush();
      }
    }

    @Override
    public void close() {
      pause();
    }
  }
}
