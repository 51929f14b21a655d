package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Jazzer, which sees what code its inputs reach, on the readers of the PostgreSQL door and on
 * SCRAM. It runs in a process of its own, since it rewrites the classes that it watches.
 */
class JazzerTest {
  private static final Pattern DONE = Pattern.compile("Done (\\d+) (?:runs )?in \\d+ second");

  @TempDir Path folder;

  @Test
  void aHundredThousandMessages() throws Exception {
    run(CodecTarget.class, CodecTarget.SEEDS, 100_000, 1);
  }

  @Test
  void aHundredThousandLogins() throws Exception {
    run(ScramTarget.class, ScramTarget.SEEDS, 100_000, 1);
  }

  @Test
  @Tag("soak")
  void tenMillionMessages() throws Exception {
    run(CodecTarget.class, CodecTarget.SEEDS, 10_000_000, 2);
  }

  @Test
  @Tag("soak")
  void tenMillionLogins() throws Exception {
    run(ScramTarget.class, ScramTarget.SEEDS, 10_000_000, 2);
  }

  private void run(Class<?> target, List<String> seeds, long runs, int seed) throws Exception {
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    for (int i = 0; i < seeds.size(); i++) {
      Files.write(corpus.resolve("seed" + i), seeds.get(i).getBytes(StandardCharsets.ISO_8859_1));
    }
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx700m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+EnableDynamicAgentLoading",
                "-cp",
                ServerProcess.classes(),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + target.getName(),
                "--instrumentation_includes=flexdp.server.**",
                "--hooks=false",
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder + "/",
                "-runs=" + runs,
                "-seed=" + seed,
                "-max_len=1024",
                corpus.toString())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    process.getOutputStream().close();
    assertEquals(0, process.waitFor(), () -> end(said));
    Matcher done = DONE.matcher(Files.readString(said));
    assertTrue(done.find() && Long.parseLong(done.group(1)) >= runs, () -> end(said));
  }

  /** What it found, and the input that shows it. */
  private static String end(Path said) {
    try {
      List<String> lines = Files.readAllLines(said, StandardCharsets.ISO_8859_1);
      return String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
