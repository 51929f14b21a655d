package flexdp.query;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One number per label that noise is added to, or that is chosen at random (guarantee §2).
 * Everything else an aggregate shows is computed from measurements. What a kind of measurement is
 * stands here; nobody else asks which kind it is but those who bound it, read it and draw it.
 */
public sealed interface Measurement permits Measurement.Additive, Measurement.Selected {
  /** The column of the noisy value in {@code Relation.Released}. */
  Column output();

  Origin origin();

  /** Rows where this is NULL are not looked at; absent where all rows are. */
  Optional<Expr> argument();

  /** Only rows for which this is true. */
  Optional<Expr> filter();

  /** Values are clamped before they are looked at; absent where they are counted as they are. */
  Optional<Clamp> clamping();

  /** The word for its kind in canonical texts: no two kinds have the same. */
  String word();

  /** Which fraction of the rows a chosen value does not exceed, where it is chosen by that. */
  default Optional<BigDecimal> rank() {
    return Optional.empty();
  }

  /** Noisy values are multiples of this. */
  BigDecimal grid();

  /** What one step of its exact cells is worth, in what its noise is scaled to. */
  BigDecimal perStep();

  /** The most that one row adds, in steps of the grid. */
  default BigInteger mostAdded() {
    return BigInteger.ONE;
  }

  /** The most that one row takes away, in steps of the grid. */
  default BigInteger mostTaken() {
    return BigInteger.ZERO;
  }

  /** What one step of its sensitivity is worth: a power of ten. */
  BigDecimal unit();

  /** Whether the value of a union of disjoint sets of rows is the sum of theirs. */
  boolean isAdditive();

  /** Whether every row adds to it, and none takes anything away. */
  default boolean onlyGrows() {
    return isAdditive() && mostTaken().signum() == 0;
  }

  /** Whether it counts every row of a label. */
  default boolean isOfAllRows() {
    return false;
  }

  /** A measurement of this kind of something else. */
  Measurement of(Column place, Origin named, Optional<Expr> argument, Optional<Expr> filter);

  /** This measurement with another output. */
  default Measurement as(Column place, Origin named) {
    return of(place, named, argument(), filter());
  }

  /** This measurement of the rows for which the condition holds, in place of its own. */
  default Measurement where(Expr condition) {
    return of(output(), origin(), argument(), Optional.of(condition));
  }

  /** This measurement with its expressions written in another way. */
  default Measurement mapped(UnaryOperator<Expr> by) {
    return of(output(), origin(), argument().map(by), filter().map(by));
  }

  /** This measurement, shown by the result column of that name. */
  default Measurement shownAs(Optional<String> name) {
    return as(output(), origin().shownAs(name));
  }

  /** Whether it measures the same, whatever it is for. */
  default boolean isSame(Measurement other) {
    return as(other.output(), other.origin()).equals(other);
  }

  /**
   * What of the query it is for.
   *
   * @param aggregate the name of the aggregate
   * @param part what it is within that: count, sum, squares, quantile
   * @param column the name of the result column that shows it as it is, if one does
   * @param together whether a statistic is computed of it and of others, all over the same rows:
   *     the sum and the count of an average
   */
  record Origin(
      String aggregate, String part, Optional<String> column, Position at, boolean together) {
    /** Of a number that stands for itself. */
    public Origin(String aggregate, String part, Optional<String> column, Position at) {
      this(aggregate, part, column, at, false);
    }

    Origin shownAs(Optional<String> name) {
      return new Origin(aggregate, part, name, at, together);
    }

    /** This origin as that of a number which a statistic is computed of. */
    public Origin ofStatistic() {
      return new Origin(aggregate, part, column, at, true);
    }
  }

  /** A number that the database computes for each label, and to which noise is added. */
  sealed interface Additive extends Measurement permits Count, CountDistinct, Sum {
    @Override
    default BigDecimal perStep() {
      return grid();
    }
  }

  /**
   * The rows.
   *
   * @param argument only those where it is not NULL
   */
  record Count(Column output, Origin origin, Optional<Expr> argument, Optional<Expr> filter)
      implements Additive {
    @Override
    public Optional<Clamp> clamping() {
      return Optional.empty();
    }

    @Override
    public String word() {
      return "COUNT";
    }

    @Override
    public boolean isOfAllRows() {
      return argument.isEmpty() && filter.isEmpty();
    }

    @Override
    public BigDecimal grid() {
      return BigDecimal.ONE;
    }

    @Override
    public BigDecimal unit() {
      return BigDecimal.ONE;
    }

    @Override
    public boolean isAdditive() {
      return true;
    }

    @Override
    public Count of(Column place, Origin named, Optional<Expr> rows, Optional<Expr> only) {
      return new Count(place, named, rows, only);
    }
  }

  /** The different values, NULL aside. */
  record CountDistinct(Column output, Origin origin, Expr value, Optional<Expr> filter)
      implements Additive {
    @Override
    public Optional<Expr> argument() {
      return Optional.of(value);
    }

    @Override
    public Optional<Clamp> clamping() {
      return Optional.empty();
    }

    @Override
    public String word() {
      return "COUNT distinct";
    }

    @Override
    public BigDecimal grid() {
      return BigDecimal.ONE;
    }

    @Override
    public BigDecimal unit() {
      return BigDecimal.ONE;
    }

    /** Whether values add up, so that one value may stand on both sides. */
    @Override
    public boolean isAdditive() {
      return false;
    }

    @Override
    public CountDistinct of(Column place, Origin named, Optional<Expr> of, Optional<Expr> only) {
      return new CountDistinct(place, named, of.orElseThrow(), only);
    }
  }

