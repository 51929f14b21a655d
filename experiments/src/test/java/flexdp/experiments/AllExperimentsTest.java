package flexdp.experiments;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.report.ReportFolder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every experiment in its smallest form, and the report of all. */
class AllExperimentsTest {
  @Test
  @Tag("nightly")
  void everyExperimentRunsAndIsInTheReport(@TempDir Path folder) throws Exception {
    Run run = new Run(Scale.TINY, folder.resolve("scratch"), folder.resolve("none"), 7, line -> {});
    ReportFolder report = new ReportFolder(folder);
    new ExperimentSeries(report, run).run(Experiments.all(), false);
    String page = Files.readString(report.index());
    Set<String> names = new HashSet<>();
    for (Experiment experiment : Experiments.all()) {
      assertTrue(names.add(experiment.name()), experiment.name());
      assertTrue(page.contains(experiment.title().substring(0, 12)), experiment.name());
      assertTrue(experiment.estimate(Scale.TINY).compareTo(experiment.estimate(Scale.FULL)) <= 0);
    }
    assertFalse(page.contains("NaN"), "a number is missing from the report");
    assertEquals(Experiments.all().size(), names.size());
  }
}
