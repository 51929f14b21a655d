package flexdp.gateway.api;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * What an answer cost and how it was made; every door says it in these words.
 *
 * @param rho where squares of ε add up: half of their sum
 * @param repeat whether it is an earlier answer given again
 */
public record Spent(
    BigDecimal epsilon,
    BigDecimal delta,
    Optional<BigDecimal> rho,
    String mechanism,
    boolean repeat) {
  private static final MathContext FEW = new MathContext(4, RoundingMode.UP);

  /** What Gaussian noise costs is ρ; the ε that it means is no round number. */
  public String words() {
    Optional<BigDecimal> gaussian = rho.filter(r -> mechanism.contains("gaussian"));
    return "spent "
        + gaussian.map(r -> "rho " + plain(r.round(FEW)) + ", which is ").orElse("")
        + "epsilon "
        + plain(gaussian.isPresent() ? epsilon.round(FEW) : epsilon)
        + ", delta "
        + plain(delta)
        + "; mechanism "
        + mechanism
        + (repeat ? "; a released answer given again" : "");
  }

  /** Without an exponent, unless that were a row of zeros. */
  public static String plain(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return Math.abs(stripped.scale()) > 20 ? stripped.toString() : stripped.toPlainString();
  }
}
