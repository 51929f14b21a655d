package flexdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.RejectionCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents promise is there. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void everyRejectionCodeIsDocumentedOnceWithAnExample() throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("docs/rejections.md"));
    for (RejectionCode code : RejectionCode.values()) {
      List<String> rows =
          lines.stream().filter(line -> line.startsWith("| `" + code + "` |")).toList();
      assertEquals(1, rows.size(), code + " must have one row in docs/rejections.md");
      String[] cells = rows.getFirst().split("\\|");
      assertTrue(cells.length >= 4 && !cells[3].isBlank(), code + " has no example");
    }
    for (ConfigurationError.Code code : ConfigurationError.Code.values()) {
      assertTrue(
          lines.stream().anyMatch(line -> line.startsWith("| `" + code + "` |")), code.name());
    }
  }

  @Test
  void everyRuleOfSensitivityStandsInTheTableAndBack() throws IOException {
    Set<String> written = ids(Files.readString(ROOT.resolve("docs/rules.md")), "`");
    Set<String> coded = new TreeSet<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("core/src/main/java/flexdp/sensitivity"))) {
      for (Path file : files.toList()) {
        coded.addAll(ids(Files.readString(file), ""));
      }
    }
    assertEquals(coded, written);
  }

  /** Rule ids without the names of their terms: S-INNER of S-INNER.P. */
  private static Set<String> ids(String text, String before) {
    Set<String> ids = new TreeSet<>();
    Matcher id = Pattern.compile(before + "\\b([SFD]-[A-Z]+(?:-[A-Z]+)*)\\b").matcher(text);
    while (id.find()) {
      ids.add(id.group(1));
    }
    return ids;
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws IOException {
    Pattern link = Pattern.compile("\\]\\(([^)#:]+)\\)");
    try (Stream<Path> files = Files.walk(ROOT, 3)) {
      List<Path> documents =
          files
              .filter(f -> f.toString().endsWith(".md") && !f.toString().contains("/target/"))
              .toList();
      for (Path document : documents) {
        Matcher matcher = link.matcher(Files.readString(document));
        while (matcher.find()) {
          Path target = document.resolveSibling(matcher.group(1));
          assertTrue(Files.exists(target), document + " links to " + matcher.group(1));
        }
      }
    }
  }
}
