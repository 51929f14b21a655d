package flexdp.release;

import flexdp.marginals.ClippedCuboids;
import flexdp.noise.Laplace;
import flexdp.people.clipping.ClippingBias;
import flexdp.people.clipping.NoisySizeHistogram;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ClippingPlan;
import flexdp.plan.ErrorModel;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What may be said of an answer by people: the level, the noise, what was cut off. */
public final class ClippingNotes {
  private static final MathContext ABOUT = new MathContext(3);
  private static final double TAIL = 0.05;
  private static final BigDecimal THREE = BigDecimal.valueOf(3);

  private ClippingNotes() {}

  /** Bias and noise apart: noise is on either side, what is cut off is missing. */
  static List<String> clipped(
      List<CalibratedMechanism.Clipped> noise, NoisySizeHistogram people, int level, int cells) {
    boolean forCells = noise.getFirst().clipping().isForCells(cells);
    boolean clipped =
        noise.stream().anyMatch(one -> !one.clipping().isUnclipped(one.measurement()));
    List<String> notes =
        clipped ? level(noise.getFirst(), people, level, cells) : new ArrayList<>();
    for (CalibratedMechanism.Clipped one : noise) {
      // To what is chosen at random no noise is added.
      if (one.measurement() instanceof Measurement.Additive) {
        notes.add(
            "noise of "
                + named(one.measurement())
                + ": within "
                + text(halfWidth(one, level))
                + " with 95 %"
                + missing(cap(one, people, level, cells)));
      }
    }
    if (clipped
        && forCells
        && noise.stream().anyMatch(one -> one.measurement() instanceof Measurement.Additive)) {
      notes.add("error bars are those of the capped numbers");
    }
    return notes;
  }

  private static String named(Measurement measurement) {
    return measurement.origin().aggregate() + " (" + measurement.origin().part() + ")";
  }

  /** The caps as numbers; of measurements that have one. */
  static List<ContributionCap> caps(
      List<CalibratedMechanism.Clipped> noise, NoisySizeHistogram people, int level, int cells) {
    return noise.stream()
        .filter(one -> !one.clipping().isUnclipped(one.measurement()))
        .map(one -> cap(one, people, level, cells))
        .toList();
  }

  /** Of grouping sets that are estimated together, of which nobody knows what each lost. */
  static List<ContributionCap> caps(
      List<CalibratedMechanism.Clipped> noise, ClippedCuboids.Estimated made) {
    return noise.stream()
        .map(one -> cap(one, made.level(), Optional.empty(), Optional.empty()))
        .toList();
  }

  static Optional<ContributionCap> cap(CalibratedMechanism.Packed noise, List<Integer> levels) {
    return levels.stream()
        .max(Comparator.naturalOrder())
        .map(
            most ->
                new ContributionCap(
                    named(noise.measurement()),
                    false,
                    noise.measurement() instanceof Measurement.Count,
                    noise.at(most),
                    Optional.empty(),
                    Optional.empty()));
  }

  private static ContributionCap cap(
      CalibratedMechanism.Clipped noise,
      int level,
      Optional<BigDecimal> beyond,
      Optional<BigDecimal> beyondAtMost) {
    return new ContributionCap(
        named(noise.measurement()),
        noise.clipping().euclidean(),
        noise.clipping().byRows() || noise.measurement() instanceof Measurement.Count,
        tau(noise, level),
        beyond.map(ClippingNotes::about),
        beyondAtMost.map(ClippingNotes::about));
  }

  private static BigDecimal tau(CalibratedMechanism.Clipped noise, int level) {
    ClippingPlan clipping = noise.clipping();
    BigDecimal grid = clipping.byRows() ? BigDecimal.ONE : noise.measurement().grid();
    return new BigDecimal(clipping.levels().at(level)).multiply(grid);
  }

