package flexdp.experiments;

import flexdp.experiments.report.ReportFolder;
import flexdp.experiments.report.Section;
import flexdp.experiments.report.Stamp;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;

/**
 * Several experiments in a row, one report. After each the report is written, so that an end in the
 * middle loses one experiment at most.
 */
public final class ExperimentSeries {
  private static final String TITLE = "The paper's experiments, by FlexDP";
  private static final String INTRODUCTION =
      "FLEX is the mechanism of “Towards Practical Differential Privacy for SQL Queries”"
          + " (Johnson, Near, Song; PVLDB 11(5), 2018). Each section states the paper's figure,"
          + " ours, and why they differ. Everything here comes out of ./flexdp experiment all.";

  private final ReportFolder folder;
  private final Run run;

  public ExperimentSeries(ReportFolder folder, Run run) {
    this.folder = folder;
    this.run = run;
  }

  /** How long the ones take that are not finished yet. */
  public Duration estimate(List<Experiment> experiments, boolean again) throws IOException {
    Duration total = Duration.ZERO;
    for (Experiment experiment : experiments) {
      if (again || !folder.has(experiment.name(), mark())) {
        total = total.plus(experiment.estimate(run.scale()));
      }
    }
    return total;
  }

  /**
   * Runs those that are not finished.
   *
   * @param again runs the finished ones too
   */
  public void run(List<Experiment> experiments, boolean again) throws Exception {
    for (Experiment experiment : experiments) {
      String name = experiment.name();
      if (!again && folder.has(name, mark())) {
        run.say(name + ": finished before; --again runs it anew");
        continue;
      }
      String estimate = Stamp.shown(experiment.estimate(run.scale()));
      run.say(name + ": " + experiment.title() + "; about " + estimate);
      long start = System.nanoTime();
      Section section = experiment.run(run);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      folder.keep(section, new Stamp(LocalDate.now(), Stamp.thisMachine(), took), mark());
      write();
      run.say(name + ": done in " + Stamp.shown(took));
    }
    write();
  }

  private void write() throws IOException {
    List<String> names = Experiments.all().stream().map(Experiment::name).toList();
    folder.write(TITLE, INTRODUCTION, names);
  }

  private String mark() {
    return "scale " + run.scale().word() + ", seed " + run.seed();
  }
}
