package flexdp.experiments.people;

import java.util.Arrays;
import java.util.function.DoubleSupplier;

/** Errors of many answers, in percent of the truth. */
record DrawnErrors(double trimmed, double mean) {
  /** The mean without the best and the worst fifth, as the experiments of R2T report it. */
  static DrawnErrors of(double truth, int draws, DoubleSupplier answer) {
    double[] errors = new double[draws];
    for (int i = 0; i < draws; i++) {
      errors[i] = 100 * Math.abs(answer.getAsDouble() - truth) / truth;
    }
    Arrays.sort(errors);
    int cut = draws / 5;
    return new DrawnErrors(
        Arrays.stream(errors, cut, draws - cut).average().orElse(0),
        Arrays.stream(errors).average().orElse(0));
  }
}
