package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The README is a front page, and the policy on it is one. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md");

  @Test
  void thePolicyOfTheReadmeIsOne() throws IOException {
    String yaml = Files.readString(README).split("```yaml\n", -1)[1].split("```", -1)[0];
    assertTrue(yaml.lines().count() <= 14, "ten lines or so");
    assertEquals(
        Set.of("trips", "drivers", "cities"),
        PolicyReader.read(YamlText.tree(yaml, Code.BAD_POLICY)).tables().keySet());
  }

  @Test
  void itIsOneScreenAndAHalf() throws IOException {
    long lines = Files.readString(README).lines().count();
    assertTrue(lines <= 110, lines + " lines: what is more belongs into docs");
  }
}
