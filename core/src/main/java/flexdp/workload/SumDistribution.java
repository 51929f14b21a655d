package flexdp.workload;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The distribution of an error that is a sum of independent draws, with few enough terms to be kept
 * and inverted at once. Draws of one scale whose coefficients differ by a hundredth stand for each
 * other unless each jumps far, and those that are small beside all others together are normal; the
 * variance stays what it is.
 */
public final class SumDistribution {
  /** Nothing is drawn. */
  public static final SumDistribution NONE = new SumDistribution(List.of());

  /** Beside the deviation of all, draws of less than this are normal together. */
  private static final double SMALL = 0.02;

  private static final double ALIKE = 1.01;
  private static final double SAME = 1 + 1e-9;

  /** Beside the deviation of all, jumps of more than this make values that are far apart. */
  private static final double FAR = 0.05;

  /** Normal draws of this scale are of a continuous law. */
  private static final double CONTINUOUS = 1e6;

  private static final MathContext DIGITS = new MathContext(10);

  /**
   * A number of draws with one coefficient.
   *
   * @param scale of the draws in steps: the deviation of normal ones, the mean size of others
   */
  public record Draws(double coefficient, double times, double scale, boolean normal) {
    double variance() {
      double one = normal ? scale * scale : TailProbability.laplaceVariance(scale);
      return times * coefficient * coefficient * one;
    }

    /** One is next to nothing beside all, and what it jumps by too. */
    boolean isSmall(double variance) {
      return coefficient * coefficient <= variance && (normal || variance() <= variance * times);
    }
  }

  private final List<Draws> draws;
  private final Map<Double, Double> widths = new ConcurrentHashMap<>();

  private SumDistribution(List<Draws> draws) {
    this.draws = List.copyOf(draws);
  }

  public static SumDistribution of(List<Draws> all) {
    double variance = all.stream().mapToDouble(Draws::variance).sum();
    double small = SMALL * SMALL * variance;
    double far = FAR * Math.sqrt(variance);
    double normal = 0;
    List<Draws> kept = new ArrayList<>();
    for (Draws one : all) {
      if (one.isSmall(small)) {
        normal += one.variance();
      } else {
        kept.add(one);
      }
    }
    kept.sort(
        Comparator.comparing(Draws::normal)
            .thenComparingDouble(Draws::scale)
            .thenComparingDouble(d -> -size(d.coefficient())));
    List<Draws> merged = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= kept.size(); i++) {
      if (i == kept.size() || !isAlike(kept.get(from), kept.get(i), far)) {
        merged.add(merged(kept.subList(from, i)));
        from = i;
      }
    }
    if (normal > 0) {
      // Of jumps too small to be told apart.
      double deviation = rounded(Math.sqrt(normal));
      merged.add(new Draws(deviation / CONTINUOUS, 1, CONTINUOUS, true));
    }
    return new SumDistribution(merged);
  }

  private static double size(double coefficient) {
    return Math.abs(coefficient);
  }

  private static boolean isAlike(Draws largest, Draws other, double far) {
    double alike = size(largest.coefficient()) > far ? SAME : ALIKE;
    return largest.scale() == other.scale()
        && largest.normal() == other.normal()
        && size(largest.coefficient()) <= alike * size(other.coefficient());
  }

  private static Draws merged(List<Draws> alike) {
    double times = 0;
    double squares = 0;
    for (Draws one : alike) {
      times += one.times();
      squares += one.times() * one.coefficient() * one.coefficient();
    }
    Draws first = alike.getFirst();
    return new Draws(rounded(Math.sqrt(squares / times)), times, first.scale(), first.normal());
  }

  /** Sums that were made in another order are the same. */
  private static double rounded(double number) {
    return new BigDecimal(number).round(DIGITS).doubleValue();
  }

  public List<Draws> draws() {
    return draws;
  }

  public double variance() {
    return draws.stream().mapToDouble(Draws::variance).sum();
  }

  /** How far from zero it is, with this probability at most. */
  public double within(double confidence) {
    return widths.computeIfAbsent(confidence, this::inverted);
  }

  private double inverted(double confidence) {
    TailProbability tail = new TailProbability();
    for (Draws one : draws) {
      if (one.normal() && one.scale() == CONTINUOUS) {
        tail.normal(one.coefficient(), one.times(), one.scale());
      } else if (one.normal()) {
        tail.gaussian(one.coefficient(), one.times(), one.scale());
      } else {
        tail.laplace(one.coefficient(), one.times(), one.scale());
      }
    }
    return tail.within(confidence);
  }

  /**
   * More than {@link #within} can be: no sum of Laplace and normal draws has heavier tails than one
   * Laplace draw of the same deviation, as far out as error bars reach, but for a step.
   */
  public double atMost(double confidence) {
    double step = draws.stream().mapToDouble(d -> size(d.coefficient())).max().orElse(0);
    return -Math.log(1 - confidence) * Math.sqrt(variance() / 2) + step;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SumDistribution law && law.draws.equals(draws);
  }

  @Override
  public int hashCode() {
    return draws.hashCode();
  }

  @Override
  public String toString() {
    return draws.toString();
  }
}
