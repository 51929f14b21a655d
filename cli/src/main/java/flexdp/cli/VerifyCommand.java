package flexdp.cli;

import flexdp.experiments.study.LogColumns;
import flexdp.experiments.study.LogFile;
import flexdp.experiments.study.LogRecord;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.lines.BinsCsv;
import flexdp.gateway.lines.VerifyRequest;
import flexdp.gateway.text.TextFiles;
import flexdp.gateway.verify.Verification;
import flexdp.gateway.verify.Verification.Verified;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.question.Bins;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
          Verified found =
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
}
