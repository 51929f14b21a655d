package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.engine.Explainer;
import flexdp.gateway.files.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.ReleasePlan;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rules that {@code explain} names at each operator, for every question of the corpus that is
 * accepted. With {@code -Dflexdp.corpus.write=true} they are written anew, for review.
 */
class ExplainedRulesTest {
  private static final Path CORPUS = Path.of("../core/src/test/resources");
  private static final Path GOLDEN = Path.of("src/test/resources/explain/rules.txt");
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);
  private static final Pattern RULE = Pattern.compile("\\bS-[A-Z]+(-[A-Z]+)*");

  private static final ReleasePlan.Means MEANS =
      new ReleasePlan.Means(
          Optional.empty(),
          packing -> {
            throw new AssertionError("nothing is solved to explain");
          });

  private record Setting(Policy policy, Metrics metrics) {
    static Setting read(String name) {
      Policy policy =
          PolicyReader.read(TextFiles.tree(CORPUS.resolve(name + ".policy.yaml"), Code.BAD_POLICY));
      Metrics metrics =
          MetricsReader.read(
              TextFiles.tree(CORPUS.resolve(name + ".metrics.yaml"), Code.BAD_METRICS), policy);
      return new Setting(policy, metrics);
    }

    /** The operators of a question; nothing when it is refused. */
    List<String> operators(String sql) {
      try {
        Plan plan = new Analyzer(policy, metrics, NOW).plan(sql, AnalysisOptions.DEFAULT);
        return new Explainer(policy, metrics)
            .explain(
                plan,
                plan.query().releases().stream()
                    .map(point -> ReleasePlan.of(plan, point, MEANS))
                    .toList(),
                BigDecimal.ONE,
                ErrorModel.of(plan, metrics, QueryOptions.RULES))
            .operators();
      } catch (Rejection e) {
        return List.of();
      }
    }
  }

  private static String all() throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> files = Files.list(CORPUS.resolve("corpus"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).sorted().toList()) {
        String all = Files.readString(file);
        Setting setting =
            Setting.read(
                all.lines()
                    .filter(line -> line.startsWith("policy "))
                    .map(line -> line.substring(7).strip())
                    .findFirst()
                    .orElse("corpus/rides"));
        for (String block : all.split("\n\\s*\n")) {
          add(text, setting, block.split("\n----")[0].strip());
        }
      }
    }
    Setting tpch = Setting.read("tpch/tpch");
    try (Stream<Path> files = Files.list(CORPUS.resolve("tpch"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).sorted().toList()) {
        add(text, tpch, Files.readString(file).strip());
      }
    }
    // Once named S-SORT, for want of a LIMIT.
    String rest = "SELECT COUNT(*) FROM (SELECT id FROM trips ORDER BY id OFFSET 2) t";
    add(text, Setting.read("corpus/rides"), rest);
    Setting capped = Setting.read("corpus/capped");
    String join = "SELECT COUNT(*) FROM trips t JOIN shifts s ON s.driver_id = t.driver_id";
    add(text, capped, join);
    add(text, capped, join + " JOIN tags g ON g.rider_id = t.rider_id");
    return text.toString();
  }

  private static void add(StringBuilder text, Setting setting, String sql) {
    List<String> operators = setting.operators(sql);
    if (!operators.isEmpty()) {
      text.append(sql).append("\n----\n");
      operators.forEach(line -> text.append(line).append('\n'));
      text.append('\n');
    }
  }

  @Test
  void explainNamesTheRulesOfEveryOperator() throws IOException {
    String found = all();
    if (Boolean.getBoolean("flexdp.corpus.write")) {
      Files.createDirectories(GOLDEN.getParent());
      Files.writeString(GOLDEN, found);
    }
    assertEquals(Files.readString(GOLDEN), found);
  }

  @Test
  void everyDocumentedRuleIsNamedSomewhereAndNoOther() throws IOException {
    TreeSet<String> named = new TreeSet<>();
    RULE.matcher(Files.readString(GOLDEN)).results().forEach(r -> named.add(r.group()));
    TreeSet<String> documented = new TreeSet<>();
    Files.readString(Path.of("../docs/rules.md"))
        .lines()
        .filter(line -> line.startsWith("| `S-"))
        .forEach(line -> documented.add(line.substring(3, line.indexOf('`', 3))));
    assertTrue(documented.size() > 20, () -> documented.toString());
    // An order that decides nothing is left out when a question is read.
    named.add("S-SORT");
    // Nobody owns rows in the corpus.
    named.add("S-OWNED");
    assertEquals(documented, named);
  }
}