  /** The sum of the values, each clamped. */
  record Sum(Column output, Origin origin, Expr value, Optional<Expr> filter, Clamp clamp)
      implements Additive {
    @Override
    public Optional<Expr> argument() {
      return Optional.of(value);
    }

    @Override
    public Optional<Clamp> clamping() {
      return Optional.of(clamp);
    }

    /** Whether every value is 0 or the largest, as where rows of one sort are told by a one. */
    public boolean isAllOrNothing() {
      Expr bare = value;
      while (bare instanceof Expr.Cast cast) {
        bare = cast.operand();
      }
      if (!(bare instanceof Expr.Case choice) || mostTaken().signum() > 0) {
        return false;
      }
      List<Expr> values = new ArrayList<>(choice.otherwise().stream().toList());
      choice.branches().forEach(branch -> values.add(branch.value()));
      return values.stream().allMatch(this::isNothingOrAll);
    }

    private boolean isNothingOrAll(Expr expr) {
      Expr bare = expr;
      while (bare instanceof Expr.Cast cast) {
        bare = cast.operand();
      }
      return bare instanceof Expr.Literal literal
          && (literal.isNull()
              || literal.value() instanceof BigDecimal number
                  && (number.signum() == 0 || number.compareTo(clamp.range().high()) == 0));
    }

    @Override
    public String word() {
      return "SUM";
    }

    @Override
    public BigInteger mostAdded() {
      return clamp.steps(clamp.mostAdded());
    }

    @Override
    public BigInteger mostTaken() {
      return clamp.steps(clamp.mostTaken());
    }

    @Override
    public BigDecimal grid() {
      return clamp.grid();
    }

    @Override
    public BigDecimal unit() {
      Range range = clamp.range();
      return BigDecimal.ONE.movePointLeft(Math.max(digits(range.low()), digits(range.high())));
    }

    @Override
    public boolean isAdditive() {
      return true;
    }

    @Override
    public Sum of(Column place, Origin named, Optional<Expr> of, Optional<Expr> only) {
      return new Sum(place, named, of.orElseThrow(), only, clamp);
    }
  }

  /** A value that is chosen for each label, by how good it is. */
  sealed interface Selected extends Measurement permits Quantile, Mode {
    Expr value();

    Clamp clamp();

    /** How far one row moves the score of a value. */
    BigDecimal perRow();

    @Override
    default Optional<Expr> argument() {
      return Optional.of(value());
    }

    @Override
    default Optional<Clamp> clamping() {
      return Optional.of(clamp());
    }

    @Override
    default BigDecimal grid() {
      return clamp().grid();
    }

    /** Its cells are rows. */
    @Override
    default BigDecimal perStep() {
      return perRow();
    }

    @Override
    default boolean isAdditive() {
      return false;
    }
  }

  /** The value that most rows have, chosen by how many have it. */
  record Mode(Column output, Origin origin, Expr value, Optional<Expr> filter, Clamp clamp)
      implements Selected {
    @Override
    public String word() {
      return "MODE";
    }

    @Override
    public BigDecimal unit() {
      return BigDecimal.ONE;
    }

    @Override
    public BigDecimal perRow() {
      return BigDecimal.ONE;
    }

    @Override
    public Mode of(Column place, Origin named, Optional<Expr> of, Optional<Expr> only) {
      return new Mode(place, named, of.orElseThrow(), only, clamp);
    }
  }

  /**
   * The clamped value that this fraction of the rows does not exceed, chosen by how near it is in
   * rank.
   *
   * @param fraction 0 for MIN, 1 for MAX
   */
  record Quantile(
      Column output,
      Origin origin,
      Expr value,
      Optional<Expr> filter,
      Clamp clamp,
      BigDecimal fraction)
      implements Selected {
    /** Whether it is neither the least nor the largest value, beyond which nothing lies. */
    public boolean isBetween() {
      return fraction.signum() > 0 && fraction.compareTo(BigDecimal.ONE) < 0;
    }

    @Override
    public String word() {
      return "QUANTILE";
    }

    @Override
    public Optional<BigDecimal> rank() {
      return Optional.of(fraction);
    }

    /** Its sensitivity is that of ranks. */
    @Override
    public BigDecimal unit() {
      return BigDecimal.ONE.movePointLeft(digits(fraction));
    }

    /** Of a rank: the larger of q and 1 − q. */
    @Override
    public BigDecimal perRow() {
      return fraction.max(BigDecimal.ONE.subtract(fraction));
    }

    @Override
    public Quantile of(Column place, Origin named, Optional<Expr> of, Optional<Expr> only) {
      return new Quantile(place, named, of.orElseThrow(), only, clamp, fraction);
    }
  }

  /**
   * Values are rounded to the grid and kept within the range.
   *
   * @param range its ends are multiples of the grid
   */
  record Clamp(Range range, BigDecimal grid) {
    /** A multiple of the grid in steps of it. */
    BigInteger steps(BigDecimal value) {
      return value.divide(grid).toBigIntegerExact();
    }

    /** The low end of the range, in steps of the grid. */
    public BigInteger firstStep() {
      return steps(range.low());
    }

    /** The high end of the range, in steps of the grid. */
    public BigInteger lastStep() {
      return steps(range.high());
    }

    /** A step as far as it lies in the range, otherwise the nearest one that does. */
    public BigInteger nearest(BigInteger step) {
      return firstStep().max(lastStep().min(step));
    }

    /** U⁺: the most that a value can add to a sum. */
    public BigDecimal mostAdded() {
      return range.high().max(BigDecimal.ZERO);
    }

    /** L⁻: the most that a value can take away from a sum. */
    public BigDecimal mostTaken() {
      return range.low().negate().max(BigDecimal.ZERO);
    }
  }

  private static int digits(BigDecimal number) {
    return Math.max(0, number.stripTrailingZeros().scale());
  }
}
