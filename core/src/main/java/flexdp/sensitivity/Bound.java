package flexdp.sensitivity;

import flexdp.failure.TimeBudget;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A formula in the distance vector κ: leaves base + growth·κ_unit and constants under +, ×, max and
 * min. Such a formula is monotone in every base and every κ, which is what smoothing rests on
 * (guarantee §5). It is a value computed once; evaluating it at another distance needs no further
 * analysis.
 *
 * <p>Formulas share their parts. What is expensive to find of a part is therefore kept with it.
 */
public abstract sealed class Bound {
  public static final Bound ZERO = new Constant(BigInteger.ZERO);
  public static final Bound ONE = new Constant(BigInteger.ONE);

  private final boolean constant;
  private final BigInteger atZero;
  private SortedSet<PrivacyUnit> units;
  private Optional<Polynomial> polynomial;
  private Shifted shifted;

  private record Shifted(PrivacyUnit by, Bound to) {}

  private Bound(boolean constant, BigInteger atZero) {
    TimeBudget.step();
    this.constant = constant;
    this.atZero = atZero;
  }

  /** A number. */
  public static final class Constant extends Bound {
    private final BigInteger value;

    private Constant(BigInteger value) {
      super(true, value);
      this.value = value;
    }

    public BigInteger value() {
      return value;
    }
  }

  /**
   * base + growth·κ_unit, growth being what one step of the unit can add; the symbol names the base
   * without showing it, as in mf(trips.driver_id).
   */
  public static final class Leaf extends Bound {
    private final PrivacyUnit unit;
    private final BigInteger base;
    private final BigInteger growth;
    private final String symbol;

    private Leaf(PrivacyUnit unit, BigInteger base, BigInteger growth, String symbol) {
      super(false, base);
      this.unit = unit;
      this.base = base;
      this.growth = growth;
      this.symbol = symbol;
    }

    public PrivacyUnit unit() {
      return unit;
    }

    public BigInteger base() {
      return base;
    }

    public BigInteger growth() {
      return growth;
    }

    public String symbol() {
      return symbol;
    }
  }

  /** An operator over two or more parts. */
  public abstract static sealed class Compound extends Bound {
    private final List<Bound> parts;

    private Compound(List<Bound> parts, BigInteger atZero) {
      super(parts.stream().allMatch(Bound::isConstant), atZero);
      this.parts = List.copyOf(parts);
    }

    public List<Bound> parts() {
      return parts;
    }
  }

  /** The sum of the parts. */
  public static final class Sum extends Compound {
    private final List<Bound> made;

    /**
     * @param made what it was made of before it was made short, and has the same sum
     */
    Sum(List<Bound> parts, List<Bound> made) {
      super(parts, parts.stream().map(Bound::atZero).reduce(BigInteger.ZERO, BigInteger::add));
      this.made = List.copyOf(made);
    }

    /** Fewer and longer than the parts; their polynomials are known already. */
    List<Bound> made() {
      return made;
    }
  }

  /** The product of the parts. */
  public static final class Product extends Compound {
    private final List<Bound> made;

    /**
     * @param made what it was made of before it was made short, and has the same product
     */
    Product(List<Bound> parts, List<Bound> made) {
      super(parts, parts.stream().map(Bound::atZero).reduce(BigInteger.ONE, BigInteger::multiply));
      this.made = List.copyOf(made);
    }

    /** Fewer and longer than the parts; their polynomials are known already. */
    List<Bound> made() {
      return made;
    }
  }

  /** The largest of the parts. */
  public static final class Max extends Compound {
    Max(List<Bound> parts) {
      super(parts, parts.stream().map(Bound::atZero).reduce(BigInteger::max).orElseThrow());
    }
  }

  /** The smallest of the parts. */
  public static final class Min extends Compound {
    Min(List<Bound> parts) {
      super(parts, parts.stream().map(Bound::atZero).reduce(BigInteger::min).orElseThrow());
    }
  }

