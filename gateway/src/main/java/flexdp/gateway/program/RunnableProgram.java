package flexdp.gateway.program;

import java.util.List;
import java.util.OptionalDouble;

/**
 * A function of some rows, and of nothing else: not of the time, of chance, of runs before it or of
 * what else is going on.
 */
@FunctionalInterface
public interface RunnableProgram {
  /**
   * What it says of these rows, by output: a number that is not NaN, or nothing when it fails in
   * whatever way. Never throws, since an error would tell of the rows.
   *
   * @param rows row after row, the numbers of each beside each other
   */
  List<OptionalDouble> run(double[] rows);
}
