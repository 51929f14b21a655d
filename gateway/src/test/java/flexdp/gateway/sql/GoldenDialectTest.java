package flexdp.gateway.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.ConfigurationError.Code;
import flexdp.Rejection;
import flexdp.gateway.text.TextFiles;
import flexdp.metrics.Frequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The statements of dialects whose database is not at hand, compared with files that people
 * reviewed. {@code -Dflexdp.golden.write=true} writes the files anew, for review by git diff.
 */
class GoldenDialectTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  @ParameterizedTest
  @ValueSource(strings = {"spark", "vertica"})
  void statementsAreThoseThatWereReviewed(String name) throws Exception {
    Dialect dialect = name.equals("spark") ? new Spark() : new Vertica();
    StringBuilder text = new StringBuilder();
    int written = 0;
    for (String question : questions()) {
      List<String> lines = rendered(dialect, question);
      written += lines.getFirst().startsWith("rejected") ? 0 : 1;
      text.append("-- ").append(question).append('\n');
      lines.forEach(line -> text.append(line).append('\n'));
      text.append('\n');
    }
    Path file = FOLDER.resolve(name + ".txt");
    if (Boolean.getBoolean("flexdp.golden.write")) {
      Files.writeString(file, text);
    }
    assertTrue(written >= 40, "only " + written + " questions are written for " + name);
    assertEquals(Files.readString(file), text.toString());
  }

  private static List<String> questions() throws Exception {
    return Arrays.stream(Files.readString(FOLDER.resolve("questions.sql")).split(";\n"))
        .map(String::strip)
        .toList();
  }

  private static List<String> rendered(Dialect dialect, String question) {
    Policy policy =
        PolicyReader.read(
            TextFiles.tree(FOLDER.resolveSibling("suite").resolve("policy.yaml"), Code.BAD_POLICY));
    SqlRenderer renderer = new SqlRenderer(dialect, Catalog.plain(dialect));
    var plan = new Analyzer(policy, metrics(policy), NOW).plan(question, AnalysisOptions.DEFAULT);
    List<String> lines = new ArrayList<>();
    try {
      plan.question()
          .releases()
          .forEach(point -> renderer.statements(point).forEach(s -> lines.add(s.sql())));
      return lines;
    } catch (Rejection e) {
      return List.of("rejected " + e.code() + ": " + e.message());
    }
  }

  /** Every column by itself, so that no question lacks a metric. */
  private static Metrics metrics(Policy policy) {
    Map<String, TableMetrics> tables = new HashMap<>();
    Optional<BigInteger> ten = Optional.of(BigInteger.TEN);
    for (Table table : policy.tables().values()) {
      Map<Set<String>, Frequency> frequencies = new HashMap<>();
      table.columns().forEach(c -> frequencies.put(Set.of(c.name()), new Frequency(ten, ten)));
      tables.put(table.name(), new TableMetrics(ten, frequencies));
    }
    return new Metrics(tables, Map.of());
  }

  @Test
  void whatIsNotKnownIsRejectedAndNotGuessed() throws Exception {
    String question = "SELECT COUNT(*) FROM people WHERE SUBSTRING(name, age) = 'x'";
    assertTrue(rendered(new Spark(), question).getFirst().startsWith("rejected UNSUPPORTED"));
    assertTrue(rendered(new Vertica(), question).getFirst().startsWith("rejected UNSUPPORTED"));
  }
}
