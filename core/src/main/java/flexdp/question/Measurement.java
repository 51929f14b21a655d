package flexdp.question;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * One number per label that noise is added to, or that is chosen at random (guarantee §2).
 * Everything else an aggregate shows is computed from measurements.
 */
public sealed interface Measurement permits Measurement.Amount, Measurement.Picked {
  /** The column of the noisy value in {@code Relation.Released}. */
  Column output();

  Origin origin();

  /** Rows where this is NULL are not looked at; absent where all rows are. */
  Optional<Expr> argument();

  /** Only rows for which this is true. */
  Optional<Expr> filter();

  /** Noisy values are multiples of this. */
  BigDecimal grid();

  /** What one step of its sensitivity is worth: a power of ten. */
  BigDecimal unit();

  /** Whether the value of a union of disjoint sets of rows is the sum of theirs. */
  boolean isAdditive();

  /** This measurement with another output. */
  Measurement as(Column place, Origin named);

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
  sealed interface Amount extends Measurement permits Count, CountDistinct, Sum {}

  /**
   * The rows.
   *
   * @param argument only those where it is not NULL
   */
  record Count(Column output, Origin origin, Optional<Expr> argument, Optional<Expr> filter)
      implements Amount {
    /** Whether it counts every row of a label. */
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
    public Count as(Column place, Origin named) {
      return new Count(place, named, argument, filter);
    }
  }

  /** The different values, NULL aside. */
  record CountDistinct(Column output, Origin origin, Expr value, Optional<Expr> filter)
      implements Amount {
    @Override
    public Optional<Expr> argument() {
      return Optional.of(value);
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
    public CountDistinct as(Column place, Origin named) {
      return new CountDistinct(place, named, value, filter);
    }
  }

  /** The sum of the values, each clamped. */
  record Sum(Column output, Origin origin, Expr value, Optional<Expr> filter, Clamp clamp)
      implements Amount {
    @Override
    public Optional<Expr> argument() {
      return Optional.of(value);
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
    public Sum as(Column place, Origin named) {
      return new Sum(place, named, value, filter, clamp);
    }
  }

  /** A value that is chosen for each label, by how good it is. */
  sealed interface Picked extends Measurement permits Quantile, Mode {
    Expr value();

    Clamp clamp();

    /** How far one row moves the score of a value. */
    BigDecimal perRow();

    @Override
    default Optional<Expr> argument() {
      return Optional.of(value());
    }

    @Override
    default BigDecimal grid() {
      return clamp().grid();
    }

    @Override
    default boolean isAdditive() {
      return false;
    }
  }

  /** The value that most rows have, chosen by how many have it. */
  record Mode(Column output, Origin origin, Expr value, Optional<Expr> filter, Clamp clamp)
      implements Picked {
    @Override
    public BigDecimal unit() {
      return BigDecimal.ONE;
    }

    @Override
    public BigDecimal perRow() {
      return BigDecimal.ONE;
    }

    @Override
    public Mode as(Column place, Origin named) {
      return new Mode(place, named, value, filter, clamp);
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
      implements Picked {
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
    public Quantile as(Column place, Origin named) {
      return new Quantile(place, named, value, filter, clamp, fraction);
    }
  }

  /**
   * Values are rounded to the grid and kept within the range.
   *
   * @param range its ends are multiples of the grid
   */
  record Clamp(Range range, BigDecimal grid) {
    /** The low end of the range, in steps of the grid. */
    public BigInteger firstStep() {
      return range.low().divide(grid).toBigIntegerExact();
    }

    /** The high end of the range, in steps of the grid. */
    public BigInteger lastStep() {
      return range.high().divide(grid).toBigIntegerExact();
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
