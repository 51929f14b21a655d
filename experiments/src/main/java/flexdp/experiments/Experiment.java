package flexdp.experiments;

import flexdp.experiments.report.Section;
import java.time.Duration;

/** One table or figure of the paper, computed anew. */
public interface Experiment {
  /** The word that the command line knows it by, which also names its files. */
  String name();

  /** One line saying what it measures. */
  String title();

  /** How long it takes on two cores, so that nobody waits without knowing. */
  Duration estimate(Scale scale);

  /** Runs all of it; the section is complete or there is none. */
  Section run(Run run) throws Exception;
}
