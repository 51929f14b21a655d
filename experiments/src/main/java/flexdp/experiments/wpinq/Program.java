package flexdp.experiments.wpinq;

import java.util.List;

/**
 * One program of the paper's table, as SQL and in weighted PINQ.
 *
 * @param key what the histogram is by, the same name in both; empty for one number
 * @param labels a query for the labels that an analyst supplies; empty when the analysis lists them
 * @param released what the owner releases so that the default can answer
 */
record Program(
    int number,
    String what,
    String sql,
    String key,
    String labels,
    List<String> released,
    Weighted weighted,
    Published published) {

  /** Median population and median errors in percent, as the paper prints them. */
  record Published(double population, double wpinq, double elastic) {}

  boolean isHistogram() {
    return !key.isEmpty();
  }
}
