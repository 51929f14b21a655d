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
  record Published(double population, double wpinq, double elastic) {

    /**
     * The S that Laplace noise of scale 2S/ε must have had to err by so much in the median, at ε =
     * 0.1: median |noise| is 2S/ε·ln 2.
     */
    double impliedSensitivity() {
      return elastic / 100 * population / Math.log(2) * 0.1 / 2;
    }
  }

  boolean isHistogram() {
    return !key.isEmpty();
  }
}
