package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.failure.Position;
import flexdp.people.clipping.ClipLevels;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Range;
import flexdp.policy.Type;
import flexdp.query.Measurement;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What clipped measurements move by, beside tables that are protected by rows, too. */
class ClippingPlanTest {
  private static final Measurement.Origin ORIGIN =
      new Measurement.Origin("SUM", "sum", Optional.empty(), Position.START);
  private static final Column OUTPUT = new Column(7, "s", Type.BIGINT, false);

  private static Measurement.Sum sum(int low, int high) {
    return new Measurement.Sum(
        OUTPUT,
        ORIGIN,
        new Expr.Ref(1, Type.INTEGER),
        Optional.empty(),
        new Measurement.Clamp(
            new Range(BigDecimal.valueOf(low), BigDecimal.valueOf(high)), BigDecimal.ONE));
  }

  private static final Measurement COUNT =
      new Measurement.Count(OUTPUT, ORIGIN, Optional.empty(), Optional.empty());

  private static final Measurement.Clamp CLAMP =
      new Measurement.Clamp(new Range(BigDecimal.ZERO, BigDecimal.TEN), BigDecimal.ONE);

  private static final Measurement MODE =
      new Measurement.Mode(OUTPUT, ORIGIN, new Expr.Ref(1, Type.INTEGER), Optional.empty(), CLAMP);

  private static Measurement quantile(String fraction) {
    return new Measurement.Quantile(
        OUTPUT,
        ORIGIN,
        new Expr.Ref(1, Type.INTEGER),
        Optional.empty(),
        CLAMP,
        new BigDecimal(fraction));
  }

  private static PublicBound beside(Optional<Integer> rows, int people) {
    return new PublicBound(
        new PrivacyUnit.Row("t"), rows.map(BigInteger::valueOf), BigInteger.valueOf(people));
  }

  private static ClippingPlan clipping(boolean byRows, boolean binned, PublicBound... besides) {
    return new ClippingPlan(
        new ClipLevels(BigInteger.ONE, 6),
        Set.of(),
        byRows || binned ? 20 : 0,
        byRows,
        binned,
        1,
        false,
        List.of(besides));
  }

  private static long moved(ClippingPlan clipping, Measurement measurement, int level) {
    return clipping.moved(measurement, level).shiftRight(clipping.digits()).longValueExact();
  }

  @Test
  void aPersonAlone() {
    assertEquals(8, moved(clipping(false, false), COUNT, 3));
    assertEquals(8, moved(clipping(false, true), sum(-5, 9), 3));
    assertEquals(72, moved(clipping(true, true), sum(-5, 9), 3));
    assertEquals(BigInteger.ONE, clipping(true, true).peopleMoved());
  }

  @Test
  void besideRowsTheLargerOfBoth() {
    assertEquals(8, moved(clipping(false, false, beside(Optional.of(3), 2)), COUNT, 3));
    assertEquals(16, moved(clipping(false, false, beside(Optional.of(99), 2)), COUNT, 3));
    assertEquals(16, moved(clipping(false, false, beside(Optional.empty(), 2)), COUNT, 3));
    // Of either sign: within [−τ, τ].
    assertEquals(32, moved(clipping(false, false, beside(Optional.empty(), 2)), sum(-5, 9), 3));
    // Bins and weights spread a person's whole τ anew: never by rows.
    assertEquals(32, moved(clipping(false, true, beside(Optional.of(1), 2)), COUNT, 3));
    assertEquals(16, moved(clipping(true, false, beside(Optional.of(1), 2)), COUNT, 3));
    assertEquals(224, moved(clipping(true, false, beside(Optional.of(1), 2)), sum(-5, 9), 3));
    assertEquals(
        BigInteger.valueOf(4), clipping(true, false, beside(Optional.of(5), 2)).peopleMoved());
  }

  /**
   * The score of one rank moves by τ for each person, as by τ/max(q, 1−q) rows; those of all values
   * together by 2τ.
   */
  @Test
  void valuesThatArePickedBesideRows() {
    ClippingPlan clipping = clipping(true, false, beside(Optional.of(1), 2));
    assertEquals(32, moved(clipping, quantile("0.5"), 3));
    assertEquals(22, moved(clipping, quantile("0.25"), 3));
    assertEquals(18, moved(clipping, quantile("0.9"), 3));
    assertEquals(16, moved(clipping, quantile("0"), 3));
    assertEquals(16, moved(clipping, quantile("1"), 3));
    // A person who comes or goes takes her rows along.
    assertEquals(8, moved(clipping(true, false), quantile("0.5"), 3));
    assertEquals(32, moved(clipping, MODE, 3));
  }

  @Test
  void aDeclaredNumberOfRowsLowersTheLevels() {
    Optional<BigInteger> rows = Optional.of(BigInteger.valueOf(200));
    assertEquals(8, ClippingPlan.levels((Measurement.Additive) COUNT, rows).last());
    ClipLevels sums = ClippingPlan.levels(sum(0, 1024), rows);
    assertEquals(BigInteger.valueOf(262_144), sums.at(sums.last()));
  }
}
