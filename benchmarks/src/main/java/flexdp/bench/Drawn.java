package flexdp.bench;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Random;

/** Values of invented data: the same for the same seed, on every machine. */
final class Drawn {
  private final Random random;

  Drawn(long seed) {
    random = new Random(seed);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** From 0 to below a bound, the first ones more often as the skew grows beyond 1. */
  int skewed(int bound, double skew) {
    return (int) (bound * StrictMath.pow(random.nextDouble(), skew));
  }

  /** Around a middle, with a long tail above. */
  double tailed(double middle, double spread) {
    return middle * StrictMath.exp(spread * random.nextGaussian());
  }

  /** Money in cents, within bounds given in whole units. */
  BigDecimal money(double middle, double spread, int lowest, int highest) {
    double value = Math.clamp(tailed(middle, spread), lowest, highest);
    return BigDecimal.valueOf(StrictMath.round(value * 100), 2);
  }

  <T> T one(List<T> values) {
    return values.get(below(values.size()));
  }

  /** One of several words, each with its percents; what is left over is NULL. */
  String word(Object... wordsAndPercents) {
    int percent = below(100);
    for (int i = 0; i < wordsAndPercents.length; i += 2) {
      percent -= (int) wordsAndPercents[i + 1];
      if (percent < 0) {
        return (String) wordsAndPercents[i];
      }
    }
    return null;
  }

  LocalDate between(LocalDate first, LocalDate last) {
    return first.plusDays(below((int) (last.toEpochDay() - first.toEpochDay()) + 1));
  }

  /** A moment of a day, mostly of the waking hours. */
  String moment(LocalDate day) {
    int hour = chance(0.04) ? below(24) : 7 + (below(15) + below(18)) / 2;
    return moment(day, hour * 3600 + below(3600));
  }

  static String moment(LocalDate day, int second) {
    return day.plusDays(second / 86_400)
        + " "
        + two(second % 86_400 / 3600)
        + ":"
        + two(second % 3600 / 60)
        + ":"
        + two(second % 60);
  }

  private static String two(int number) {
    return number < 10 ? "0" + number : String.valueOf(number);
  }
}
