package flexdp.experiments.wpinq;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Section;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WpinqTest {
  @Test
  void answersTheSixPrograms(@TempDir Path folder) throws Exception {
    Section section = new Wpinq().run(new Run(Scale.TINY, folder, folder, 1, line -> {}));
    assertEquals(6, section.findings().size());
  }
}