  public static Bound constant(long value) {
    return constant(BigInteger.valueOf(value));
  }

  public static Bound constant(BigInteger value) {
    if (value.signum() < 0) {
      throw new IllegalArgumentException("a bound is never negative: " + value);
    }
    return new Constant(value);
  }

  /** A frequency that grows by one with each step. */
  public static Bound leaf(PrivacyUnit unit, BigInteger base, String symbol) {
    return leaf(unit, base, BigInteger.ONE, symbol);
  }

  public static Bound leaf(PrivacyUnit unit, BigInteger base, BigInteger growth, String symbol) {
    if (base.signum() < 0) {
      throw new IllegalArgumentException("a frequency is never negative: " + base);
    }
    if (growth.signum() <= 0) {
      throw new IllegalArgumentException("what does not grow is a constant: " + growth);
    }
    return new Leaf(unit, base, growth, symbol);
  }

  public static Bound sum(Bound... parts) {
    return FormulaSimplifier.sum(List.of(parts));
  }

  public static Bound product(Bound... parts) {
    return FormulaSimplifier.product(List.of(parts));
  }

  public static Bound max(Bound... parts) {
    return FormulaSimplifier.max(List.of(parts));
  }

  public static Bound min(Bound... parts) {
    return FormulaSimplifier.min(List.of(parts));
  }

  /** The units on whose distance the value depends. */
  public SortedSet<PrivacyUnit> units() {
    if (units == null) {
      units = Collections.unmodifiableSortedSet(FormulaStructure.units(this));
    }
    return units;
  }

  /** The value at the database itself. */
  public BigInteger atZero() {
    return atZero;
  }

  public boolean isZero() {
    return constant && atZero.signum() == 0;
  }

  /** Whether the value is the same at every distance. */
  public boolean isConstant() {
    return constant;
  }

  /** The value at a distance vector; a unit that is not named is at distance 0. */
  public BigInteger evaluate(Map<PrivacyUnit, BigInteger> distances) {
    return new CompiledFormula(this).at(distances);
  }

  /** The largest value over all distance vectors whose components add up to k. */
  public BigInteger elastic(long k) {
    return LargestAtDistance.at(this, k);
  }

  /**
   * The least number that the value exceeds at no distance, if there is one. It does not depend on
   * any base: whether it exists, and what it is, follows from the structure alone and is public.
   */
  public Optional<BigInteger> ceiling() {
    return FormulaStructure.ceiling(this);
  }

  /** The degree in the distance of one unit: beyond degree/β damping always wins. */
  public int degree(PrivacyUnit unit) {
    return FormulaStructure.degree(this, unit);
  }

  /** This formula one step further out: its value at κ is that of this one at κ + e_unit. */
  public Bound shifted(PrivacyUnit unit) {
    if (constant) {
      return this;
    }
    Shifted known = shifted;
    if (known == null || !known.by().equals(unit)) {
      known = new Shifted(unit, FormulaStructure.shifted(this, unit));
      shifted = known;
    }
    return known.to();
  }

  /** The formula with its numbers, for the owner: 3k² + 393k + 12871. */
  public String formula() {
    return FormulaPrinter.withNumbers(this);
  }

  /**
   * The formula with symbols in place of measured numbers: mf(trips.driver_id) + k. Fit for
   * analysts only when the analysis itself was run without numbers; see {@link
   * Sensitivity#symbolic}.
   */
  public String symbolicFormula() {
    return FormulaPrinter.withSymbols(this);
  }

  /** The coefficients, lowest power first, when it is a polynomial in one unit's distance. */
  public Optional<List<BigInteger>> coefficients() {
    return polynomial().map(p -> List.of(p.coefficients()));
  }

  /** The value as a polynomial, when it is one in the distance of a single unit. */
  Optional<Polynomial> polynomial() {
    if (polynomial == null) {
      polynomial = Polynomial.of(this);
    }
    return polynomial;
  }

  @Override
  public String toString() {
    return formula();
  }
}
