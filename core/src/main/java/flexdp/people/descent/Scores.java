package flexdp.people.descent;

import flexdp.noise.LazySelection;
import flexdp.noise.Rational;
import flexdp.people.clip.Levels;
import java.math.BigInteger;

/**
 * The scores of levels, from the top down. Every level from {@code seen} upwards has its value. The
 * score of j needs the values of j−1 and of all above; of an unseen j it is known that s_j ≤ K −
 * max G over what was seen.
 */
final class Scores implements LazySelection.Scores {
  private final Values values;
  private final Levels levels;
  private final Rational margin;
  private final Rational rate;
  private final Rational[] gains;
  private final Rational[] largest;
  private int seen;

  Scores(Descent descent, Values values) {
    this.values = values;
    this.levels = descent.levels();
    this.margin = descent.margin();
    this.rate = descent.rate();
    this.gains = new Rational[levels.count()];
    this.largest = new Rational[levels.count() + 1];
    this.largest[levels.count()] = Rational.ZERO;
    this.seen = levels.count();
    see(values.lowestSlack());
  }

  @Override
  public int levels() {
    return levels.count();
  }

  @Override
  public boolean isKnown(int level) {
    return Math.max(0, level - 1) >= seen;
  }

  @Override
  public Rational upper(int level) {
    return isKnown(level) ? exact(level) : least(margin, margin.minus(largest[seen])).times(rate);
  }

  @Override
  public void look() {
    see(seen - 1);
  }

  /** The score; looks at whatever it needs. */
  Rational exact(int level) {
    see(Math.max(0, level - 1));
    Rational score = least(margin, margin.minus(largest[level]));
    if (level > 0) {
      score = least(score, gains[level - 1].minus(margin));
    }
    return score.times(rate);
  }

  /** Looks at every level down to this one. */
  private void see(int level) {
    while (seen > level) {
      seen--;
      if (seen == levels.last()) {
        values.at(seen);
        // There is nothing above: the largest gain is that of no levels.
        largest[seen] = Rational.ZERO;
      } else {
        gains[seen] = gain(values.at(seen), values.at(seen + 1), levels.at(seen + 1));
        boolean first = seen + 1 == levels.last();
        largest[seen] = first ? gains[seen] : most(gains[seen], largest[seen + 1]);
      }
    }
  }

  private static Rational gain(BigInteger lower, BigInteger upper, BigInteger level) {
    return new Rational(upper.subtract(lower), level.shiftLeft(Values.DIGITS));
  }

  private static Rational least(Rational a, Rational b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static Rational most(Rational a, Rational b) {
    return a.compareTo(b) >= 0 ? a : b;
  }
}
