package flexdp.sensitivity;

import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * The largest value over all distance vectors of one total. Parts that share no unit are maximised
 * apart and the total is shared out between them, which is exact since every operator is monotone;
 * parts that do share units are searched through.
 */
final class LargestAtDistance {
  /** With more coupled units than this the distance is granted to each of them in full. */
  private static final int MOST_COUPLED = 4;

  private LargestAtDistance() {}

  static BigInteger at(Bound bound, long k) {
    if (k < 0) {
      throw new IllegalArgumentException("a distance is never negative: " + k);
    }
    if (bound.isConstant()) {
      return bound.atZero();
    }
    if (bound.units().size() == 1) {
      return new CompiledFormula(bound).at(new long[] {k});
    }
    return switch (bound) {
      case Max max ->
          max.parts().stream().map(part -> at(part, k)).reduce(BigInteger::max).orElseThrow();
      case Sum sum -> {
        List<Bound> factors = Factorization.of(sum);
        yield factors.size() > 1
            ? shared(factors, k, BigInteger::multiply)
            : split(sum, sum.parts(), k, BigInteger::add, FormulaSimplifier::sum);
      }
      case Product product -> {
        List<Bound> factors = Factorization.of(product);
        yield factors.size() > 1 ? shared(factors, k, BigInteger::multiply) : search(product, k);
      }
      case Min min -> split(min, min.parts(), k, BigInteger::min, FormulaSimplifier::min);
      case Constant constant -> constant.value();
      case Leaf leaf -> leaf.base().add(leaf.growth().multiply(BigInteger.valueOf(k)));
    };
  }

  private static BigInteger split(
      Bound whole,
      List<Bound> parts,
      long k,
      BinaryOperator<BigInteger> operator,
      java.util.function.Function<List<Bound>, Bound> build) {
    List<List<Bound>> groups = Factorization.groups(parts);
    return groups.size() > 1
        ? shared(groups.stream().map(build).toList(), k, operator)
        : search(whole, k);
  }

  private static BigInteger shared(List<Bound> parts, long k, BinaryOperator<BigInteger> operator) {
    int size = Math.toIntExact(k) + 1;
    BigInteger[] best = profile(parts.get(0), size);
    for (Bound part : parts.subList(1, parts.size())) {
      BigInteger[] one = best;
      if (part.isConstant()) {
        best =
            Arrays.stream(one)
                .map(v -> operator.apply(v, part.atZero()))
                .toArray(BigInteger[]::new);
        continue;
      }
      BigInteger[] other = profile(part, size);
      BigInteger[] both = new BigInteger[size];
      for (int total = 0; total < size; total++) {
        BigInteger top = BigInteger.ZERO;
        for (int i = 0; i <= total; i++) {
          top = top.max(operator.apply(one[i], other[total - i]));
        }
        both[total] = top;
      }
      best = both;
    }
    return best[size - 1];
  }

  private static BigInteger[] profile(Bound bound, int size) {
    BigInteger[] values = new BigInteger[size];
    if (bound.units().size() == 1) {
      CompiledFormula evaluator = new CompiledFormula(bound);
      Arrays.setAll(values, j -> evaluator.at(new long[] {j}));
    } else {
      Arrays.setAll(values, j -> at(bound, j));
    }
    return values;
  }

  private static BigInteger search(Bound bound, long k) {
    CompiledFormula evaluator = new CompiledFormula(bound);
    long[] vector = new long[evaluator.units().size()];
    if (vector.length > MOST_COUPLED) {
      Arrays.fill(vector, k);
      return evaluator.at(vector);
    }
    List<BigInteger> best = new ArrayList<>(List.of(BigInteger.ZERO));
    search(evaluator, vector, 0, k, best);
    return best.get(0);
  }

  private static void search(
      CompiledFormula evaluator, long[] vector, int from, long left, List<BigInteger> best) {
    Arrays.fill(vector, from, vector.length, left);
    BigInteger most = evaluator.at(vector);
    if (most.compareTo(best.get(0)) <= 0) {
      return;
    }
    if (from == vector.length - 1 || left == 0) {
      best.set(0, most);
      return;
    }
    for (long share = left; share >= 0; share--) {
      vector[from] = share;
      search(evaluator, vector, from + 1, left - share, best);
      vector[from] = share;
    }
  }
}
