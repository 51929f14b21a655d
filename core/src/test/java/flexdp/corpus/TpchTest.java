package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Neighbors;
import flexdp.query.Bins;
import flexdp.sensitivity.RuleSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The 22 queries of TPC-H in their original text, with the validation parameters. Where labels are
 * protected, the analyst supplies them in qNN.bins.csv. The verdicts stand in verdicts.txt.
 */
class TpchTest {
  private static final Path FOLDER = Setting.RESOURCES.resolve("tpch");
  private static final Setting TPCH = Setting.read("tpch/tpch");

  private static String verdict(int number) {
    String name = String.format("q%02d", number);
    String sql = Setting.text(FOLDER.resolve(name + ".sql"));
    return Verdict.withHint(sql, TPCH, bins(name), Neighbors.ADD_REMOVE_ONE, RuleSet.FLEXDP);
  }

  private static Optional<Bins> bins(String name) {
    Path file = FOLDER.resolve(name + ".bins.csv");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<List<String>> lines =
        Setting.text(file).lines().map(line -> Arrays.asList(line.split(","))).toList();
    List<List<Object>> rows = new ArrayList<>();
    lines.subList(1, lines.size()).forEach(line -> rows.add(new ArrayList<>(line)));
    return Optional.of(new Bins(lines.getFirst(), rows));
  }

  @Test
  void everyQueryIsAcceptedOrRejectedWithAHint() throws IOException {
    StringBuilder verdicts = new StringBuilder();
    for (int number = 1; number <= 22; number++) {
      verdicts.append('Q').append(number).append(' ').append(verdict(number)).append('\n');
    }
    Path golden = FOLDER.resolve("verdicts.txt");
    if (Boolean.getBoolean("flexdp.corpus.write")) {
      Files.writeString(golden, verdicts, StandardCharsets.UTF_8);
    }
    assertEquals(Setting.text(golden), verdicts.toString());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 13, 16, 21})
  void theCountingQueriesOfThePaperAreAccepted(int number) {
    assertTrue(verdict(number).startsWith("accepted"), verdict(number));
  }

  @Test
  void theOrdersOfACustomerMoveTwoBinsWhateverTheDistance() {
    assertTrue(verdict(13).contains("COUNT custdist: 2\n"), verdict(13));
  }
}
