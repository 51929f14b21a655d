package flexdp.smooth;

import flexdp.failure.TimeBudget;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.CompiledFormula;
import flexdp.sensitivity.Factorization;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

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
    List<Bound> factors = Factorization.of(bound);
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
    try (TimeBudget.Limit ignored = TimeBudget.aside()) {
      candidates = new Boxes(evaluator::at, rough).highest(limits);
    }
    return candidates.stream()
        .map(point -> Peak.at(point.value(), beta, point.distance()))
        .reduce(Peak::higher)
        .orElse(new Peak(BigDecimal.ZERO, 0));
  }

  /**
   * Branch and bound over boxes of integer distance vectors. In a box from lo to hi no value of
   * e^{-βΣκ}·F exceeds F(hi)·e^{-βΣlo}, as F is monotone; boxes that cannot beat the best value
   * seen are dropped, the others are halved. Values are exact integers, compared by their
   * logarithms with a margin above the error of these; what remains within the margin is returned
   * for an exact comparison.
   */
  private static final class Boxes {
    /** Far above the rounding error of a logarithm, far below any gap that matters. */
    private static final double MARGIN = 1e-10;

    /** A monotone function of distances. */
    interface Formula {
      BigInteger at(long[] distances);
    }

    /** A vector's total distance and the value of the formula there. */
    record Point(long distance, BigInteger value, double height) {}

    /**
     * @param top the logarithm of the formula at its high corner
     */
    private record Box(long[] low, long[] high, double top, double ceiling) {}

    private final Formula formula;
    private final double beta;
    private final List<Point> found = new ArrayList<>();
    private double best = Double.NEGATIVE_INFINITY;

    Boxes(Formula formula, double beta) {
      this.formula = formula;
      this.beta = beta;
    }

    /** All points that may be highest with no component beyond its limit. */
    List<Point> highest(long[] limits) {
      PriorityQueue<Box> open = new PriorityQueue<>((a, b) -> Double.compare(b.ceiling, a.ceiling));
      corner(open, new long[limits.length], limits.clone());
      while (!open.isEmpty() && open.peek().ceiling >= best - MARGIN) {
        Box box = open.poll();
        int widest = widest(box);
        if (box.low[widest] == box.high[widest]) {
          continue;
        }
        long middle = box.low[widest] + (box.high[widest] - box.low[widest]) / 2;
        long[] below = box.high.clone();
        below[widest] = middle;
        corner(open, box.low, below);
        long[] above = box.low.clone();
        above[widest] = middle + 1;
        open(open, above, box.high, box.top);
      }
      found.removeIf(point -> point.height < best - MARGIN);
      return found;
    }

    /** A box whose high corner no other had. */
    private void corner(PriorityQueue<Box> open, long[] low, long[] high) {
      BigInteger top = formula.at(high);
      if (top.signum() == 0) {
        return;
      }
      double logarithm = logarithm(top);
      note(total(high), top, logarithm);
      open(open, low, high, logarithm);
    }

    private void open(PriorityQueue<Box> open, long[] low, long[] high, double top) {
      double ceiling = top - beta * total(low);
      if (ceiling >= best - MARGIN) {
        open.add(new Box(low, high, top, ceiling));
      }
    }

    private void note(long distance, BigInteger value, double logarithm) {
      double height = logarithm - beta * distance;
      if (height >= best - MARGIN) {
        found.add(new Point(distance, value, height));
        best = Math.max(best, height);
      }
    }

    private static int widest(Box box) {
      int widest = 0;
      for (int i = 1; i < box.low.length; i++) {
        if (box.high[i] - box.low[i] > box.high[widest] - box.low[widest]) {
          widest = i;
        }
      }
      return widest;
    }

    private static long total(long[] distances) {
      long total = 0;
      for (long distance : distances) {
        total += distance;
      }
      return total;
    }

    private static double logarithm(BigInteger value) {
      int shift = Math.max(0, value.bitLength() - 62);
      return Math.log(value.shiftRight(shift).doubleValue()) + shift * Math.log(2);
    }
  }

  /** A value e^{-β·distance}·U to forty digits. */
  private record Peak(BigDecimal value, long distance) {
    private static final MathContext DIGITS = new MathContext(50);
    private static final int BITS = 192;
    private static final int SMALL = 12;
    private static final BigDecimal MOST_IN_INTEGERS = BigDecimal.valueOf(64);
    private static final BigDecimal SIXTEENTH = new BigDecimal("0.0625");

    static Peak at(BigInteger bound, BigDecimal beta, long distance) {
      BigDecimal exponent = beta.multiply(BigDecimal.valueOf(distance));
      return new Peak(new BigDecimal(bound).multiply(expOfMinus(exponent), DIGITS), distance);
    }

    Peak higher(Peak other) {
      return other.value.compareTo(value) > 0 ? other : this;
    }

    /**
     * e^{-x} for x ≥ 0: the series at x/2ⁿ, below 1/4096, squared n times. In integers of 2⁻¹⁹²
     * where e^x is not too large for them: each step is off by less than one of these, squaring
     * doubles what is off, and more than fifty digits are left.
     */
    static BigDecimal expOfMinus(BigDecimal x) {
      if (x.compareTo(MOST_IN_INTEGERS) > 0) {
        return ofLarge(x);
      }
      int halvings = Math.max(0, x.toBigInteger().bitLength() + SMALL);
      BigInteger small =
          x.unscaledValue()
              .shiftLeft(BITS - halvings)
              .divide(BigInteger.TEN.pow(Math.max(0, x.scale())))
              .multiply(BigInteger.TEN.pow(Math.max(0, -x.scale())));
      BigInteger one = BigInteger.ONE.shiftLeft(BITS);
      BigInteger sum = one;
      BigInteger term = one;
      for (int i = 1; term.signum() != 0; i++) {
        term = term.multiply(small).shiftRight(BITS).divide(BigInteger.valueOf(i));
        sum = sum.add(term);
      }
      for (int i = 0; i < halvings; i++) {
        sum = sum.multiply(sum).shiftRight(BITS);
      }
      return new BigDecimal(one).divide(new BigDecimal(sum), DIGITS);
    }

    private static BigDecimal ofLarge(BigDecimal x) {
      int halvings = 0;
      BigDecimal small = x;
      while (small.compareTo(SIXTEENTH) > 0) {
        small = small.divide(BigDecimal.TWO, DIGITS);
        halvings++;
      }
      BigDecimal sum = BigDecimal.ONE;
      BigDecimal term = BigDecimal.ONE;
      for (int i = 1; term.signum() != 0 && term.precision() - term.scale() > -50; i++) {
        term = term.multiply(small, DIGITS).divide(BigDecimal.valueOf(i), DIGITS);
        sum = sum.add(term, DIGITS);
      }
      for (int i = 0; i < halvings; i++) {
        sum = sum.multiply(sum, DIGITS);
      }
      return BigDecimal.ONE.divide(sum, DIGITS);
    }

    /**
     * The least double that is not below the value. Away from distance 0 the value carries an error
     * far below one bit, which is made up for. What no double can hold is infinite.
     */
    double roundedUp() {
      BigDecimal above = above();
      double near = above.doubleValue();
      return Double.isInfinite(near) || new BigDecimal(near).compareTo(above) >= 0
          ? near
          : Math.nextUp(near);
    }

    /** Never below the value, which carries an error far below one bit of a double. */
    BigDecimal above() {
      return distance == 0
          ? value
          : value
              .multiply(new BigDecimal("1.00000000000000000000000000000001"))
              .round(new MathContext(45, RoundingMode.CEILING));
    }
  }
}
