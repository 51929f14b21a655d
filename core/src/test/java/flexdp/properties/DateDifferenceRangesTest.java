package flexdp.properties;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Every difference of two dates lies in the range that their ranges give. */
class DateDifferenceRangesTest {
  private static final List<String> UNITS =
      List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND");

  private final Random random = new Random(7);

  @Test
  void differencesOfDatesLieInTheirRange() {
    for (int i = 0; i < 20_000; i++) {
      int start = random.nextInt(4000) - 2000;
      int width = random.nextInt(800);
      int other = start + random.nextInt(1600) - 800;
      long from = (long) start + random.nextInt(width + 1);
      long to = (long) other + random.nextInt(width + 1);
      Interval low = Interval.of(start, start + width);
      Interval high = Interval.of(other, other + width);
      boolean date = random.nextBoolean();
      check(
          UNITS.get(random.nextInt(UNITS.size())),
          date ? Type.DATE : Type.TIMESTAMP,
          date ? low : low.times(Interval.point(BigDecimal.valueOf(86_400_000_000L))),
          date ? high : high.times(Interval.point(BigDecimal.valueOf(86_400_000_000L))),
          literal(from, date),
          literal(to, date));
    }
  }

  private static Expr literal(long day, boolean date) {
    return date
        ? new Expr.Literal(LocalDate.ofEpochDay(day), Type.DATE)
        : new Expr.Literal(
            LocalDateTime.ofEpochSecond(day * 86_400L, 0, ZoneOffset.UTC), Type.TIMESTAMP);
  }

  private static void check(
      String unit, Type type, Interval from, Interval to, Expr one, Expr two) {
    Expr expr = Exprs.call(Function.DATE_DIFF, Type.BIGINT, Exprs.text(unit), one, two);
    BigDecimal value = (BigDecimal) new Evaluator(List.of()).compile(expr).on(List.of());
    Interval range = DateRanges.between(unit, type, from, to);
    assertTrue(
        range.low().orElseThrow().compareTo(value) <= 0
            && range.high().orElseThrow().compareTo(value) >= 0,
        () -> expr + " is " + value + ", not in " + range);
  }
}
