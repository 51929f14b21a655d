package flexdp.noise;

import java.util.ArrayList;
import java.util.List;

/**
 * Draws from the exponential mechanism over levels whose scores are costly to know, exactly by the
 * law of the mechanism that knows them all.
 *
 * <p>Level j has weight 2^(−j/2)·e^(score). A level that was not looked at stands with an upper
 * weight. When one is drawn, one look after the other makes its weight smaller, until it is known;
 * after each it stays with probability smaller/before, else everything is drawn anew. These
 * multiply to true/upper, so whatever the weights are, a round accepts j with probability (true
 * weight of j)/(sum of the round's weights): what is accepted has the law of the full mechanism,
 * and how often it looked does not show in it. A level far below is hardly ever looked at: the
 * first looks turn it away.
 */
public final class LazyExponentialSampler {
  private static final int DIGITS = 128;

  private LazyExponentialSampler() {}

  /** The scores, already times the rate of the mechanism. Looking changes what is known. */
  public interface Scores {
    int levels();

    /** Whether a level's score is known without looking. */
    boolean isKnown(int level);

    /** The score where it is known, else something that is not below it. */
    Rational upper(int level);

    /** Looks at one more: no upper score grows, and every score is known in the end. */
    void look();
  }

  /** The level chosen. */
  public static int choose(Scores scores, BitSource source) {
    while (true) {
      int drawn = locate(scores, new LazyUniform(source));
      if (stays(scores, drawn, source)) {
        return drawn;
      }
    }
  }

  private static boolean stays(Scores scores, int drawn, BitSource source) {
    while (!scores.isKnown(drawn)) {
      Rational upper = scores.upper(drawn);
      scores.look();
      Rational excess = scores.upper(drawn).minus(upper);
      if (excess.signum() > 0) {
        throw new IllegalStateException("a score is above what it was said to be at most");
      }
      boolean stays =
          excess.signum() == 0
              || new LazyUniform(source).isBelow(p -> Enclosure.of(excess, p).exp());
      if (!stays) {
        return false;
      }
    }
    return true;
  }

  private static int locate(Scores scores, LazyUniform uniform) {
    List<Rational> exponents = new ArrayList<>();
    for (int level = 0; level < scores.levels(); level++) {
      exponents.add(scores.upper(level));
    }
    Rational best = exponents.stream().max(Rational::compareTo).orElseThrow();
    for (int p = DIGITS; ; p *= 2) {
      List<Enclosure> cumulated = new ArrayList<>();
      Enclosure sum = Enclosure.of(0, p);
      Enclosure half = Enclosure.of(Rational.of(2), p).ln().times(Rational.of(1, 2));
      for (int level = 0; level < exponents.size(); level++) {
        Enclosure exponent =
            Enclosure.of(exponents.get(level).minus(best), p).minus(half.times(Rational.of(level)));
        sum = sum.plus(exponent.exp());
        cumulated.add(sum);
      }
      Enclosure point = uniform.enclosure(p).times(sum);
      for (int level = 0; level < cumulated.size(); level++) {
        boolean notBelow = level == 0 || cumulated.get(level - 1).atMost(point);
        if (notBelow && point.atMost(cumulated.get(level))) {
          return level;
        }
      }
    }
  }
}
