package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Files that say what was so when they were written; {@code make golden} writes them anew, for
 * review by git diff. What changes without being meant to is seen there.
 */
final class Golden {
  private Golden() {}

  static boolean isWritten() {
    return Boolean.getBoolean("flexdp.golden.write");
  }

  /**
   * @param name of the file below the test resources, without its ending
   */
  static void check(String name, List<String> lines) throws IOException {
    if (isWritten()) {
      Files.createDirectories(file(name).getParent());
      Files.write(file(name), lines);
    }
    List<String> expected = read(name);
    for (int i = 0; i < Math.min(lines.size(), expected.size()); i++) {
      assertEquals(expected.get(i), lines.get(i), name + ", line " + (i + 1));
    }
    assertEquals(expected.size(), lines.size(), name);
  }

  static List<String> read(String name) throws IOException {
    return Files.readAllLines(file(name));
  }

  private static Path file(String name) {
    return Path.of("../gateway/src/test/resources/" + name + ".txt");
  }
}
