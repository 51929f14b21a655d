package flexdp.gateway.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.api.Note;
import flexdp.metrics.MetricsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/json.md has every field of requests, answers, reports and metrics, and the notes' codes. */
class JsonDocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern WRITTEN =
      Pattern.compile(
          "(?:Field(?:Start|Name)?|number|text|approximate|put|putArray|putObject)"
              + "\\((?:json, )?\"(\\w+)\"");
  private static final Pattern READ = Pattern.compile("KEYS\\s*=\\s*Set\\.of\\(([^)]*)\\)");

  private static Set<String> fields() throws IOException {
    Set<String> names = new TreeSet<>();
    try (Stream<Path> files = Files.list(sources("gateway", AnswerJson.class))) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*(Json|Request)\\.java")).toList()) {
        names.addAll(fields(Files.readString(file)));
      }
    }
    Path metrics = sources("core", MetricsReader.class).resolve("MetricsReader.java");
    names.addAll(fields(Files.readString(metrics)));
    return names;
  }

  private static Path sources(String module, Class<?> of) {
    return ROOT.resolve(module + "/src/main/java/" + of.getPackageName().replace('.', '/'));
  }

  private static Set<String> fields(String source) {
    Set<String> names = new TreeSet<>();
    Matcher written = WRITTEN.matcher(source);
    while (written.find()) {
      names.add(written.group(1));
    }
    Matcher read = READ.matcher(source);
    while (read.find()) {
      Matcher name = Pattern.compile("\"(\\w+)\"").matcher(read.group(1));
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    return names;
  }

  @Test
  void everyFieldStandsOnThePage() throws IOException {
    Set<String> fields = fields();
    assertTrue(fields.size() > 70, fields.toString());
    String page = Files.readString(ROOT.resolve("docs/json.md"));
    Set<String> missing = new TreeSet<>(fields);
    for (Note.Code code : Note.Code.values()) {
      missing.add(code.word());
    }
    missing.removeIf(name -> page.contains("`" + name + "`"));
    assertEquals(Set.of(), missing);
  }
}
