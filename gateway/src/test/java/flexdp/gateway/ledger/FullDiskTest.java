package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that are really full: nothing is answered, no charge is lost, and it goes on after. */
class FullDiskTest {
  private static final String JAVA =
      "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC --enable-native-access=ALL-UNNAMED";

  private static final String WITHOUT = "flexdp.test.withoutSmallDisk";

  @TempDir Path folder;

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  private static String java(String arguments) {
    return quoted(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        + " "
        + JAVA
        + " -cp "
        + quoted(System.getProperty("java.class.path"))
        + " "
        + FullDisk.class.getName()
        + " "
        + arguments;
  }

  private static List<String> run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    process.waitFor();
    return new ArrayList<>(Arrays.asList(output.split("\n")));
  }

  private static BigDecimal number(List<String> lines, String word) {
    return lines.stream()
        .filter(l -> l.startsWith(word + " "))
        .map(l -> new BigDecimal(l.substring(word.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError(String.join("\n", lines)));
  }

  /** Works wherever there is a limit on the size of files: a write fails, or is cut short. */
  @Test
  void aFileThatMayNotGrow() throws Exception {
    List<String> lines = run("bash", "-c", java(quoted(folder.toString()) + " files 300000"));
    assertEquals("LEDGER_UNAVAILABLE", lines.get(0), String.join("\n", lines));
    assertEquals("still LEDGER_UNAVAILABLE", lines.get(1));
    expectNothingLost(lines);
  }

  @Test
  void aDiskWithoutSpace() throws Exception {
    assumeFalse(Boolean.getBoolean(WITHOUT), "left out knowingly");
    String mount = "mount -t tmpfs -o size=400k tmpfs " + quoted(folder.toString());
    List<String> tried = run("unshare", "-rm", "bash", "-c", mount + " && echo mounted");
    assertTrue(
        tried.contains("mounted"),
        "this machine lets nobody mount a small disk, so a full one cannot be tried: allow"
            + " unprivileged user namespaces, or leave it out knowingly with -D"
            + WITHOUT
            + "=true; it said: "
            + String.join(" ", tried));
    List<String> lines =
        run(
            "unshare",
            "-rm",
            "bash",
            "-c",
            mount + " && " + java(quoted(folder.toString()) + " disk 100000"));
    assertEquals("LEDGER_FULL", lines.get(0), String.join("\n", lines));
    assertEquals("still LEDGER_FULL", lines.get(1));
    assertEquals("opening LEDGER_FULL", lines.get(2));
    expectNothingLost(lines);
  }

  private static void expectNothingLost(List<String> lines) {
    assertEquals(number(lines, "charged"), number(lines, "recorded"));
    assertTrue(number(lines, "charged").signum() > 0);
  }
}
