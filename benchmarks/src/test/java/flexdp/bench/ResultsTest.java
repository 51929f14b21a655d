package flexdp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A dated file says what was measured, what was promised, and never nothing. */
class ResultsTest {
  @TempDir Path folder;

  private static Results table() {
    Results results = new Results("test", "A test");
    results.table("what", "ms");
    return results;
  }

  @Test
  void aTableWithoutARowIsAnErrorWhateverComesNext() throws Exception {
    assertThrows(IllegalStateException.class, () -> table().write(folder));
    assertThrows(IllegalStateException.class, () -> table().end());
    assertThrows(IllegalStateException.class, () -> table().section("more"));
    assertThrows(IllegalStateException.class, () -> table().table("other", "ms"));
    try (var files = Files.list(folder)) {
      assertFalse(files.findAny().isPresent(), "nothing is written");
    }
  }

  @Test
  void besideEveryRowStandsItsAimAndWhetherItIsMissed() throws Exception {
    Results results = table();
    results.row("quick", Aim.atMost(2, 1.5), 1.5);
    results.row("slow", Aim.times(1.5, 2, 3.5), 3.5);
    results.row("slow, but not by much", Aim.times(1.05, 2, 3.5).or(3, 2, 3.5), 3.5);
    results.end();
    results.write(folder);
    List<String> lines;
    try (var files = Files.list(folder)) {
      Path file = files.findAny().orElseThrow();
      assertTrue(file.getFileName().toString().matches("\\d{4}-\\d\\d-\\d\\d-test\\.md"));
      lines = Files.readAllLines(file);
    }
    assertEquals(
        List.of(
            "| what | ms | aim |",
            "|---|---:|---|",
            "| quick | 1.50 | ≤ 2 |",
            "| slow | 3.50 | ≤ 1.5 × **missed** |",
            "| slow, but not by much | 3.50 | ≤ 1.05 × or + 3 ms |"),
        lines.subList(2, lines.size()));
  }

  @Test
  void everyBenchmarkThatIsNamedIsThere() throws Exception {
    String script = Files.readString(Path.of("../scripts/bench"));
    String named = script.lines().filter(l -> l.contains("|| names=(")).findFirst().orElseThrow();
    String[] names =
        named.substring(named.indexOf("names=(") + 7, named.lastIndexOf(')')).split(" ");
    assertTrue(names.length > 5, named);
    for (String name : names) {
      Class.forName(
          "flexdp.bench." + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "Bench");
    }
  }
}
