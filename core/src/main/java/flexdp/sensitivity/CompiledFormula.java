package flexdp.sensitivity;

import flexdp.policy.PrivacyUnit;
import flexdp.sensitivity.Bound.Compound;
import flexdp.sensitivity.Bound.Constant;
import flexdp.sensitivity.Bound.Leaf;
import flexdp.sensitivity.Bound.Max;
import flexdp.sensitivity.Bound.Min;
import flexdp.sensitivity.Bound.Product;
import flexdp.sensitivity.Bound.Sum;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A formula laid out as a list of steps, each shared part once, for repeated evaluation. An
 * evaluator keeps no result between calls.
 */
public final class CompiledFormula {
  private enum Operator {
    CONSTANT,
    POLYNOMIAL,
    SUM,
    PRODUCT,
    MAX,
    MIN
  }

  private record Step(
      Operator operator, BigInteger base, Polynomial polynomial, int unit, int[] operands) {}

  private final List<PrivacyUnit> units;
  private final List<Step> steps = new ArrayList<>();

  public CompiledFormula(Bound bound) {
    this.units = List.copyOf(bound.units());
    lay(bound, new IdentityHashMap<>());
  }

  /** The units, in the order in which {@link #at(long[])} takes their distances. */
  public List<PrivacyUnit> units() {
    return units;
  }

  public BigInteger at(Map<PrivacyUnit, BigInteger> distances) {
    BigInteger[] vector = new BigInteger[units.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = distances.getOrDefault(units.get(i), BigInteger.ZERO);
    }
    return at(vector);
  }

  public BigInteger at(long[] distances) {
    BigInteger[] vector = new BigInteger[distances.length];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = BigInteger.valueOf(distances[i]);
    }
    return at(vector);
  }

  private BigInteger at(BigInteger[] distances) {
    BigInteger[] values = new BigInteger[steps.size()];
    for (int i = 0; i < values.length; i++) {
      Step step = steps.get(i);
      values[i] =
          switch (step.operator) {
            case CONSTANT -> step.base;
            case POLYNOMIAL -> step.polynomial.at(distances[step.unit]);
            case SUM, PRODUCT, MAX, MIN -> combine(step, values);
          };
    }
    return values[values.length - 1];
  }

  private static BigInteger combine(Step step, BigInteger[] values) {
    BigInteger result = values[step.operands[0]];
    for (int i = 1; i < step.operands.length; i++) {
      BigInteger operand = values[step.operands[i]];
      result =
          switch (step.operator) {
            case SUM -> result.add(operand);
            case PRODUCT -> result.multiply(operand);
            case MAX -> result.max(operand);
            case MIN -> result.min(operand);
            case CONSTANT, POLYNOMIAL -> throw new IllegalStateException("no operands");
          };
    }
    return result;
  }

  private int lay(Bound bound, Map<Bound, Integer> laid) {
    Integer before = laid.get(bound);
    if (before != null) {
      return before;
    }
    Step step =
        switch (bound) {
          case Constant constant -> new Step(Operator.CONSTANT, constant.value(), null, 0, null);
          case Leaf leaf -> polynomial(leaf);
          case Sum sum -> compound(Operator.SUM, sum, laid);
          case Product product -> compound(Operator.PRODUCT, product, laid);
          case Max max -> compound(Operator.MAX, max, laid);
          case Min min -> compound(Operator.MIN, min, laid);
        };
    steps.add(step);
    laid.put(bound, steps.size() - 1);
    return steps.size() - 1;
  }

  private Step compound(Operator operator, Compound compound, Map<Bound, Integer> laid) {
    if (compound.polynomial().isPresent()) {
      return polynomial(compound);
    }
    int[] operands = compound.parts().stream().mapToInt(part -> lay(part, laid)).toArray();
    return new Step(operator, null, null, 0, operands);
  }

  private Step polynomial(Bound bound) {
    Polynomial polynomial = bound.polynomial().orElseThrow();
    int unit = bound.isConstant() ? 0 : units.indexOf(polynomial.unit().orElseThrow());
    return new Step(Operator.POLYNOMIAL, null, polynomial, unit, null);
  }
}
