package flexdp.cli;

import flexdp.experiments.Experiment;
import flexdp.experiments.ExperimentSeries;
import flexdp.experiments.Experiments;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.ReportFolder;
import flexdp.experiments.report.Stamp;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs the paper's experiments anew and writes a report. */
@Command(
    name = "experiment",
    description = "Run the paper's experiments anew; one HTML report with plots and CSV files.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {
      "  flexdp experiment all --scale small --out report",
      "",
      "An experiment that is finished in the folder is not run again, so a run that was",
      "interrupted goes on. Without a name: lists the experiments and how long they take."
    })
final class ExperimentCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "NAME", arity = "0..*", description = "Which experiments, or: all")
  List<String> names = List.of();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The folder of the report (default: ${DEFAULT-VALUE}).")
  Path out = Path.of("flexdp-report");

  @Option(
      names = "--scale",
      paramLabel = "tiny|small|full",
      description = "Seconds, minutes, or as in the paper (default: ${DEFAULT-VALUE}).")
  String scale = "small";

  @Option(names = "--again", description = "Run finished ones anew.")
  boolean again;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Other data and queries (default: ${DEFAULT-VALUE}).")
  long seed = Run.DEFAULT_SEED;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A folder with a ca-HepTh.csv to use instead of the one that comes with flexdp.")
  Path data = Path.of("data");

  @Override
  public Integer call() throws Exception {
    Scale size = size();
    if (names.isEmpty()) {
      list(size);
      return 0;
    }
    List<Experiment> wanted =
        names.contains("all") ? Experiments.all() : names.stream().map(this::named).toList();
    PrintWriter err = spec.commandLine().getErr();
    ReportFolder folder = new ReportFolder(out);
    Run run =
        new Run(
            size, out.resolve("scratch"), data, seed, line -> err.println("experiment: " + line));
    ExperimentSeries series = new ExperimentSeries(folder, run);
    try {
      err.println("experiment: about " + Stamp.shown(series.estimate(wanted, again)) + " in all");
      series.run(wanted, again);
    } catch (IOException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "a file in the folder " + out + " cannot be read or written");
    }
    spec.commandLine().getOut().println(folder.index());
    return 0;
  }

  private void list(Scale size) {
    for (Experiment experiment : Experiments.all()) {
      spec.commandLine()
          .getOut()
          .printf(
              "%-14s %8s  %s%n",
              experiment.name(), Stamp.shown(experiment.estimate(size)), experiment.title());
    }
  }

  private Experiment named(String name) {
    return Experiments.named(name)
        .orElseThrow(
            () ->
                ConfigurationError.of(
                    Code.BAD_USAGE,
                    "there is no experiment '" + name + "'",
                    "There are: all, " + Experiments.names()));
  }

  private Scale size() {
    for (Scale known : Scale.values()) {
      if (known.word().equals(scale)) {
        return known;
      }
    }
    throw ConfigurationError.of(
        Code.BAD_USAGE, "there is no scale '" + scale + "'", "Say tiny, small or full.");
  }
}
