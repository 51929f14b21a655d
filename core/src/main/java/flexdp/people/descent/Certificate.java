package flexdp.people.descent;

import java.math.BigInteger;

/**
 * Bounds of a value that hold whatever a solver said, in whole steps of 2^(−40): from any u a
 * feasible one, each result scaled down by the fullest of its owners; from any prices y ≥ 0 the
 * dual bound τ·Σy_p + Σw_i·max(0, 1 − Σ_{p ∈ C_i} y_p).
 *
 * @param lower at most the value
 * @param upper at least the value
 */
record Certificate(BigInteger lower, BigInteger upper) {
  static final int DIGITS = 40;
  private static final double ONE = 0x1p40;

  static Certificate of(Touched touched, Solver.Solution solution) {
    return new Certificate(lower(touched, solution), upper(touched, solution));
  }

  private static BigInteger lower(Touched touched, Solver.Solution solution) {
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

  private static BigInteger upper(Touched touched, Solver.Solution solution) {
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
