package flexdp.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.policy.Policy.RegisteredProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/policy.md lists the keys that the readers of policies know, with their defaults, and
 * docs/assumptions.md who sees to it that each of them holds.
 */
class PolicyDocumentTest {
  private static final Path PAGE = Path.of("..", "docs", "policy.md");
  private static final Path READERS = Path.of("src", "main", "java", "flexdp", "policy");
  private static final Pattern SET = Pattern.compile("Set\\.of\\(((?:\\s*\"\\w+\",?)+)\\s*\\)");
  private static final Pattern QUOTED = Pattern.compile("\"(\\w+)\"");
  private static final Pattern WORD = Pattern.compile("`(\\w+)(?:: \\w+)?`");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|([^|]*)\\|([^|]*)\\|");

  private static Set<String> read() throws IOException {
    Set<String> keys = new TreeSet<>();
    try (Stream<Path> files = Files.list(READERS)) {
      for (Path file : files.filter(f -> f.toString().endsWith("Reader.java")).toList()) {
        Matcher sets = SET.matcher(Files.readString(file));
        while (sets.find()) {
          Matcher words = QUOTED.matcher(sets.group(1));
          while (words.find()) {
            keys.add(words.group(1));
          }
        }
      }
    }
    return keys;
  }

  @Test
  void everyKeyOfAPolicyStandsOnThePageAndNoOther() throws IOException {
    Set<String> known = read();
    assertTrue(known.size() > 40, known.toString());
    String page = Files.readString(PAGE);
    Set<String> missing = new TreeSet<>(known);
    missing.removeIf(key -> page.contains("`" + key + "`") || page.contains("{" + key + ":"));
    missing.removeIf(key -> page.contains(", " + key + ":")); // a key of a map on one line
    assertEquals(Set.of(), missing);
    Set<String> listed = new TreeSet<>();
    Matcher rows = ROW.matcher(page);
    while (rows.find()) {
      listed.add(rows.group(1));
    }
    listed.removeAll(known);
    assertEquals(Set.of(), listed, "keys that no reader knows");
  }

  @Test
  void everyKeyOfAPolicyHasItsRowAmongTheAssumptions() throws IOException {
    Set<String> listed = new TreeSet<>();
    for (String line : Files.readAllLines(PAGE.resolveSibling("assumptions.md"))) {
      if (line.startsWith("| `")) {
        Matcher words = WORD.matcher(line.split("\\|")[1]);
        while (words.find()) {
          listed.add(words.group(1));
        }
      }
    }
    assertEquals(read(), listed);
  }

  @Test
  void theDefaultsAreThoseOfTheCode() throws IOException {
    Policy.Failures failures = Policy.Failures.USUAL;
    Map<String, String> defaults =
        Map.of(
            "maxLabels", String.format(Locale.ROOT, "%,d", Policy.Privacy.DEFAULT_MAX_LABELS),
            "delta", Analyzer.DEFAULT_DELTA.toString().toLowerCase(Locale.ROOT),
            "neighbors", "`" + Neighbors.ADD_REMOVE_ONE.word() + "`",
            "atMost", Integer.toString(failures.atMost()),
            "window", failures.window().toHours() + "h",
            "instructions", String.format(Locale.ROOT, "%,d", RegisteredProgram.USUAL_INSTRUCTIONS),
            "memory", Integer.toString(RegisteredProgram.USUAL_MEGABYTES));
    String page = Files.readString(PAGE);
    defaults.forEach(
        (key, value) -> {
          List<String> said =
              ROW.matcher(page)
                  .results()
                  .filter(row -> row.group(1).equals(key))
                  .map(row -> row.group(3).strip())
                  .toList();
          assertTrue(said.contains(value), key + " is " + value + ", the page says " + said);
        });
  }
}
