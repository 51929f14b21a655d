package flexdp.experiments;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * What an experiment is given.
 *
 * @param scratch a folder that lasts from one run to the next, for databases that several
 *     experiments or a later run can use; what is in it must be complete or absent
 * @param data a folder whose files stand for data that come with the program, such as ca-HepTh.csv;
 *     it may not exist
 * @param progress takes a line now and then, for people who wait
 */
public record Run(Scale scale, Path scratch, Path data, long seed, Consumer<String> progress) {
  public static final long DEFAULT_SEED = 2018;

  /** Says how far it is. */
  public void say(String line) {
    progress.accept(line);
  }
}