  /** At most how much of anybody counts. */
  private static List<String> level(
      CalibratedMechanism.Clipped first, NoisySizeHistogram people, int level, int cells) {
    List<String> notes = new ArrayList<>();
    ClippingPlan clipping = first.clipping();
    BigDecimal tau = tau(first, level);
    notes.add(
        clipping.euclidean()
            ? scaled(first.measurement(), clipping, tau, cells)
            : "each person counts for at most " + text(tau) + (clipping.byRows() ? " rows" : ""));
    BigInteger beyond = people.beyond(level);
    if (beyond.signum() > 0) {
      notes.add("about " + beyond + " people seem to have far more, of which the rest is cut off");
    }
    return notes;
  }

  /** What a length means. */
  private static String scaled(
      Measurement measurement, ClippingPlan clipping, BigDecimal tau, int cells) {
    boolean counted = clipping.byRows() || !(measurement instanceof Measurement.Sum);
    return "each person's "
        + (counted ? "counts" : "sums")
        + " are scaled to length at most "
        + text(tau)
        + (counted ? " (someone with " + evenly(tau.doubleValue(), cells) + " counts fully)" : "");
  }

  private static String evenly(double tau, int cells) {
    int groups = (int) Math.min(cells, tau * tau);
    long rows = (long) Math.floor(tau / Math.sqrt(groups) * (1 + 1e-12));
    return (rows == 1 ? "one row" : rows + " rows")
        + (groups == 1 ? "" : " in each of " + groups + " groups");
  }

  /** The notes on grouping sets that are estimated together; their bars tell the noise of each. */
  static List<String> estimated(
      List<CalibratedMechanism.Clipped> noise, ClippedCuboids.Estimated made) {
    List<String> notes = level(noise.getFirst(), made.people(), made.level(), 1);
    notes.add("all grouping sets are estimated from the same clipped rows");
    return notes;
  }

  /** What clipping took away, as far as that is known. */
  private static ContributionCap cap(
      CalibratedMechanism.Clipped noise, NoisySizeHistogram people, int level, int cells) {
    ClippingPlan clipping = noise.clipping();
    ClippingBias cut = clipping.shortfall(noise.measurement(), people.shortfall(level, cells));
    if (cut.isNone() || !(noise.measurement() instanceof Measurement.Additive)) {
      return cap(noise, level, Optional.empty(), Optional.empty());
    }
    BigDecimal most = cut.most(TAIL);
    BigDecimal lost = clipping.inUnits(noise.measurement(), people.lost(level, cells)).min(most);
    return cap(
        noise,
        level,
        clipping.isForCells(cells) ? Optional.of(lost) : Optional.empty(),
        Optional.of(most));
  }

  private static String missing(ContributionCap cap) {
    String most = cap.beyondAtMost().map(ClippingNotes::text).orElse("");
    return cap.beyond()
        .map(about -> ", cut off of all together about " + text(about) + ", likely at most " + most)
        .orElseGet(() -> most.isEmpty() ? "" : ", cut off at most about " + most);
  }

  /** Half the width of an interval that holds the clipped value. */
  private static BigDecimal halfWidth(CalibratedMechanism.Clipped noise, int level) {
    return noise
        .mechanism()
        .added()
        .halfWidth(noise.at(level), noise.measurement().grid(), ErrorModel.CONFIDENCE);
  }

  /**
   * @param levels of each bin
   */
  static Optional<String> descended(CalibratedMechanism.Packed noise, List<Integer> levels) {
    if (levels.isEmpty()) {
      return Optional.empty();
    }
    int least = Collections.min(levels);
    int most = Collections.max(levels);
    String tau = text(noise.at(most));
    return Optional.of(
        "each person counts for at most "
            + (least == most ? tau : text(noise.at(least)) + " to " + tau + ", by label")
            + "; noise within about "
            + (least == most ? "" : text(half(noise, least)) + " to ")
            + text(half(noise, most))
            + " with 95 %, and what some have beyond that is cut off");
  }

  private static BigDecimal half(CalibratedMechanism.Packed noise, int level) {
    return Laplace.of(noise.each().epsilon().divide(BigDecimal.TWO))
        .halfWidth(noise.at(level), noise.measurement().grid(), ErrorModel.CONFIDENCE);
  }

  private static String text(BigDecimal number) {
    return about(number).stripTrailingZeros().toPlainString();
  }

