package flexdp.plan;

import flexdp.failure.Rejection;
import java.util.List;
import java.util.Optional;

/**
 * A way to make measurements private. Whether it is open depends on the structure of the question
 * and on released metrics only.
 */
interface Offer {
  /**
   * The noise of a measurement, if this way is open to it.
   *
   * @param together all measurements of the question, this one among them
   * @throws Rejection if it would be open but for what was asked, such as a smaller ε
   */
  Optional<Calibrated> serve(Measured m, List<Measured> together);

  /** What to say to those who asked for this way when it is not open. */
  Rejection refusal(Measured m);
}
