package flexdp.plan;

import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.workload.TailProbability;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far a sum of noisy numbers, each times a factor, is from the same sum of exact ones. Where
 * the draws are independent Laplace or normal ones, by the law of their sum; otherwise each of them
 * has to lie in an interval of its own, all at once.
 *
 * <p>Draws are symmetric with one peak, so more of them, and larger factors, never make a sum
 * narrower (Birnbaum). Sums of many are therefore looked up with numbers that are rounded up a
 * little: bars are at most four per cent wider than the law says.
 */
public final class SummedNoise {
  /** A number of draws of one measurement with one factor. */
  public record Term(int column, double factor, int times) {}

  /** How far below and above the noisy value the exact one may be. */
  public record Width(BigDecimal below, BigDecimal above) {
    static final Width NONE = new Width(BigDecimal.ZERO, BigDecimal.ZERO);
  }

  /** Sums of so many draws are computed as they are. */
  private static final int FEW = 64;

  /** Parts of a doubling that many draws are rounded up to. */
  private static final double PARTS = 16;

  /** Covers the rounding of doubles many times over. */
  private static final double OUTWARD = 1 + 1e-9;

  private static final MathContext UP = new MathContext(17, RoundingMode.CEILING);

  /**
   * Draws of one law.
   *
   * @param scale of one draw in steps
   * @param step times its factor
   */
  private record Law(boolean normal, double scale, double step, int times) {}

  private record Asked(List<Law> laws, double confidence) {}

  /** Widths do not depend on who asks, and take a few milliseconds each. */
  private static final int MOST_KNOWN = 4_096;

  private static final Map<Asked, Double> KNOWN = new ConcurrentHashMap<>();

  private final ErrorModel errors;

  public SummedNoise(ErrorModel errors) {
    this.errors = errors;
  }

  /**
   * @param terms each draw in one of them
   * @param together so many sums have to lie in their intervals at once
   */
  public Width width(List<Term> terms, int together) {
    long draws = terms.stream().mapToLong(Term::times).sum();
    if (draws == 0) {
      return Width.NONE;
    }
    return draws > 1 && isIndependent(terms)
        ? byLaw(terms, draws, together)
        : oneByOne(terms, draws * together);
  }

  private boolean isIndependent(List<Term> terms) {
    boolean one = terms.stream().mapToInt(Term::column).distinct().count() == 1;
    return (one || errors.apart()) && terms.stream().allMatch(t -> isPlain(t.column()));
  }

  private boolean isPlain(int column) {
    PublicNoise noise = errors.noise().get(column);
    return noise != null
        && !errors.fits().containsKey(column)
        && noise.cells() == 1
        && noise.cut().isNone()
        && (noise.mechanism() instanceof Laplace || noise.mechanism() instanceof Gaussian);
  }

  private Width oneByOne(List<Term> terms, long together) {
    BigDecimal below = BigDecimal.ZERO;
    BigDecimal above = BigDecimal.ZERO;
    int all = (int) Math.min(together, Integer.MAX_VALUE);
    for (Term term : terms) {
      BigDecimal size = new BigDecimal(Math.abs(term.factor()) * term.times());
      BigDecimal down = errors.below(term.column(), all).multiply(size);
      BigDecimal up = errors.above(term.column(), all).multiply(size);
      below = below.add(term.factor() > 0 ? down : up);
      above = above.add(term.factor() > 0 ? up : down);
    }
    return new Width(below, above);
  }

  private Width byLaw(List<Term> terms, long draws, int together) {
    double largest = terms.stream().mapToDouble(t -> Math.abs(t.factor())).max().orElseThrow();
    Map<List<Number>, Term> merged = new HashMap<>();
    for (Term term : terms) {
      double factor = Math.abs(term.factor()) / largest;
      Term part =
          draws <= FEW
              ? new Term(term.column(), factor, term.times())
              : new Term(term.column(), roundedUp(factor), term.times());
      merged.merge(
          List.of(part.column(), part.factor()),
          part,
          (a, b) -> new Term(a.column(), a.factor(), a.times() + b.times()));
    }
    List<Term> asked = new ArrayList<>();
    merged.values().forEach(t -> asked.add(new Term(t.column(), t.factor(), roundedUp(t.times()))));
    asked.sort(Comparator.comparingInt(Term::column).thenComparingDouble(Term::factor));
    BigDecimal confidence = ErrorModel.confidence(together);
    for (int column : asked.stream().mapToInt(Term::column).distinct().toArray()) {
      confidence = confidence.add(errors.noise().get(column).slack());
    }
    List<Law> laws = new ArrayList<>();
    asked.forEach(term -> law(term).ifPresent(laws::add));
    double width = width(new Asked(List.copyOf(laws), confidence.doubleValue()));
    BigDecimal half = new BigDecimal(width).multiply(new BigDecimal(largest));
    return new Width(half, half);
  }

  private Optional<Law> law(Term term) {
    PublicNoise noise = errors.noise().get(term.column());
    if (noise.sensitivity().signum() == 0) {
      return Optional.empty();
    }
    double scale =
        noise.mechanism().scale(noise.sensitivity()).divide(noise.grid(), UP).doubleValue();
    return Optional.of(
        new Law(
            !(noise.mechanism() instanceof Laplace),
            scale * OUTWARD,
            term.factor() * noise.grid().doubleValue(),
            term.times()));
  }

  private static double width(Asked asked) {
    Double known = KNOWN.get(asked);
    if (known != null) {
      return known;
    }
    double width = computed(asked);
    if (KNOWN.size() < MOST_KNOWN) {
      KNOWN.put(asked, width);
    }
    return width;
  }

  private static double computed(Asked asked) {
    if (asked.laws().isEmpty()) {
      return 0;
    }
    TailProbability tail = new TailProbability();
    double normal = 0;
    for (Law law : asked.laws()) {
      if (law.normal()) {
        // The discrete law is no wider than the continuous one, up to a step.
        normal = Math.max(normal, law.step());
        tail.normal(law.step(), law.times(), law.scale());
      } else {
        tail.laplace(law.step(), law.times(), law.scale());
      }
    }
    return tail.within(asked.confidence()) * OUTWARD + normal;
  }

  private static int roundedUp(int times) {
    return times <= FEW ? times : (int) Math.ceil(Math.pow(2, up(times)));
  }

  /** Of a factor of at most 1. */
  private static double roundedUp(double factor) {
    return Math.min(1, Math.pow(2, up(factor)));
  }

  private static double up(double number) {
    return Math.ceil(Math.log(number) / Math.log(2) * PARTS - 1e-9) / PARTS;
  }
}