  private static BigDecimal about(BigDecimal number) {
    return number.precision() - number.scale() > ABOUT.getPrecision()
        ? number.setScale(0, RoundingMode.CEILING)
        : number.round(ABOUT);
  }

  /** What one person can change, before the level is known. */
  public static String formula(CalibratedMechanism noise) {
    return switch (noise) {
      case CalibratedMechanism.Clipped c when c.bySet().isPresent() -> formula(c.ofCuboids());
      case CalibratedMechanism.Clipped c ->
          levels(
              c.at(0),
              c.at(c.clipping().levels().last()),
              c.clipping().levels().fine() ? ", " + text(c.at(0).multiply(THREE)) : "");
      case CalibratedMechanism.Packed d -> levels(d.at(0), d.at(d.packing().levels().last()), "");
      case CalibratedMechanism.Additive a -> text(a.sensitivity());
      case CalibratedMechanism.Selected c -> text(c.sensitivity());
    };
  }

  private static String levels(BigDecimal first, BigDecimal last, String third) {
    return "one person: at most τ, which is chosen from "
        + text(first)
        + ", "
        + text(first.multiply(BigDecimal.TWO))
        + third
        + " … "
        + text(last);
  }

  /**
   * How people are protected whose rows are released.
   *
   * @param whose they are
   * @param keys whether keys of people are counted, not people alone
   */
  public static String route(ReleasePlan release, String whose, boolean keys) {
    return switch (release) {
      case PackedRelease packed ->
          "P-DESCENT      rows have several owners ("
              + whose
              + "): nobody counts for more than τ"
              + (packed.target().keys().isEmpty() ? "" : ", by each label");
      case ClippedRelease clipped -> clipped(clipped, whose);
      case ClippedMarginals marginals -> clipped(marginals.clipped(), whose);
      case ClippedParts parts ->
          clipped(parts.parts().getFirst(), whose)
              + "; sums, and what is counted by itself, have a τ of their own";
      case HistogramRelease rows -> few(rows, whose, keys);
      case MarginalsRelease rows -> few(rows.rest(), whose, keys);
    };
  }

  private static String clipped(ClippedRelease clipped, String whose) {
    return "P-CLIP         every row is one person's ("
        + whose
        + "): what each person contributes is clipped at τ"
        + (clipped.byCuboids().isPresent() ? ", once for all grouping sets" : "")
        + (clipped.target().labels() instanceof Labels.Thresholded
            ? "; labels are shown that enough people have"
            : "");
  }

  private static String few(HistogramRelease rows, String whose, boolean keys) {
    boolean counted =
        !keys
            && rows.target().measurements().stream()
                .allMatch(Measurement.CountDistinct.class::isInstance);
    return counted
        ? "P-COUNT        people (" + whose + ") are counted"
        : "P-FEW          a person (" + whose + ") has few rows, by the structure of the question";
  }

  /** How wrong a column will be, noise and bias apart, where that is known with the answer only. */
  public static Optional<String> error(ReleasePlan release) {
    return switch (release) {
      case PackedRelease packed -> {
        CalibratedMechanism.Packed noise = packed.noise().getFirst();
        yield Optional.of(error(half(noise, 0).divide(noise.at(0), ABOUT)));
      }
      case ClippedRelease clipped -> Optional.of(error(clipped));
      case ClippedMarginals marginals -> Optional.of(error(marginals.clipped()));
      case ClippedParts parts -> Optional.of(error(parts.parts().getFirst()));
      case HistogramRelease ignored -> Optional.empty();
      case MarginalsRelease ignored -> Optional.empty();
    };
  }

  private static String error(ClippedRelease clipped) {
    CalibratedMechanism.Clipped noise = clipped.noise().getFirst();
    return noise.bySet().isPresent()
        ? "the answer says it for every grouping set; bias: what people have beyond τ is missing."
            + " τ is chosen with the answer, which says it"
        : error(halfWidth(noise, 0).divide(noise.at(0), ABOUT));
  }

  private static String error(BigDecimal half) {
    return "noise: ± "
        + text(half)
        + " × τ; bias: what people have beyond τ is missing. τ is chosen with the answer, which"
        + " says it";
  }
}
