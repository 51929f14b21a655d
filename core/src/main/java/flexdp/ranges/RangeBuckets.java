package flexdp.ranges;

import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The buckets of a histogram over a ladder 1, 2, 5, 10, 20 … on either side of zero, known from the
 * type of a value and from what is public of it. Bucket 0 holds zero, bucket ±j what is beyond
 * level j − 1 and not beyond level j; what is beyond the last level is in a bucket of its own where
 * the ladder is open, and in the last one where it is not. Every number is in exactly one.
 *
 * @param below the levels of the negative side, as they are without their sign, from zero outwards
 * @param above those of the positive side
 * @param open whether something may be beyond the last levels
 */
public record RangeBuckets(List<BigDecimal> below, List<BigDecimal> above, boolean open) {
  /** Sums of so many steps of the grid, and products of them, are far from any overflow. */
  private static final BigDecimal MOST_STEPS = BigDecimal.TEN.pow(15);

  private static final BigDecimal LEAST_REAL = BigDecimal.ONE.movePointLeft(9);
  private static final List<BigDecimal> MANTISSAS =
      List.of(BigDecimal.ONE, BigDecimal.TWO, BigDecimal.valueOf(5));

  public RangeBuckets {
    below = List.copyOf(below);
    above = List.copyOf(above);
    if (below.isEmpty() && above.isEmpty()) {
      throw new IllegalArgumentException("a ladder without a level");
    }
  }

  /**
   * @param type of the values
   * @param low no value is below it; absent where nothing says so
   * @param high no value is above it
   * @param dropped how many of the highest levels are left out
   */
  public static Optional<RangeBuckets> of(
      Type type, Optional<BigDecimal> low, Optional<BigDecimal> high, int dropped) {
    List<BigDecimal> levels = levels(type);
    boolean open = dropped > 0 || isOpen(type);
    if (dropped >= levels.size()) {
      return Optional.empty();
    }
    levels = levels.subList(0, levels.size() - dropped);
    List<BigDecimal> below = cut(levels, low.map(BigDecimal::negate));
    List<BigDecimal> above = cut(levels, high);
    return below.isEmpty() && above.isEmpty()
        ? Optional.empty()
        : Optional.of(new RangeBuckets(below, above, open));
  }

  /** The levels below an end that is known, and the end. */
  private static List<BigDecimal> cut(List<BigDecimal> levels, Optional<BigDecimal> end) {
    if (end.isEmpty() || end.get().compareTo(levels.getLast()) >= 0) {
      return levels;
    }
    List<BigDecimal> kept = new ArrayList<>();
    levels.stream().filter(v -> v.compareTo(end.get()) < 0).forEach(kept::add);
    if (end.get().signum() > 0) {
      kept.add(end.get());
    }
    return kept;
  }

  private static List<BigDecimal> levels(Type type) {
    BigDecimal step = type.kind() == Type.Kind.DOUBLE ? LEAST_REAL : grid(type);
    BigDecimal top = type.kind() == Type.Kind.DOUBLE ? MOST_STEPS : most(type);
    List<BigDecimal> levels = new ArrayList<>();
    for (BigDecimal ten = step; ten.compareTo(top) < 0; ten = ten.multiply(BigDecimal.TEN)) {
      for (BigDecimal mantissa : MANTISSAS) {
        BigDecimal level = ten.multiply(mantissa);
        if (level.compareTo(top) < 0) {
          levels.add(level);
        }
      }
    }
    levels.add(top);
    return levels;
  }

  private static BigDecimal grid(Type type) {
    return BigDecimal.ONE.movePointLeft(type.scale());
  }

  /** The largest magnitude of an exact type, as far as sums of it are safe. */
  private static BigDecimal most(Type type) {
    return magnitude(type).min(MOST_STEPS.multiply(grid(type)));
  }

  private static BigDecimal magnitude(Type type) {
    return type.largest().orElseThrow();
  }

  private static boolean isOpen(Type type) {
    return type.kind() == Type.Kind.DOUBLE
        || magnitude(type).compareTo(MOST_STEPS.multiply(grid(type))) > 0;
  }

  /** The numbers of the buckets, from the least values to the greatest. */
  public List<Integer> ids() {
    return IntStream.rangeClosed(first(), first() + size() - 1).boxed().toList();
  }

  /** The number of the bucket of the least values. */
  int first() {
    return -side(below);
  }

  /** How many there are. */
  int size() {
    return side(below) + 1 + side(above);
  }

  private int side(List<BigDecimal> levels) {
    return levels.isEmpty() ? 0 : levels.size() + (open ? 1 : 0);
  }

  /** The bucket of a number. */
  public int of(BigDecimal value) {
    List<BigDecimal> levels = value.signum() < 0 ? below : above;
    if (value.signum() == 0 || levels.isEmpty()) {
      return 0;
    }
    int level = 0;
    while (level < side(levels) - 1
        && level < levels.size()
        && value.abs().compareTo(levels.get(level)) > 0) {
      level++;
    }
    return value.signum() * (level + 1);
  }

  /** All values that it clamps to, if the ladder's own ends are the range. */
  public Range widest() {
    return new Range(
        below.isEmpty() ? BigDecimal.ZERO : below.getLast().negate(),
        above.isEmpty() ? BigDecimal.ZERO : above.getLast());
  }

  /** Whether a bucket is beyond the last level. */
  boolean isBeyond(int id) {
    return id > above.size() || -id > below.size();
  }

  /** The low end of a bucket that is not beyond the last level. */
  BigDecimal low(int id) {
    return id > 0 ? inner(above, id) : outer(below, -id).negate();
  }

  /** The high end of a bucket that is not beyond the last level. */
  BigDecimal high(int id) {
    return id < 0 ? inner(below, -id).negate() : outer(above, id);
  }

  private static BigDecimal inner(List<BigDecimal> levels, int id) {
    return id == 1 ? BigDecimal.ZERO : levels.get(id - 2);
  }

  private static BigDecimal outer(List<BigDecimal> levels, int id) {
    return id == 0 ? BigDecimal.ZERO : levels.get(id - 1);
  }

  /** Where the values of a bucket are taken to be: as if their logarithms were spread evenly. */
  double middle(int id) {
    if (id == 0) {
      return 0;
    }
    double inner = Math.min(Math.abs(low(id).doubleValue()), Math.abs(high(id).doubleValue()));
    double outer = Math.max(Math.abs(low(id).doubleValue()), Math.abs(high(id).doubleValue()));
    double middle = inner == 0 ? 0.7 * outer : (outer - inner) / Math.log(outer / inner);
    return Math.signum(id) * middle;
  }

  /** The outer end of a bucket without its sign; ten times that of the last level beyond it. */
  double size(int id) {
    List<BigDecimal> levels = id < 0 || above.isEmpty() ? below : above;
    int level = Math.max(1, Math.abs(id));
    return level > levels.size()
        ? 10 * levels.getLast().doubleValue()
        : levels.get(level - 1).doubleValue();
  }

  /** How many there are beside that of zero. */
  int notZero() {
    return size() - 1;
  }
}
