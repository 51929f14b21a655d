package flexdp.experiments;

import flexdp.experiments.alerts.Alerts;
import flexdp.experiments.blocks.BlocksExperiment;
import flexdp.experiments.djoin.Djoin;
import flexdp.experiments.epsilon.Epsilon;
import flexdp.experiments.higherror.HighError;
import flexdp.experiments.median.MedianExperiment;
import flexdp.experiments.mwem.MwemExperiment;
import flexdp.experiments.people.PeopleExperiment;
import flexdp.experiments.performance.Performance;
import flexdp.experiments.publictables.PublicTables;
import flexdp.experiments.soundness.Soundness;
import flexdp.experiments.tpch.Tpch;
import flexdp.experiments.triangles.Triangles;
import flexdp.experiments.utility.Utility;
import flexdp.experiments.workloads.Workloads;
import flexdp.experiments.wpinq.Wpinq;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Every experiment, in the order of the report. */
public final class Experiments {
  private static final List<Experiment> ALL =
      List.of(
          new Triangles(),
          new Tpch(),
          new Utility(),
          new Epsilon(),
          new PublicTables(),
          new HighError(),
          new Wpinq(),
          new PeopleExperiment(),
          new Performance(),
          new Soundness(),
          new Workloads(),
          new MwemExperiment(),
          new MedianExperiment(),
          new Djoin(),
          new Alerts(),
          new BlocksExperiment());

  private Experiments() {}

  public static List<Experiment> all() {
    return ALL;
  }

  public static Optional<Experiment> named(String name) {
    return ALL.stream().filter(e -> e.name().equals(name)).findFirst();
  }

  /** The names, for people. */
  public static String names() {
    return ALL.stream().map(Experiment::name).collect(Collectors.joining(", "));
  }
}
