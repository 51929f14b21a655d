package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.Report;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.Databases;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.json.AskLines;
import flexdp.metrics.TableMetrics;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing an analyst can read holds an exact count, a max frequency, a private scale or the
 * database's words. A noisy cell may equal an exact number by chance: at ε = 1e-3 that happens to
 * less than one cell in a thousand, so a handful is allowed and more is a leak.
 */
class LeakScanTest {
  private static final String TINY = "1e-3";
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(\\.\\d+)?(?![\\w.])");
  private static final List<String> DATABASE_WORDS =
      List.of(
          "Conversion Error",
          "Out of Range",
          "Catalog Error",
          "Binder Error",
          "Invalid Input",
          "Constraint Error",
          "duckdb.",
          "SQLException",
          "Exception:");

  @TempDir Path folder;
  private final List<String> leaks = new ArrayList<>();
  private final List<String> coincidences = new ArrayList<>();

  private QuestionOptions options() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(3_347, 5).create(file);
    QuestionOptions options = new QuestionOptions();
    options.policy = folder.resolve("rides.yaml");
    options.analyst = "scanner";
    options.epsilon = TINY;
    options.delta = "1e-9";
    Files.writeString(options.policy, RideSharing.policy("jdbc:duckdb:" + file));
    StringWriter quiet = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(quiet),
            new PrintWriter(quiet),
            "collect",
            "--policy",
            options.policy.toString(),
            "--release");
    assertEquals(0, code, quiet.toString());
    return options;
  }

  @Test
  void nothingPrivateIsWrittenAnywhere() throws Exception {
    QuestionOptions options = options();
    List<String> questions = ScanQuestions.all();
    assertTrue(questions.size() >= 500, "only " + questions.size());
    int answered = 0;
    int refused = 0;
    int asked = 0;
    try (FlexDp open = options.open();
        Connection exact = Databases.streaming(open.policy().database().get())) {
      Set<String> metrics = metrics(open);
      for (String sql : questions) {
        String whole = answer(open, options, sql);
        String cells = whole.replaceAll("(?s).*\"rows\":\\[(.*?)\\],\"spent\".*", "$1");
        String rest = whole.replaceAll("(?s)\"rows\":.*\"spent\"", "\"spent\"");
        String shown =
            rest.replaceAll("(?s)\"intervals\":\\[.*\\]", "")
                + "\n"
                + explanation(open, options.ask(sql))
                + within(open, options.ask(sql), asked++);
        answered += shown.contains("\"answered\"") ? 1 : 0;
        refused += shown.contains("\"rejected\"") ? 1 : 0;
        Set<String> numbers = exactNumbers(exact, sql);
        scan(sql, shown, metrics, "a max frequency or row count", leaks);
        scan(sql, shown, numbers, "an exact number", leaks);
        scan(sql, shown, scales(open, sql), "a private scale", leaks);
        scan(sql, whole.equals(cells) ? "" : cells, numbers, "an exact number", coincidences);
        for (String words : DATABASE_WORDS) {
          if (shown.contains(words)) {
            leaks.add(sql + " shows the database's words: " + words);
          }
        }
      }
    }
    assertEquals(List.of(), leaks);
    assertTrue(coincidences.size() < 8, coincidences::toString);
    assertTrue(answered > 300, "answered only " + answered);
    assertTrue(refused > 20, "rejected only " + refused);
  }

  /** Confirmed or not, a proposal tells its own numbers and no others. */
  @Test
  void proposalsSayNothingPrivate() throws Exception {
    QuestionOptions options = options();
    int confirmed = 0;
    int unconfirmed = 0;
    try (FlexDp open = options.open()) {
      Set<String> metrics = metrics(open);
      List<String> questions = ScanQuestions.all();
      for (int i = 0; i < questions.size(); i += 3) {
        String sql = questions.get(i);
        for (String guess : List.of("98765432", "1")) {
          options.propose = proposal(open, guess);
          String whole = answer(open, options, sql);
          String shown =
              whole
                      .replaceAll("(?s)\"rows\":.*\"spent\"", "\"spent\"")
                      .replaceAll("(?s)\"intervals\":\\[.*\\]", "")
                  + explanation(open, options.ask(sql));
          scan(sql, shown, metrics, "a max frequency or row count", leaks);
          scan(sql, shown, scales(open, sql), "a private scale", leaks);
          confirmed += shown.contains("\"mechanism\":\"propose\"") ? 1 : 0;
          unconfirmed += shown.contains("PROPOSAL_NOT_CONFIRMED") ? 1 : 0;
        }
      }
    }
    assertEquals(List.of(), leaks);
    assertTrue(confirmed > 5 && unconfirmed > 5, confirmed + " and " + unconfirmed);
  }

  private static String proposal(FlexDp open, String guess) {
    List<String> guesses = new ArrayList<>();
    open.policy().tables().values().stream()
        .filter(table -> table.isProtected())
        .forEach(
            table -> {
              guesses.add("rows(" + table.name() + ")=" + guess);
              table
                  .columns()
                  .forEach(c -> guesses.add(table.name() + "." + c.name() + "=" + guess));
            });
    return String.join(", ", guesses);
  }

  private String answer(FlexDp open, QuestionOptions options, String sql) throws Exception {
    String line = "{\"id\": 1, \"sql\": \"" + sql.replace("\"", "\\\"") + "\"}\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AskLines(open::ask, open::parse, open::ask, open::ask, options.ask(""), true)
        .run(new ByteArrayInputStream(line.getBytes(StandardCharsets.UTF_8)), out);
    // Noisy counts of values may be right by chance, as the numbers of an answer may.
    return out.toString(StandardCharsets.UTF_8)
        .replaceAll("\"(line|column|request)\":\\d+", "\"$1\":0")
        .replaceAll("\"ranges\":\\[[^\\]]*\\],?", "")
        .replaceAll("\\{\"code\":\"range-found\"[^}]*\\}\\},?", "");
  }

  /**
   * What a question that names an error is told; of some questions only, since each is a search.
   */
  private static String within(FlexDp open, QueryRequest request, int number) {
    return switch (number % 8) {
      case 0 -> explanation(open, request.within(ErrorTarget.parse("500")));
      case 4 -> explanation(open, request.within(ErrorTarget.parse("20%")));
      default -> "";
    };
  }

  private static String explanation(FlexDp open, QueryRequest request) {
    try {
      return ExplanationText.of(open.explain(request));
    } catch (RuntimeException e) {
      return e instanceof Failure failure ? failure.message() + failure.hint() : e.toString();
    }
  }

  private static void scan(
      String sql, String shown, Set<String> forbidden, String what, List<String> found) {
    Matcher numbers = NUMBER.matcher(shown);
    while (numbers.find()) {
      if (forbidden.contains(numbers.group())) {
        found.add(sql + " shows " + what + ": " + numbers.group());
      }
    }
  }

  /** Everything measured that has at least three digits. */
  private static Set<String> metrics(FlexDp open) {
    Set<String> values = new TreeSet<>();
    open.policy().tables().values().stream()
        .filter(table -> table.isProtected())
        .forEach(
            table -> {
              TableMetrics metrics = open.metrics().table(table.name());
              metrics.rows().map(BigInteger::toString).ifPresent(values::add);
              metrics
                  .frequencies()
                  .values()
                  .forEach(
                      f -> {
                        f.max().map(BigInteger::toString).ifPresent(values::add);
                        f.maxWithNull().map(BigInteger::toString).ifPresent(values::add);
                      });
            });
    values.removeIf(v -> v.length() < 3);
    assertTrue(values.size() > 5);
    return values;
  }

  /** The numbers of four and more digits that the database itself would answer. */
  private static Set<String> exactNumbers(Connection connection, String sql) {
    Set<String> numbers = new HashSet<>();
    if (sql.matches("(?is).*(MIN|MAX|MEDIAN|LEAST)\\(.*")) {
      return numbers; // chosen from a small public grid, where hits by chance are likely
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      for (int n = 0; rows.next() && n < 200; n++) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          Object value = rows.getObject(i);
          String text = String.valueOf(value);
          if (value instanceof Number && text.replaceAll("\\D", "").length() >= 4) {
            numbers.add(text);
          }
        }
      }
    } catch (SQLException e) {
      return numbers; // it raises, which the gateway must not
    }
    return numbers;
  }

  /** Smooth bounds and scales of noise that are not public. */
  private static Set<String> scales(FlexDp open, String sql) {
    Set<String> scales = new HashSet<>();
    try {
      AnalysisOptions options = AnalysisOptions.DEFAULT;
      Report report =
          new Analyzer(open.policy(), open.metrics(), LocalDateTime.now()).analyze(sql, options);
      for (Report.Aggregate noise : report.aggregates()) {
        noise
            .smooth()
            .ifPresent(
                s -> {
                  scales.add(s.value().toPlainString());
                  scales.add(s.value().setScale(0, RoundingMode.HALF_UP).toPlainString());
                });
      }
    } catch (Rejection e) {
      return scales;
    }
    scales.removeIf(s -> s.length() < 3);
    return scales;
  }
}
