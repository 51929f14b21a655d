package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with a mistake in its engine, as an owner would run it. */
class BrokenEngineTest {
  private static final Path RULE =
      Path.of("../core/src/main/java/flexdp/sensitivity/JoinRule.java");
  private static final String RIGHT = "terms.product(\"S-INNER.P.2\", matches1, two.added()),";

  @TempDir Path folder;

  @Test
  void verifyShowsTheSmallestCounterexampleAndEndsWithOne() throws Exception {
    String source = Files.readString(RULE);
    assertTrue(source.contains(RIGHT), "stale: " + RULE);
    Path changed =
        Files.writeString(
            folder.resolve("JoinRule.java"), source.replace(RIGHT, "BoundOrReason.ZERO,"));
    String[] compile = {
      "-proc:none", "-nowarn", "-d", folder.toString(), "-cp", classPath(), changed.toString()
    };
    assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, compile));
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:nowhere.duckdb"));
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Dflexdp.terminal=true",
            "-cp",
            folder + File.pathSeparator + classPath(),
            Main.class.getName(),
            "verify",
            "--policy",
            policy.toString(),
            "--minutes",
            "0.2",
            "SELECT COUNT(*) FROM drivers d JOIN trips t ON d.id = t.driver_id");
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    process.getOutputStream().close();
    int code = process.waitFor();
    String said = Files.readString(out, StandardCharsets.UTF_8);
    assertEquals(1, code, said + Files.readString(err));
    assertTrue(said.contains("BROKEN"), said);
    assertTrue(said.contains("drivers") && said.contains("trips"), said);
    assertTrue(said.lines().count() < 20, "small: " + said);
    assertTrue(Files.readString(err).contains("verify: ["), "a bar for people");
  }

  /** What tests are run with, whoever runs them. */
  private static String classPath() {
    List<String> places = new ArrayList<>();
    if (BrokenEngineTest.class.getClassLoader() instanceof URLClassLoader loader) {
      for (URL url : loader.getURLs()) {
        places.add(url.getPath());
      }
    }
    places.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    return String.join(File.pathSeparator, places);
  }
}
