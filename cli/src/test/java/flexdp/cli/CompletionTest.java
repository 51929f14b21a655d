package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Tab key in bash and in zsh, at a terminal; both are driven by zsh, which has one to lend. */
class CompletionTest {
  private static final List<String> MEANT =
      List.of(
          "verify",
          "experiment",
          "budget show",
          "ask --policy",
          "collect --release",
          "completion zsh");

  @TempDir Path folder;

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    assertEquals(MEANT, made("bash", "bash", "--norc", "--noprofile", "-i"));
  }

  @Test
  void zshCompletesCommandsAndOptions() throws Exception {
    assertEquals(MEANT, made("zsh", "zsh", "-f", "-i"));
  }

  /** What a shell made of what was typed. */
  private List<String> made(String kind, String... shell) throws Exception {
    StringWriter out = new StringWriter();
    PrintWriter err = new PrintWriter(new StringWriter());
    assertEquals(0, Main.run(new PrintWriter(out), err, "completion", kind));
    Path script = Files.writeString(folder.resolve(kind), out.toString());
    List<String> command = new ArrayList<>(List.of("zsh", "-f", driver().toString()));
    command.add(script.toString());
    command.addAll(List.of(shell));
    Path shown = folder.resolve("shown");
    Process process = process(command, shown);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), () -> "it hangs: " + text(shown));
    assertTrue(text(shown).contains("the shell is gone"), () -> text(shown));
    List<String> made = new ArrayList<>();
    Matcher matcher = Pattern.compile("(?m)^made: (.*)\\.\\r*$").matcher(text(shown));
    while (matcher.find()) {
      made.add(matcher.group(1).strip());
    }
    return made;
  }

  private Process process(List<String> command, Path shown) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(shown.toFile());
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("TERM", "dumb");
    // A shell that writes its history while it ends would write into a folder that is being
    // deleted.
    builder.environment().put("HISTFILE", "/dev/null");
    try {
      return builder.start();
    } catch (IOException e) {
      throw new IOException("zsh is missing: scripts/clients installs it", e);
    }
  }

  private Path driver() throws IOException {
    try (var in = CompletionTest.class.getResourceAsStream("completion.zsh")) {
      return Files.write(folder.resolve("completion.zsh"), in.readAllBytes());
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
