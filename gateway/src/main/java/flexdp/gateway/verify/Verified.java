package flexdp.gateway.verify;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What was found of one question.
 *
 * @param databases that were made up
 * @param checks pairs of neighbours that were compared
 * @param tightest the largest part that an answer moved of what its noise is made for
 * @param mechanism names of mechanisms, or why there is none
 * @param audit of the noise, where there was some and something moved
 * @param broken a promise that does not hold
 * @param note why nothing was found out, if so
 */
public record Verified(
    long databases,
    long checks,
    double tightest,
    String mechanism,
    Optional<Audited> audit,
    Optional<Counterexample> broken,
    String note) {

  public boolean isBroken() {
    return broken.isPresent();
  }

  /**
   * What two neighbours' answers tell.
   *
   * @param epsilon what the answer promises
   * @param seen so much was seen with 99 % confidence; more than promised is a broken promise
   * @param answers how many were drawn of each of the two
   */
  public record Audited(BigDecimal epsilon, double seen, long answers) {}

  /**
   * Two neighbours with as few rows as were found to be enough.
   *
   * @param what is wrong
   * @param rows of the first, by table
   * @param neighbour what the second has more or less
   */
  public record Counterexample(String what, List<String> rows, List<String> neighbour) {}
}
