package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.metrics.MetricsReader;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.sensitivity.RuleSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * Analysts' questions in the words of six databases, written before anybody looked whether they are
 * answered, and fifty more of each after that. Those that ask for rows or for single people say so
 * at their end. What is refused, and why, stands in a file beside them; {@code
 * -Dflexdp.corpus.write=true} writes it anew, for review.
 */
class AnalystsQuestionsTest {
  private static final Path PLACE = Setting.RESOURCES.resolve("questions");
  private static final Path GOLDEN = PLACE.resolve("refused.txt");
  private static final List<String> SPELLINGS =
      List.of("postgresql", "mysql", "sqlite", "snowflake", "tsql", "bigquery");
  private static final double LEAST_SHARE = 0.94;

  @Test
  void whatIsRefusedAndWhyIsKnown() throws IOException {
    StringBuilder report = new StringBuilder();
    for (String spelling : SPELLINGS) {
      report(spelling, "", report);
      report(spelling, "-second", report);
    }
    String found = report.toString();
    if (Boolean.getBoolean("flexdp.corpus.write")) {
      Files.writeString(GOLDEN, found);
    }
    assertEquals(Setting.text(GOLDEN), found);
  }

  private static void report(String spelling, String set, StringBuilder report) {
    String[] blocks =
        Setting.text(PLACE.resolve(spelling + set + ".sql")).strip().split("\\n\\s*\\n");
    Setting plain = setting(blocks[0].substring("setting ".length()).strip());
    Policy spoken = plain.policy().in(InputDialect.of(spelling).orElseThrow());
    Setting setting = new Setting(spoken, plain.metrics());
    List<String> refused = new ArrayList<>();
    int asked = 0;
    for (int i = 1; i < blocks.length; i++) {
      boolean rows = blocks[i].endsWith("-- rows");
      String sql = blocks[i].replaceAll(";\\s*(-- rows)?$", "");
      String verdict = Verdict.withMessage(sql, setting, RuleSet.FLEXDP);
      boolean accepted = verdict.startsWith("accepted");
      assertTrue(!rows || !accepted, "rows of protected tables: " + sql);
      asked += rows ? 0 : 1;
      if (!accepted && !rows) {
        refused.add(verdict.strip().replaceAll("\\n\\s*", ": ") + "\n    " + sql);
      }
    }
    int answered = asked - refused.size();
    report.append(spelling).append(set).append(": ").append(answered);
    report.append(" of ").append(asked).append('\n');
    refused.forEach(line -> report.append("  ").append(line).append('\n'));
    assertTrue(answered >= LEAST_SHARE * asked, spelling + set + ": " + answered);
  }

  /** A policy and the same frequencies for every column that is not a key. */
  private static Setting setting(String name) {
    Object tree =
        new Load(LoadSettings.builder().build())
            .loadFromString(Setting.text(PLACE.resolve(name + ".policy.yaml")));
    Policy policy = PolicyReader.read(tree);
    Map<String, Object> tables = new TreeMap<>();
    ((Map<?, ?>) ((Map<?, ?>) tree).get("tables"))
        .forEach(
            (table, about) -> {
              Map<String, Object> columns = new TreeMap<>();
              ((Map<?, ?>) ((Map<?, ?>) about).get("columns"))
                  .forEach(
                      (column, facts) -> {
                        int most = Boolean.TRUE.equals(((Map<?, ?>) facts).get("unique")) ? 1 : 40;
                        columns.put(
                            (String) column,
                            Map.of("maxFrequency", most, "maxFrequencyWithNull", most));
                      });
              tables.put((String) table, Map.of("rows", 10000, "columns", columns));
            });
    return new Setting(policy, MetricsReader.read(tables, policy));
  }
}
