package flexdp.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder among the temporary files that goes with who made it. */
record TemporaryFolder(Path path) implements AutoCloseable {
  static TemporaryFolder of(String name) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(name));
  }

  /** Removes it with all that is in it. */
  @Override
  public void close() throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.walk(path)) {
      all = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.deleteIfExists(file);
    }
  }
}
