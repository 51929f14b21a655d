package flexdp.people.packing;

import flexdp.noise.Rational;
import flexdp.people.clipping.ClipLevels;
import java.math.BigInteger;

/**
 * Q(τ) = max Σu_i with 0 ≤ u_i ≤ w_i and Σ_{i: p ∈ C_i} u_i ≤ τ for every person p, at every level.
 * A person who comes moves it by 0 … τ. Each is computed once, when it is first wanted, and kept:
 * score and answer are made of the same number.
 *
 * <p>Numbers are whole steps of 2^(−40). They are exact, or at most {@link
 * PackingMechanism#SLACK}·τ below where a result may have three owners.
 */
public final class PackingValues {
  static final int DIGITS = DualBound.DIGITS;

  private final OwnedWeights sets;
  private final ClipLevels levels;
  private final PackingSolver solver;
  private final BigInteger[] known;

  public PackingValues(OwnedWeights sets, ClipLevels levels, PackingSolver solver) {
    if (!BigInteger.valueOf(sets.most()).equals(levels.at(levels.last()))) {
      throw new IllegalArgumentException("results are capped at the largest level");
    }
    this.sets = sets;
    this.levels = levels;
    this.solver = solver;
    this.known = new BigInteger[levels.count()];
  }

  ClipLevels levels() {
    return levels;
  }

  /** The lowest level that is above nobody's weight in all; above, everything counts in full. */
  int lowestSlack() {
    return levels.bucket(BigInteger.valueOf(sets.heaviest()));
  }

  /** How far another's value at a level is below; private, as everything here. */
  public BigInteger moved(PackingValues other, int level) {
    return at(level).subtract(other.at(level));
  }

  /** The value at a level in steps of the measurement; private, too. */
  public Rational inSteps(int level) {
    return new Rational(at(level), BigInteger.ONE.shiftLeft(DIGITS));
  }

  BigInteger at(int level) {
    if (known[level] == null) {
      known[level] = compute(levels.at(level).longValueExact());
    }
    return known[level];
  }

  private BigInteger compute(long level) {
    ResidualPacking touched = sets.touched(level);
    BigInteger untouched = touched.untouched().shiftLeft(DIGITS);
    return switch (touched.together()) {
      case 0 -> untouched;
      case 1 -> untouched.add(ofHeavy(touched, level));
      case 2 -> untouched.add(HalfIntegralMatching.twice(touched).shiftLeft(DIGITS - 1));
      default -> untouched.add(certified(touched));
    };
  }

  /** No result has two heavy owners: the program falls apart, and each of them counts τ. */
  private static BigInteger ofHeavy(ResidualPacking touched, long level) {
    return BigInteger.valueOf(level)
        .multiply(BigInteger.valueOf(touched.people()))
        .shiftLeft(DIGITS);
  }

  /** What the solver says where that is near enough, else the value itself: none of it fails. */
  private BigInteger certified(ResidualPacking touched) {
    double[] weights = new double[touched.weights().length];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (double) touched.weights()[i] / touched.level();
    }
    DualBound certificate =
        DualBound.of(
            touched,
            solver.solve(new PackingSolver.Packing(touched.people(), weights, touched.sets())));
    BigInteger gap = certificate.upper().subtract(certificate.lower());
    BigInteger level = BigInteger.valueOf(touched.level()).shiftLeft(DIGITS);
    boolean near =
        gap.multiply(PackingMechanism.SLACK.denominator())
                .compareTo(level.multiply(PackingMechanism.SLACK.numerator()))
            <= 0;
    return near ? certificate.lower() : ExactPacking.floor(touched, DIGITS);
  }

  /**
   * Bounds of a value that hold whatever a solver said, in whole steps of 2^(−40): from any u a
   * feasible one, each result scaled down by the fullest of its owners; from any prices y ≥ 0 the
   * dual bound τ·Σy_p + Σw_i·max(0, 1 − Σ_{p ∈ C_i} y_p).
   *
   * @param lower at most the value
   * @param upper at least the value
   */
  record DualBound(BigInteger lower, BigInteger upper) {
    static final int DIGITS = 40;
    private static final double ONE = 0x1p40;

    static DualBound of(ResidualPacking touched, PackingSolver.Solution solution) {
      return new DualBound(lower(touched, solution), upper(touched, solution));
    }

    private static BigInteger lower(ResidualPacking touched, PackingSolver.Solution solution) {
      BigInteger level = BigInteger.valueOf(touched.level()).shiftLeft(DIGITS);
      BigInteger[] u = new BigInteger[touched.sets().length];
      BigInteger[] loads = new BigInteger[touched.people()];
      java.util.Arrays.fill(loads, BigInteger.ZERO);
      for (int i = 0; i < u.length; i++) {
        BigInteger most = BigInteger.valueOf(touched.weights()[i]).shiftLeft(DIGITS);
        u[i] =
            BigInteger.valueOf(touched.level())
                .multiply(fraction(solution.of(i)))
                .max(BigInteger.ZERO)
                .min(most);
        for (int person : touched.sets()[i]) {
          loads[person] = loads[person].add(u[i]);
        }
      }
      BigInteger sum = BigInteger.ZERO;
      for (int i = 0; i < u.length; i++) {
        BigInteger fullest = level;
        for (int person : touched.sets()[i]) {
          fullest = fullest.max(loads[person]);
        }
        sum = sum.add(fullest.equals(level) ? u[i] : u[i].multiply(level).divide(fullest));
      }
      return sum;
    }

    private static BigInteger upper(ResidualPacking touched, PackingSolver.Solution solution) {
      BigInteger[] prices = new BigInteger[touched.people()];
      BigInteger sum = BigInteger.ZERO;
      for (int person = 0; person < prices.length; person++) {
        prices[person] = fraction(solution.price(person)).max(BigInteger.ZERO);
        sum = sum.add(BigInteger.valueOf(touched.level()).multiply(prices[person]));
      }
      BigInteger one = BigInteger.ONE.shiftLeft(DIGITS);
      for (int i = 0; i < touched.sets().length; i++) {
        BigInteger left = one;
        for (int person : touched.sets()[i]) {
          left = left.subtract(prices[person]);
        }
        if (left.signum() > 0) {
          sum = sum.add(left.multiply(BigInteger.valueOf(touched.weights()[i])));
        }
      }
      return sum;
    }

    /** A number that nobody vouches for, in steps; what is no number, or far out, is near. */
    private static BigInteger fraction(double value) {
      double near = Double.isNaN(value) ? 0 : Math.clamp(value, -1.0, 4.0);
      return BigInteger.valueOf((long) (near * ONE));
    }
  }
}
