package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The golden corpus: what the analysis says of several hundred queries, checked word by word.
 * {@code make corpus} writes it anew; the difference is then reviewed by hand.
 */
class CorpusTest {
  private static final int MOST_OF_ONE_SHAPE = 5;

  private static List<CorpusFile> files() throws IOException {
    try (Stream<Path> paths = Files.list(Setting.RESOURCES.resolve("corpus"))) {
      return paths
          .filter(path -> path.toString().endsWith(".sql"))
          .sorted()
          .map(CorpusFile::read)
          .toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> theAnalysisSaysWhatTheCorpusExpects() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (CorpusFile file : files()) {
      Setting setting = Setting.read(file.setting());
      List<String> verdicts = new ArrayList<>();
      for (CorpusFile.Entry entry : file.entries()) {
        String verdict =
            Verdict.of(entry.sql(), setting, Optional.empty(), file.neighbors(), file.rules());
        verdicts.add(verdict);
        tests.add(
            DynamicTest.dynamicTest(
                file.path().getFileName() + ":" + entry.line(),
                () -> assertEquals(entry.expected(), verdict, entry.sql())));
      }
      if (Boolean.getBoolean("flexdp.corpus.write")) {
        file.write(verdicts);
        tests.clear();
      }
    }
    return tests.stream();
  }

  @Test
  void theCorpusIsLargeAndHalfOfItIsRejected() throws IOException {
    List<CorpusFile.Entry> entries = files().stream().flatMap(f -> f.entries().stream()).toList();
    long accepted = entries.stream().filter(CorpusFile.Entry::isAccepted).count();
    long rejected = entries.size() - accepted;
    assertTrue(
        accepted >= 150 && rejected >= 150, accepted + " accepted, " + rejected + " rejected");
    assertTrue(Math.abs(accepted - rejected) <= entries.size() / 10, accepted + " : " + rejected);
  }

  @Test
  void noShapeIsRepeatedOften() throws IOException {
    Map<String, Integer> shapes = new HashMap<>();
    for (CorpusFile file : files()) {
      for (CorpusFile.Entry entry : file.entries()) {
        int times = shapes.merge(shape(entry.sql()), 1, Integer::sum);
        assertTrue(
            times <= MOST_OF_ONE_SHAPE, file.path() + ":" + entry.line() + " " + entry.sql());
      }
    }
  }

  /** A query without what its names and constants are. */
  private static String shape(String sql) {
    return sql.replaceAll("--[^\n]*", "")
        .replaceAll("'[^']*'", "c")
        .replaceAll("\\b[0-9]+(\\.[0-9]+)?\\b", "c")
        .replaceAll("\\b[a-z_][a-z_0-9]*\\b", "x")
        .replaceAll("x\\.x", "x")
        .replaceAll("\\s+", " ");
  }
}
