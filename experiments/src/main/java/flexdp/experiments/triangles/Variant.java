package flexdp.experiments.triangles;

import flexdp.experiments.measure.Law;
import java.util.List;

/**
 * One way to bound the triangle query and the noise that follows.
 *
 * @param formula Ŝ(k)
 * @param coefficients of Ŝ, lowest power first
 * @param smooth S
 * @param distance where S is reached
 * @param sound what is to be said of its privacy
 */
record Variant(
    String title,
    String formula,
    List<Long> coefficients,
    double beta,
    double smooth,
    long distance,
    Law law,
    String sound) {

  /** e^(−βk)·Ŝ(k). */
  double damped(long k) {
    double value = 0;
    for (int i = coefficients.size() - 1; i >= 0; i--) {
      value = value * k + coefficients.get(i);
    }
    return Math.exp(-beta * k) * value;
  }
}
