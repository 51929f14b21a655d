package flexdp.gateway;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The queries of the golden corpus that have one policy, whatever the analysis says of them.
 *
 * @param policy its text; that of replace-one where the file says so
 * @param metrics a file; none where the data are to be measured
 */
record CorpusQueries(String policy, Optional<Path> metrics, List<String> sql) {
  private static final Path RESOURCES = Path.of("..", "core", "src", "test", "resources");

  static List<CorpusQueries> all() throws IOException {
    List<CorpusQueries> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(RESOURCES.resolve("corpus"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).sorted().toList()) {
        all.add(read(file));
      }
    }
    List<String> tpch = new ArrayList<>();
    try (Stream<Path> files = Files.list(RESOURCES.resolve("tpch"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).sorted().toList()) {
        tpch.add(Files.readString(file));
      }
    }
    all.add(new CorpusQueries(text("tpch/tpch"), metrics("tpch/tpch"), tpch));
    List<String> suite =
        SuiteCase.read("/suite/queries.test").stream().map(SuiteCase::sql).toList();
    String policy = SuiteCase.text("/suite/policy.yaml");
    all.add(new CorpusQueries(policy, Optional.empty(), suite));
    return together(all);
  }

  /** Queries that are asked alike, in one. */
  private static List<CorpusQueries> together(List<CorpusQueries> files) {
    Map<CorpusQueries, List<String>> alike = new LinkedHashMap<>();
    for (CorpusQueries one : files) {
      CorpusQueries key = new CorpusQueries(one.policy, one.metrics, List.of());
      alike.computeIfAbsent(key, k -> new ArrayList<>()).addAll(one.sql);
    }
    return alike.entrySet().stream()
        .map(e -> new CorpusQueries(e.getKey().policy, e.getKey().metrics, e.getValue()))
        .toList();
  }

  /** The first of so many, and of as many after it. */
  CorpusQueries each(int every) {
    return new CorpusQueries(
        policy,
        metrics,
        IntStream.range(0, sql.size()).filter(i -> i % every == 0).mapToObj(sql::get).toList());
  }

  private static CorpusQueries read(Path file) throws IOException {
    String[] blocks = Files.readString(file).strip().split("\\n\\s*\\n");
    String setting = header(blocks[0], "policy", "corpus/rides");
    String policy = text(setting);
    if (header(blocks[0], "neighbors", "").equals("replace-one")) {
      policy = policy.replace("neighbors: add-remove-one", "neighbors: replace-one");
    }
    List<String> sql = new ArrayList<>();
    for (int i = 1; i < blocks.length; i++) {
      sql.add(blocks[i].split("\\n----")[0].strip());
    }
    return new CorpusQueries(policy, metrics(setting), sql);
  }

  private static String header(String lines, String word, String otherwise) {
    return lines
        .lines()
        .filter(line -> line.startsWith(word + " "))
        .map(line -> line.substring(word.length() + 1).strip())
        .findFirst()
        .orElse(otherwise);
  }

  private static String text(String setting) throws IOException {
    return Files.readString(RESOURCES.resolve(setting + ".policy.yaml"));
  }

  private static Optional<Path> metrics(String setting) {
    return Optional.of(RESOURCES.resolve(setting + ".metrics.yaml"));
  }

  /**
   * @param still whether the owner says that no table changes
   */
  Policy policy(boolean still) {
    String text =
        still ? policy.replaceAll("(?m)^    columns:", "    static: true\n    columns:") : policy;
    String rich =
        text.replaceFirst("(?m)^  budget:.*\\n", "")
            .replaceFirst("(?m)^privacy:", "privacy:\n  budget: {epsilon: 1000000, delta: 0.1}");
    return PolicyReader.read(YamlText.tree(rich, Code.BAD_POLICY));
  }

  /** Those of the file; without one all that the policy wants is measured. */
  Metrics metrics(Policy of, Connection connection) throws SQLException {
    return metrics.isPresent()
        ? MetricsReader.read(TextFiles.tree(metrics.get(), Code.BAD_METRICS), of)
        : new Collector(of, RequiredFrequencies.of(of), Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
  }
}
