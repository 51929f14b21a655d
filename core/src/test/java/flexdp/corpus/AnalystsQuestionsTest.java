package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Wording;
import flexdp.sensitivity.Rules;
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
 * answered. Those that ask for rows or for single people say so at their end and are not counted.
 */
class AnalystsQuestionsTest {
  private static final Path PLACE = Setting.RESOURCES.resolve("questions");
  private static final List<String> SPELLINGS =
      List.of("postgresql", "mysql", "sqlite", "snowflake", "tsql", "bigquery");

  @Test
  void mostQuestionsThatAskForStatisticsAreAccepted() throws IOException {
    StringBuilder report = new StringBuilder();
    for (String spelling : SPELLINGS) {
      List<String> refused = new ArrayList<>();
      Map<String, Integer> codes = new TreeMap<>();
      String[] blocks = Setting.text(PLACE.resolve(spelling + ".sql")).strip().split("\\n\\s*\\n");
      Setting plain = setting(blocks[0].substring("setting ".length()).strip());
      Policy spoken = plain.policy().in(Wording.of(spelling).orElseThrow());
      Setting setting = new Setting(spoken, plain.metrics());
      int asked = 0;
      for (int i = 1; i < blocks.length; i++) {
        if (blocks[i].endsWith("-- rows")) {
          continue;
        }
        asked++;
        String verdict =
            Verdict.withMessage(blocks[i].replaceAll(";\\s*$", ""), setting, Rules.FLEXDP);
        if (!verdict.startsWith("accepted")) {
          refused.add(verdict.strip() + "\n    " + blocks[i]);
          codes.merge(verdict.split("[ \n]")[1], 1, Integer::sum);
        }
      }
      int answered = asked - refused.size();
      report.append(spelling).append(": ").append(answered).append(" of ").append(asked);
      report.append(' ').append(codes).append('\n');
      refused.forEach(line -> report.append("  ").append(line).append('\n'));
    }
    String to = System.getProperty("flexdp.questions.write", "");
    if (!to.isEmpty()) {
      Files.writeString(Path.of(to), report);
    }
    assertTrue(report.length() > 0);
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
