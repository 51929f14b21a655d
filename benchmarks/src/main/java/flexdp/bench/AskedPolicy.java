package flexdp.bench;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A policy as a benchmark asks about it: of data that do not change, with a budget that does not
 * run out, in a file with its metrics beside it.
 */
record AskedPolicy(Path file, Policy policy) {

  /**
   * @param yaml in which every table has a line of its own, as the policies of the benchmarks have
   */
  static AskedPolicy write(String yaml, Path file) throws IOException {
    return write(yaml, file, "basic");
  }

  /** Writes a policy whose costs add up by this composition. */
  static AskedPolicy write(String yaml, Path file, String composition) throws IOException {
    int tables = yaml.indexOf("\ntables:") + "\ntables:".length();
    String before =
        yaml.substring(0, tables)
            .replaceAll("(?m)^  budget:.*\\R", "")
            .replaceFirst(
                "(?m)^privacy:.*$",
                "$0\n  budget: {epsilon: 1000000000, delta: 0.5, composition: "
                    + composition
                    + "}");
    String after = yaml.substring(tables).replaceAll("(?m)^  (\\w+):\\h*$", "$0\n    static: true");
    Files.writeString(file, before + after);
    return new AskedPolicy(file, PolicyReader.read(YamlText.tree(before + after, Code.BAD_POLICY)));
  }

  RequiredFrequencies wanted(String more) {
    RequiredFrequencies own = RequiredFrequencies.of(policy);
    return more.isEmpty() ? own : own.and(ColumnNames.parse(more, policy));
  }

  /** What collecting has to group by, each as somebody would write it. */
  List<String> groupings(TpchHome home, String more) {
    List<String> all = new ArrayList<>();
    for (String table : policy.tables().keySet()) {
      for (Set<String> columns : wanted(more).of(table)) {
        if (!home.hasKey(table, columns)) {
          String groups =
              "SELECT COUNT(*) AS n FROM " + table + " GROUP BY " + String.join(", ", columns);
          all.add("SELECT MAX(n) FROM (" + groups + ") AS g");
        }
      }
    }
    return all;
  }

  /** Measures what the policy needs, and the columns named besides, and writes it beside. */
  void collect(String url, String more) throws SQLException, IOException {
    try (Connection connection = Databases.readOnly(url)) {
      MetricsFile.write(
          new PolicyFiles(file).metrics(),
          policy,
          new Collector(policy, wanted(more), Progress.NONE, Clock.systemUTC()).collect(connection),
          Map.of());
    }
  }
}
