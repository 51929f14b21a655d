package flexdp.smooth;

import flexdp.failure.Patience;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CompiledFormula;
import flexdp.sensitivity.Factors;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * S = max over κ of e^{-βΣκ}·U_κ, exactly (guarantee §5). A maximum of formulas is taken apart into
 * its terms, a product into factors that share no unit; what remains is searched by {@link Boxes}.
 */
public final class Smoothing {
  private static final MathContext DIGITS = new MathContext(40);

  private final double rough;
  private final BigDecimal beta;
  private final Map<List<BigInteger>, Peak> known = new HashMap<>();

  private Smoothing(double beta) {
    this.rough = beta;
    this.beta = new BigDecimal(beta);
  }

  public static SmoothBound maximum(Bound bound, double beta) {
    if (!(beta > 0) || Double.isInfinite(beta)) {
      throw new IllegalArgumentException("beta must be > 0 and finite. Provided value: " + beta);
    }
    Peak peak = new Smoothing(beta).peak(bound);
    double value = peak.roundedUp();
    return Double.isInfinite(value)
        ? new SmoothBound(value, peak.distance(), peak.above())
        : new SmoothBound(value, peak.distance());
  }

  private Peak peak(Bound bound) {
    if (bound.isConstant()) {
      return new Peak(new BigDecimal(bound.atZero()), 0);
    }
    if (bound instanceof Bound.Max max) {
      return max.parts().stream().map(this::peak).reduce(Peak::higher).orElseThrow();
    }
    List<Bound> factors = Factors.of(bound);
    if (factors.size() > 1) {
      Peak product = new Peak(BigDecimal.ONE, 0);
      for (Bound factor : factors) {
        Peak one = peak(factor);
        long distance = product.distance() + one.distance();
        // At distance 0 both are integers and stay exact.
        BigDecimal value =
            distance == 0
                ? product.value().multiply(one.value())
                : product.value().multiply(one.value(), DIGITS);
        product = new Peak(value, distance);
      }
      return product;
    }
    // Many factors are alike but for the unit: base + κ of units with the same base.
    Optional<List<BigInteger>> shape = bound.coefficients();
    return shape.isPresent()
        ? known.computeIfAbsent(shape.get(), s -> searched(bound))
        : searched(bound);
  }

  private Peak searched(Bound bound) {
    CompiledFormula evaluator = new CompiledFormula(bound);
    long[] limits = new long[evaluator.units().size()];
    for (int i = 0; i < limits.length; i++) {
      limits[i] = (long) Math.ceil(bound.degree(evaluator.units().get(i)) / rough) + 1;
    }
    List<Boxes.Point> candidates;
    // Frequencies that nobody released decide how long this takes: seconds at most, see Coupling.
    try (Patience.Limit ignored = Patience.aside()) {
      candidates = new Boxes(evaluator::at, rough).highest(limits);
    }
    return candidates.stream()
        .map(point -> Peak.at(point.value(), beta, point.distance()))
        .reduce(Peak::higher)
        .orElse(new Peak(BigDecimal.ZERO, 0));
  }
}
