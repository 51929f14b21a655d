package flexdp.gateway.answer;

import flexdp.frame.ClippedCuboids;
import flexdp.noise.Laplace;
import flexdp.people.clip.NoisyPeople;
import flexdp.people.clip.Shortfall;
import flexdp.plan.Calibrated;
import flexdp.plan.Clipping;
import flexdp.plan.Errors;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.plan.Route;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.PeopleReleaser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** What whoever asks may know of an answer by people: the level, the noise, what was cut off. */
final class PeopleNotes {
  private static final MathContext ABOUT = new MathContext(3);
  private static final double TAIL = 0.05;

  private PeopleNotes() {}

  /** Bias and noise apart: noise is on either side, what is cut off is missing. */
  static List<String> clipped(List<Planned> planned, PeopleReleaser.Clipped released) {
    Calibrated.Clipped first = (Calibrated.Clipped) planned.getFirst().noise().orElseThrow();
    int level = released.level();
    List<String> notes = level(first, released.people(), level);
    for (Planned one : planned) {
      if (one.noise().orElseThrow() instanceof Calibrated.Clipped noise) {
        notes.add(
            "noise of "
                + one.measurement().origin().aggregate()
                + " ("
                + one.measurement().origin().part()
                + "): within "
                + text(halfWidth(noise, level))
                + " with 95 %"
                + missing(noise, released));
      }
    }
    return notes;
  }

  /** At most how much of anybody counts. */
  private static List<String> level(Calibrated.Clipped first, NoisyPeople people, int level) {
    List<String> notes = new ArrayList<>();
    Clipping clipping = first.clipping();
    BigDecimal grid = clipping.byRows() ? BigDecimal.ONE : first.measurement().grid();
    notes.add(
        "each person counts for at most "
            + text(new BigDecimal(clipping.levels().at(level)).multiply(grid))
            + (clipping.byRows() ? " rows" : ""));
    BigInteger beyond = people.beyond(level);
    if (beyond.signum() > 0) {
      notes.add("about " + beyond + " people seem to have far more, of which the rest is cut off");
    }
    return notes;
  }

  /** The same of grouping sets that are estimated together; their bars tell the noise of each. */
  static List<String> estimated(List<Calibrated.Clipped> noise, ClippedCuboids.Estimated made) {
    List<String> notes = level(noise.getFirst(), made.people(), made.level());
    notes.add("all grouping sets are estimated from the same clipped rows");
    return notes;
  }

  /** What clipping took away, as far as that is known. */
  private static String missing(Calibrated.Clipped noise, PeopleReleaser.Clipped released) {
    Shortfall cut =
        noise
            .clipping()
            .shortfall(noise.measurement(), released.people().shortfall(released.level()));
    return cut.isNone() || !(noise.measurement() instanceof Measurement.Amount)
        ? ""
        : ", cut off at most about " + text(cut.most(TAIL));
  }

  /** Half the width of an interval that holds the clipped value. */
  static BigDecimal halfWidth(Calibrated.Clipped noise, int level) {
    return Laplace.of(noise.mechanism().adding())
        .halfWidth(noise.at(level), noise.measurement().grid(), Errors.CONFIDENCE);
  }

  /**
   * @param levels of each bin
   */
  static Optional<String> descended(Calibrated.Descended noise, List<Integer> levels) {
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

  private static BigDecimal half(Calibrated.Descended noise, int level) {
    return Laplace.of(noise.each().epsilon().divide(BigDecimal.TWO))
        .halfWidth(noise.at(level), noise.measurement().grid(), Errors.CONFIDENCE);
  }

  private static String text(BigDecimal number) {
    BigDecimal about =
        number.precision() - number.scale() > ABOUT.getPrecision()
            ? number.setScale(0, java.math.RoundingMode.CEILING)
            : number.round(ABOUT);
    return about.stripTrailingZeros().toPlainString();
  }

  /** What one person can change, before the level is known. */
  static String formula(Calibrated noise) {
    return switch (noise) {
      case Calibrated.Clipped c when c.bySet().isPresent() -> formula(c.ofCuboids());
      case Calibrated.Clipped c -> levels(c.at(0), c.at(c.clipping().levels().last()));
      case Calibrated.Descended d -> levels(d.at(0), d.at(d.descending().levels().last()));
      case Calibrated.Added a -> text(a.sensitivity());
      case Calibrated.Chosen c -> text(c.sensitivity());
    };
  }

  private static String levels(BigDecimal first, BigDecimal last) {
    return "one person: at most τ, which is chosen from "
        + text(first)
        + ", "
        + text(first.multiply(BigDecimal.TWO))
        + " … "
        + text(last);
  }

  /** Which route a question takes. */
  static String route(Plan plan, ReleasePoint point, String whose) {
    boolean clipped =
        PeopleAnswers.noise(plan, point).filter(Calibrated.Clipped.class::isInstance).isPresent();
    if (plan.routes().get(point.id()) instanceof Route.Shared) {
      return "P-DESCENT      rows have several owners ("
          + whose
          + "): nobody counts for more than τ"
          + (point.keys().isEmpty() ? "" : ", by each label");
    }
    if (clipped) {
      return "P-CLIP         every row is one person's ("
          + whose
          + "): what each person contributes is clipped at τ"
          + (isByCuboids(plan, point) ? ", once for all grouping sets" : "")
          + (point.labels() instanceof Labels.Thresholded
              ? "; labels are shown that enough people have"
              : "");
    }
    boolean counted =
        point.measurements().stream().allMatch(Measurement.CountDistinct.class::isInstance);
    return counted
        ? "P-COUNT        people (" + whose + ") are counted"
        : "P-FEW          a person (" + whose + ") has few rows, by the structure of the question";
  }

  private static boolean isByCuboids(Plan plan, ReleasePoint point) {
    return PeopleAnswers.noise(plan, point).orElse(null) instanceof Calibrated.Clipped c
        && c.bySet().isPresent();
  }

  /** How wrong a column will be: noise and bias apart. */
  static String error(Calibrated noise) {
    if (noise instanceof Calibrated.Clipped c && c.bySet().isPresent()) {
      return "the answer says it for every grouping set; bias: what people have beyond τ is"
          + " missing. τ is chosen with the answer, which says it";
    }
    BigDecimal half =
        switch (noise) {
          case Calibrated.Clipped c -> halfWidth(c, 0).divide(c.at(0), ABOUT);
          case Calibrated.Descended d -> half(d, 0).divide(d.at(0), ABOUT);
          case Calibrated.Added ignored -> BigDecimal.ONE;
          case Calibrated.Chosen ignored -> BigDecimal.ONE;
        };
    return "noise: ± "
        + text(half)
        + " × τ; bias: what people have beyond τ is missing. τ is chosen with the answer, which"
        + " says it";
  }
}
