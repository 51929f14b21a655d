package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Clip;
import flexdp.noise.Descend;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.plan.Measured.Outputs;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** The noise of release points whose rows people own (guarantee §10). */
final class PeoplePlans {
  /** Bins over rows with several owners, each of which is a descent of its own. */
  private static final int MOST_BINS = 8;

  private static final BigDecimal QUARTER = new BigDecimal("0.25");

  /** Of each ε, where votes take a quarter of ρ: √¾, rounded down. */
  private static final BigDecimal WITHOUT_VOTES =
      new BigDecimal("0.75").sqrt(new MathContext(20, RoundingMode.FLOOR));

  private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);

  private final Policy policy;
  private final PlanRequest request;

  PeoplePlans(Policy policy, PlanRequest request) {
    this.policy = policy;
    this.request = request;
  }

  /**
   * Each person's contributions are clipped, unless little is public of them anyway.
   *
   * @param epsilon of each measurement
   * @param delta of each, where something needs one
   */
  List<Planned> clipped(
      ReleasePoint point, Route.Owned route, BigDecimal epsilon, BigDecimal delta) {
    requireAuto(point);
    if (point.keys().isEmpty()
        && point.groupingSets().size() == 1
        && point.measurements().size() == 1
        && point.measurements().getFirst() instanceof Measurement.CountDistinct
        && route.keys().isEmpty()) {
      return List.of(counted(point, route, epsilon));
    }
    Optional<List<Planned>> few = Few.planned(point, route, Laplace.of(epsilon));
    if (few.isPresent()) {
      return few.get();
    }
    boolean open = point.labels() instanceof Labels.Thresholded;
    Optional<Gaussian> voting = open ? voting(point, epsilon, delta) : Optional.empty();
    Optional<LabelsByPeople> labels =
        open ? Optional.of(LabelsByPeople.of(point, route, voting)) : Optional.empty();
    BigDecimal each = voting.isPresent() ? epsilon.multiply(WITHOUT_VOTES, DOWN) : epsilon;
    List<List<Integer>> parts = Together.of(point);
    Optional<Clipping> bySet =
        labels.isPresent() || parts.size() > 1
            ? Optional.empty()
            : Clipping.bySet(point, most(route.kind()), route.besides());
    Map<Integer, Planned> planned = new TreeMap<>();
    for (List<Integer> part : parts) {
      ReleasePoint some = Together.some(point, part);
      Clipping byCells = Clipping.of(some, route.keys(), most(route.kind()), route.besides());
      Optional<Gaussian> normal =
          open && voting.isEmpty()
              ? Optional.empty()
              : byCells.inSquares(some).flatMap(c -> gaussian(each, delta));
      Clipping clipping = normal.flatMap(n -> byCells.inSquares(some)).orElse(byCells);
      for (int place : part) {
        Measurement measurement = point.measurements().get(place);
        boolean shared = measurement.origin().together() || clipping.byRows() && part.size() > 1;
        boolean together = shared && isWeighed(measurement, route);
        Clip mechanism =
            normal
                .map(n -> new Clip(n, together))
                .orElseGet(() -> new Clip(each, open && voting.isEmpty(), together));
        Calibrated noise =
            new Calibrated.Clipped(mechanism, clipping, bySet, route.owner(), measurement, labels);
        planned.put(place, planned(point, measurement, Optional.of(noise)));
      }
    }
    return List.copyOf(planned.values());
  }

  /** Whether weights by rows make another number of it than its own norm does. */
  private static boolean isWeighed(Measurement measurement, Route.Owned route) {
    boolean isPeople =
        measurement instanceof Measurement.CountDistinct keys
            && !route.keys().contains(keys.output().id());
    return measurement instanceof Measurement.Amount && !measurement.isOfAllRows() && !isPeople;
  }

  /**
   * A quarter of the ρ of all measurements, where accounts add up ρ and what that means is within
   * what noise is made for.
   */
  private Optional<Gaussian> voting(ReleasePoint point, BigDecimal epsilon, BigDecimal delta) {
    BigDecimal measurements = BigDecimal.valueOf(point.measurements().size());
    BigDecimal rho = Mechanism.rhoOfPure(epsilon).multiply(measurements).multiply(QUARTER);
    return request.concentrated() && Gaussian.isWithin(rho, delta)
        ? Optional.of(Gaussian.ofZcdp(rho, delta))
        : Optional.empty();
  }

  /** P-L2: where every account that pays adds up ρ, of the ρ = ε²/2 that ε buys there. */
  private Optional<Gaussian> gaussian(BigDecimal epsilon, BigDecimal delta) {
    return request.concentrated() ? Measured.gaussian(epsilon, delta) : Optional.empty();
  }

  /** How many people there are: a person moves it by one, another unit by those it touches. */
  private static Planned counted(ReleasePoint point, Route.Owned route, BigDecimal epsilon) {
    BigInteger moved =
        route.besides().stream().map(PublicBound::people).reduce(BigInteger.ONE, BigInteger::max);
    return planned(
        point,
        point.measurements().getFirst(),
        Optional.of(Calibrated.Added.ofPublic(Laplace.of(epsilon), new BigDecimal(moved))));
  }

  /**
   * Rows with several owners: a descent for every bin of every measurement. How many labels a
   * public table has is known later.
   *
   * @param epsilon of each measurement
   */
  List<Planned> descended(ReleasePoint point, Route.Shared route, BigDecimal epsilon) {
    requireAuto(point);
    Optional<BigInteger> most =
        route.owners().stream()
            .map(owner -> most(owner.unit()))
            .reduce((a, b) -> a.flatMap(x -> b.map(x::max)))
            .orElse(Optional.empty());
    OptionalInt bins = bins(point);
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : point.measurements()) {
      Descending descending =
          Descending.of(point, measurement, route.owners().size(), bins.orElse(1), most);
      Calibrated noise =
          new Calibrated.Descended(new Descend(epsilon), descending, route.owners(), measurement);
      planned.add(
          planned(point, measurement, bins.isPresent() ? Optional.of(noise) : Optional.empty()));
    }
    return planned;
  }

  private static OptionalInt bins(ReleasePoint point) {
    if (point.groupingSets().size() > 1) {
      throw refused(
          point,
          "GROUPING SETS, ROLLUP and CUBE over rows with several owners are not answered.",
          "Ask for each grouping by itself.");
    }
    if (point.labels() instanceof Labels.Thresholded) {
      throw refused(
          point,
          "Labels that come from the data are not shown over rows with several owners.",
          "List the labels: with a domain in the policy, or with bins in the question.");
    }
    OptionalInt bins = Outputs.of(point);
    if (bins.isPresent() && bins.getAsInt() > MOST_BINS) {
      throw refused(
          point,
          "GROUP BY over rows with several owners is answered for at most "
              + MOST_BINS
              + " labels.",
          "Ask for fewer groups, with WHERE; or for one at a time.");
    }
    return bins.isPresent() ? OptionalInt.of(Math.max(1, bins.getAsInt())) : bins;
  }

  private Optional<BigInteger> most(Unit unit) {
    return unit instanceof Unit.Person person
        ? policy.people().get(person.kind()).perPersonAtMost()
        : Optional.empty();
  }

  static Planned planned(ReleasePoint point, Measurement measurement, Optional<Calibrated> noise) {
    BigDecimal unit = noise.map(Calibrated::sensitivity).orElse(BigDecimal.ONE);
    return new Planned(point, measurement, Bound.ONE, unit, noise);
  }

  /** What people can change is bounded by clipping or by the descent, and by nothing else. */
  private void requireAuto(ReleasePoint point) {
    if (request.mechanism() != MechanismChoice.AUTO) {
      throw Rejection.of(
          RejectionCode.MECHANISM_UNSUITABLE,
          "Questions about rows that people own have mechanisms of their own.",
          "Leave the mechanism out, or ask for auto.",
          point.at());
    }
  }

  static Rejection refused(ReleasePoint point, String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }
}
