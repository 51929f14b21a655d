package flexdp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How scripts/bench-check judges the figures that it gathered. */
class BenchCompareTest {
  private record Said(int code, String text) {}

  @TempDir Path folder;

  private int runs;

  private void run(String bench, String before, String after) throws IOException {
    runs++;
    Files.writeString(folder.resolve(bench + "." + runs + ".a"), before);
    Files.writeString(folder.resolve(bench + "." + runs + ".b"), after);
  }

  private static String row(String name, double figure) {
    return name + "\t" + figure + "\t" + 2 * figure + "\t1.1\n";
  }

  private Said compare(String limit) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("../scripts/bench-compare", "old", "new", limit));
    try (Stream<Path> files = Files.list(folder)) {
      files.map(Path::toString).sorted().forEach(words::add);
    }
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  @Test
  void mediansAreComparedAndOneWildRunIsNot() throws Exception {
    run("analysis", row("count", 10), row("count", 10));
    run("analysis", row("count", 9), row("count", 900));
    run("analysis", row("count", 100), row("count", 10.5));
    Said said = compare("");
    assertEquals(0, said.code(), said.text());
    assertTrue(
        said.text().contains("| analysis: count | 10.000 | 10.500 | 1.05 | 1.05 | 1.1 |"),
        said.text());
  }

  @Test
  void aSlowerRowIsMissedHoweverQuickTheOthersAre() throws Exception {
    run("analysis", row("count", 10) + row("join", 9), row("count", 2) + row("join", 10));
    Said said = compare("");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().contains("| 1.11 | 1.11 | 1.1 **missed** |"), said.text());
    assertTrue(said.text().contains("| analysis: count | 10.000 | 2.000 | 0.20 |"), said.text());
    assertEquals(0, compare("1.5").code(), "a limit for all of them");
  }

  @Test
  void figuresAreNumbersWhateverTheyLookLike() throws Exception {
    run("ask", row("count", 9), row("count", 9));
    run("ask", row("count", 1e-4), row("count", 1e-4));
    run("ask", row("count", 10), row("count", 12345678901.0));
    Said said = compare("");
    assertEquals(0, said.code(), said.text());
    assertTrue(said.text().contains("| 9.000 | 9.000 | 1.00 |"), said.text());
  }

  @Test
  void rowsOfOneNameInTwoBenchmarksAreTwo() throws Exception {
    run("ask", row("mean", 1), row("mean", 1));
    run("types", row("mean", 50), row("mean", 80));
    Said said = compare("");
    assertEquals(1, said.code(), said.text());
    assertTrue(said.text().contains("| ask: mean | 1.000 | 1.000 |"), said.text());
    assertTrue(said.text().contains("| types: mean | 50.000 | 80.000 |"), said.text());
  }

  @Test
  void whatOnlyOneCommitHasIsSaidAndNothingAtAllIsAnError() throws Exception {
    run("ask", row("old", 1), row("new", 1));
    Said said = compare("");
    assertEquals(2, said.code(), said.text());
    assertTrue(said.text().contains("nothing to compare"), said.text());
    assertTrue(said.text().contains("| ask: old | | | | | only in one |"), said.text());
    assertTrue(said.text().contains("| ask: new | | | | | only in one |"), said.text());
  }

  @Test
  void aFigureOfNothingIsAnError() throws Exception {
    run("ask", row("count", 0), row("count", 1));
    assertEquals(2, compare("").code());
  }
}
