package flexdp.sensitivity;

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
    LEAF,
    POLYNOMIAL,
    SUM,
    PRODUCT,
    MAX,
    MIN
  }

  private record Step(
      Operator operator, BigInteger base, Polynomial polynomial, int table, int[] operands) {}

  private final List<String> tables;
  private final List<Step> steps = new ArrayList<>();

  public CompiledFormula(Bound bound) {
    this.tables = List.copyOf(bound.tables());
    lay(bound, new IdentityHashMap<>());
  }

  /** The tables, in the order in which {@link #at(long[])} takes their distances. */
  public List<String> tables() {
    return tables;
  }

  public BigInteger at(Map<String, BigInteger> distances) {
    BigInteger[] vector = new BigInteger[tables.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = distances.getOrDefault(tables.get(i), BigInteger.ZERO);
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
            case LEAF -> step.base.add(distances[step.table]);
            case POLYNOMIAL -> step.polynomial.at(distances[step.table]);
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
            case CONSTANT, LEAF, POLYNOMIAL -> throw new IllegalStateException("no operands");
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
          case Leaf leaf ->
              new Step(Operator.LEAF, leaf.base(), null, tables.indexOf(leaf.table()), null);
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
      int table = compound.isConstant() ? 0 : tables.indexOf(compound.polynomial().get().table());
      return new Step(Operator.POLYNOMIAL, null, compound.polynomial().get(), table, null);
    }
    int[] operands = compound.parts().stream().mapToInt(part -> lay(part, laid)).toArray();
    return new Step(operator, null, null, 0, operands);
  }
}
