package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table "How to add" of CONTRIBUTING.md, by adding: the sources of core and gateway get a toy,
 * and the compiler says in which files something is missing. Each of these must stand in its row,
 * whatever stands there must be there, and the row says how many files that makes.
 */
@Tag("slow")
class HowToAddDocumentTest {
  private static final Path ROOT = Path.of("..");

  /** What stands for a file of each database. */
  private static final String EACH = "…";

  @Test
  void aFunctionTouchesWhatItsRowSays() throws IOException {
    assertRow(
        "function",
        Map.of(
            "algebra/Function",
            source ->
                source.replace(
                    "  EQ(Arity.TWO,",
                    "  TOY(Arity.ONE, NullRule.STRICT, Partiality.NONE, TextRule.NO_TEXT,"
                        + " IntervalRule.NOT_PROPAGATED),\n  EQ(Arity.TWO,")),
        Map.of());
  }

  @Test
  void anAggregateTouchesWhatItsRowSays() throws IOException {
    assertRow(
        "aggregate",
        Map.of(
            "algebra/AggregateCall",
            source -> source.replace("    COUNT,\n    SUM,", "    COUNT,\n    TOY,\n    SUM,")),
        Map.of());
  }

  @Test
  void aMeasurementTouchesWhatItsRowSays() throws IOException {
    assertMeasurement(
        "Measurement",
        "permits Measurement.Additive,",
        "permits ToyMeasurement, Measurement.Additive,");
  }

  @Test
  void aMeasurementWithNoiseTouchesWhatItsRowSays() throws IOException {
    assertMeasurement(
        "Measurement.Additive",
        "permits Count, CountDistinct, Sum {",
        "permits ToyMeasurement, Count, CountDistinct, Sum {");
  }

  @Test
  void aMeasurementThatIsChosenTouchesWhatItsRowSays() throws IOException {
    assertMeasurement(
        "Measurement.Selected",
        "permits Quantile, Mode {",
        "permits ToyMeasurement, Quantile, Mode {");
  }

  private static void assertMeasurement(String kind, String permits, String more)
      throws IOException {
    assertRow(
        "measurement",
        Map.of("query/Measurement", source -> source.replace(permits, more)),
        Map.of(
            "question/ToyMeasurement",
            """
            package flexdp.query;

            abstract non-sealed class ToyMeasurement implements %s {}
            """
                .formatted(kind)));
  }

  /** Additive, as most are: nobody but the planner's choice has to know that it is there. */
  @Test
  void aMechanismTouchesWhatItsRowSays() throws IOException {
    assertRow(
        "mechanism",
        Map.of(
            "noise/Mechanism",
            source -> source.replace("permits Laplace,", "permits ToyMechanism, Laplace,")),
        Map.of(
            "noise/ToyMechanism",
            """
            package flexdp.noise;

            abstract non-sealed class ToyMechanism implements Mechanism.Additive {}
            """));
  }

  private static void assertRow(String what, Map<String, Edit> edits, Map<String, String> added)
      throws IOException {
    Map<String, String> sources = sources();
    String row = row(what);
    Set<String> named = named(row, sources.keySet());
    Set<String> wanted = wanted(sources, edits, added);
    wanted.removeAll(named);
    assertEquals(Set.of(), wanted, "CONTRIBUTING.md does not name what a new " + what + " touches");
    Matcher count = Pattern.compile("([0-9]+) files").matcher(row);
    assertTrue(count.find(), row);
    int all = named.size() + added.size();
    assertEquals(all, Integer.parseInt(count.group(1)), "files that a new " + what + " touches");
  }

  private static String row(String what) throws IOException {
    return Files.readAllLines(ROOT.resolve("CONTRIBUTING.md")).stream()
        .filter(line -> line.startsWith("| a **" + what) || line.startsWith("| an **" + what))
        .findFirst()
        .orElseThrow();
  }

  /** The files of a row. */
  private static Set<String> named(String row, Set<String> files) {
    Set<String> all = new TreeSet<>();
    String touched = row.split("\\|")[2];
    Matcher names = Pattern.compile("`(\\w+/[\\w/]+|" + EACH + "\\w+)`").matcher(touched);
    while (names.find()) {
      String name = names.group(1);
      Set<String> found =
          files.stream().filter(file -> isNamed(file, name)).collect(Collectors.toSet());
      assertEquals(name.startsWith(EACH) ? 5 : 1, found.size(), "CONTRIBUTING.md: " + name);
      all.addAll(found);
    }
    return all;
  }

  private static boolean isNamed(String file, String name) {
    return name.startsWith(EACH)
        ? file.matches("gateway/\\w+/\\w+" + name.substring(EACH.length()))
        : file.equals(name) || file.equals("gateway/" + name);
  }

  /** Turns a source into another one. */
  private interface Edit {
    String of(String source);
  }

  /** The files that are edited, and those in which something is missing then. */
  private static Set<String> wanted(
      Map<String, String> sources, Map<String, Edit> edits, Map<String, String> added) {
    Set<String> touched = new TreeSet<>(edits.keySet());
    List<JavaFileObject> compiled = new ArrayList<>();
    sources.forEach(
        (name, text) -> {
          String edited = edits.getOrDefault(name, source -> source).of(text);
          assertEquals(edits.containsKey(name), !edited.equals(text), name);
          compiled.add(new Source(name, edited));
        });
    added.forEach((name, text) -> compiled.add(new Source(name, text)));
    for (Diagnostic<? extends JavaFileObject> error : errors(compiled)) {
      touched.add(((Source) error.getSource()).name);
    }
    return touched;
  }

  private static List<Diagnostic<? extends JavaFileObject>> errors(List<JavaFileObject> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "-Xmaxerrs",
            "10000",
            "-XDshould-stop.ifError=FLOW",
            "-XDshould-stop.ifNoError=FLOW",
            "-cp",
            libraries());
    compiler.getTask(null, null, found, options, null, sources).call();
    return found.getDiagnostics().stream()
        .filter(d -> d.getKind() == Diagnostic.Kind.ERROR)
        .collect(Collectors.toList());
  }

  /** The class path without what is compiled anew. */
  private static String libraries() {
    String ours = Analyzer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return Stream.of(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.equals(ours))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** By package and name, from flexdp on. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new TreeMap<>();
    for (String module : List.of("core/src/main/java/flexdp", "gateway/src/main/java/flexdp")) {
      Path root = ROOT.resolve(module);
      try (Stream<Path> files = Files.walk(root)) {
        files
            .filter(f -> f.toString().endsWith(".java") && !f.endsWith("package-info.java"))
            .forEach(
                f -> {
                  String name = root.relativize(f).toString().replace(File.separatorChar, '/');
                  try {
                    sources.put(name.substring(0, name.length() - 5), Files.readString(f));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
      }
    }
    return sources;
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String name;
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///flexdp/" + name + ".java"), Kind.SOURCE);
      this.name = name;
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
