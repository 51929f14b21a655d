package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Failure;
import flexdp.gateway.demo.RideSharing;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in docs/embedding.md compiles against what is published, and answers. */
class EmbeddingDocumentTest {
  private static final Pattern PROGRAM = Pattern.compile("(?s)```java\n(.*?)```");

  @TempDir Path folder;

  @Test
  void theProgramInTheDocumentRuns() throws Exception {
    Matcher program = PROGRAM.matcher(Files.readString(Path.of("../docs/embedding.md")));
    assertTrue(program.find());
    Path source = folder.resolve("Statuses.java");
    Files.writeString(source, program.group(1));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                said,
                said,
                "-proc:none",
                "-classpath",
                home(FlexDp.class) + java.io.File.pathSeparator + home(Failure.class),
                "-d",
                folder.toString(),
                source.toString());
    assertEquals(0, code, said.toString(StandardCharsets.UTF_8));
    String printed = run();
    assertTrue(
        printed.matches(
            "(?s)(\\w+: -?\\d+\\R)+would cost epsilon 0\\.5\\Rtrips: -?\\d+\\R"
                + "status is a varchar\\Rsince is a timestamp\\Rcompleted since: -?\\d+\\R"),
        printed);
  }

  private static Path home(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private String run() throws Exception {
    Path database = folder.resolve("rides.duckdb");
    new RideSharing(200, 7).create(database);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    URL[] classes = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader());
        PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      loader
          .loadClass("Statuses")
          .getMethod("print", Path.class, PrintStream.class)
          .invoke(null, policy, printed);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
