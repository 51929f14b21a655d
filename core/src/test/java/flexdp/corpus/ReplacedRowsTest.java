package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.Report;
import flexdp.failure.Rejection;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.sensitivity.RuleSet;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What an answer is charged under replace-one it costs at most under add-remove-one: its noise is
 * never smaller. The ledger counts on it when a policy changes its neighbours.
 */
class ReplacedRowsTest {
  private static final AnalysisOptions OPTIONS =
      new AnalysisOptions(
          RuleSet.FLEXDP,
          MechanismChoice.AUTO,
          Optional.of(BigDecimal.ONE),
          Optional.empty(),
          List.of(0L, 1L, 7L),
          Optional.empty());

  @Test
  void haveNoLessNoiseThanAddedOnes() throws IOException {
    int compared = 0;
    try (Stream<Path> paths = Files.list(Setting.RESOURCES.resolve("corpus"))) {
      for (Path path : paths.filter(p -> p.toString().endsWith(".sql")).sorted().toList()) {
        CorpusFile file = CorpusFile.read(path);
        Setting setting = Setting.read(file.setting());
        for (CorpusFile.Entry entry : file.entries()) {
          if (entry.isAccepted()) {
            compared += compared(entry.sql(), setting);
          }
        }
      }
    }
    assertTrue(compared > 200, "compared " + compared);
  }

  private static int compared(String sql, Setting setting) {
    Report added;
    Report replaced;
    try {
      added = report(sql, setting, Neighbors.ADD_REMOVE_ONE);
      replaced = report(sql, setting, Neighbors.REPLACE_ONE);
    } catch (Rejection e) {
      return 0; // accepted under the paper's rules only
    }
    assertEquals(added.aggregates().size(), replaced.aggregates().size(), sql);
    for (int i = 0; i < added.aggregates().size(); i++) {
      Report.Aggregate one = added.aggregates().get(i);
      Report.Aggregate other = replaced.aggregates().get(i);
      assertEquals(one.mechanism(), other.mechanism(), sql);
      assertEquals(one.epsilon(), other.epsilon(), sql);
      one.elastic()
          .forEach((k, bound) -> assertTrue(bound.compareTo(other.elastic().get(k)) <= 0, sql));
      one.noiseScale()
          .ifPresent(
              scale -> assertTrue(scale.compareTo(other.noiseScale().orElseThrow()) <= 0, sql));
    }
    return added.aggregates().size();
  }

  private static Report report(String sql, Setting setting, Neighbors neighbors) {
    Policy.Privacy p = setting.policy().privacy();
    Policy policy =
        new Policy(
            setting.policy().database(),
            new Policy.Privacy(
                neighbors,
                p.epsilon(),
                p.delta(),
                p.budget(),
                p.thresholding(),
                p.maxLabels(),
                p.accounts()),
            setting.policy().tables());
    return new Analyzer(policy, setting.metrics(), Verdict.NOW).analyze(sql, OPTIONS);
  }
}
