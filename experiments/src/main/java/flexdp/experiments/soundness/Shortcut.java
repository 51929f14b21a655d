package flexdp.experiments.soundness;

/**
 * One shortcut put to the test.
 *
 * @param cases databases or metrics tried
 * @param tooSmall how often its bound was below what is true
 * @param worst the largest factor by which it was
 * @param oursTooSmall the same count for our bound, which has to be 0
 * @param example one case where it fails
 */
record Shortcut(
    String name,
    String published,
    String holds,
    int cases,
    int tooSmall,
    double worst,
    int oursTooSmall,
    String example) {

  double share() {
    return 100.0 * tooSmall / Math.max(1, cases);
  }

  /** Counts cases as they come. */
  static final class Tally {
    private int cases;
    private int tooSmall;
    private int oursTooSmall;
    private double worst = 1;
    private String example = "";

    /** A bound of zero against a change is counted as one against it: no factor is enough. */
    void add(double truth, double published, double ours, String described) {
      cases++;
      if (truth > published * (1 + 1e-12)) {
        tooSmall++;
        double factor = truth / Math.max(1, published);
        if (factor > worst || example.isEmpty()) {
          worst = Math.max(worst, factor);
          example = described;
        }
      }
      oursTooSmall += truth > ours * (1 + 1e-12) ? 1 : 0;
    }

    Shortcut shortcut(String name, String published, String holds) {
      return new Shortcut(name, published, holds, cases, tooSmall, worst, oursTooSmall, example);
    }
  }
}
