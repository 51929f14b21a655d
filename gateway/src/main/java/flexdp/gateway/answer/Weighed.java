package flexdp.gateway.answer;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.plan.Calibrated;
import flexdp.plan.Planned;

/** What multiplicative weights (MWEM) can be asked for. */
final class Weighed {
  static final String NOTE =
      "estimated together by multiplicative weights (mwem): biased, and how wrong is not known";

  private Weighed() {}

  /**
   * @throws Rejection when a statement of a workload is not answered so
   */
  static boolean require(Joined joined, int statement) {
    if (joined.isWeighted(statement)) {
      return true;
    }
    for (Planned planned : joined.statements().get(statement).prepared().plan().measurements()) {
      if (!planned.noise().map(Calibrated::isPublic).orElse(false)) {
        throw Rejection.of(
            RejectionCode.SENSITIVITY_NOT_PUBLIC,
            "The sensitivity of "
                + planned.measurement().origin().aggregate()
                + " would be private here, and mwem needs a public one.",
            "Release the metrics once (flexdp collect --release), or declare the join key unique.",
            planned.measurement().origin().at());
      }
    }
    throw Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE,
        "The statement is not answered by mwem.",
        "It takes two or more histograms of COUNT, or of a SUM without values below zero, over the"
            + " same rows, with at most 1,048,576 combinations of all their labels,"
            + " fewer where there are more than 128 histograms. Leave"
            + " --strategy out.");
  }
}
