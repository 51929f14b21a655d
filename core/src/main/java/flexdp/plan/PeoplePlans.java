package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Clip;
import flexdp.noise.Descend;
import flexdp.noise.Laplace;
import flexdp.policy.Policy;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The noise of release points whose rows people own (people, sections 5 and 6). */
final class PeoplePlans {
  private final Policy policy;
  private final PlanRequest request;

  PeoplePlans(Policy policy, PlanRequest request) {
    this.policy = policy;
    this.request = request;
  }

  /**
   * Each person's contributions are clipped.
   *
   * @param epsilon of each measurement
   */
  List<Planned> clipped(ReleasePoint point, Route.Owned route, BigDecimal epsilon) {
    requireAuto(point);
    if (point.labels() instanceof Labels.Thresholded) {
      throw refused(
          point,
          "Labels that come from the data are not shown by people yet.",
          "List the labels: with a domain in the policy, or with bins in the question.");
    }
    if (point.measurements().stream().anyMatch(Measurement.CountDistinct.class::isInstance)) {
      return List.of(counted(point, route, epsilon));
    }
    Clipping clipping = Clipping.of(point, most(route.kind()), route.besides());
    List<Planned> planned = new ArrayList<>();
    for (Measurement measurement : point.measurements()) {
      planned.add(
          planned(
              point,
              measurement,
              new Calibrated.Clipped(new Clip(epsilon), clipping, route.owner(), measurement)));
    }
    return planned;
  }

  /** How many people there are: a person moves it by one, another unit by those it touches. */
  private static Planned counted(ReleasePoint point, Route.Owned route, BigDecimal epsilon) {
    if (point.measurements().size() > 1 || !point.keys().isEmpty()) {
      throw refused(
          point,
          "People are counted by themselves: without GROUP BY, and without other aggregates.",
          "Ask for COUNT(DISTINCT ...) in a question of its own.");
    }
    BigInteger moved =
        route.besides().stream().map(PublicBound::people).reduce(BigInteger.ONE, BigInteger::max);
    return planned(
        point,
        point.measurements().getFirst(),
        Calibrated.Added.ofPublic(Laplace.of(epsilon), new BigDecimal(moved)));
  }

  /** Rows with several owners. */
  List<Planned> descended(ReleasePoint point, Route.Shared route, BigDecimal epsilon) {
    requireAuto(point);
    Optional<BigInteger> most =
        route.owners().stream()
            .map(owner -> most(owner.unit()))
            .reduce((a, b) -> a.flatMap(x -> b.map(x::max)))
            .orElse(Optional.empty());
    Descending descending = Descending.of(point, route.owners().size(), most);
    Measurement measurement = point.measurements().getFirst();
    return List.of(
        planned(
            point,
            measurement,
            new Calibrated.Descended(
                new Descend(epsilon), descending, route.owners(), measurement)));
  }

  private Optional<BigInteger> most(Unit unit) {
    return unit instanceof Unit.Person person
        ? policy.people().get(person.kind()).perPersonAtMost()
        : Optional.empty();
  }

  private static Planned planned(ReleasePoint point, Measurement measurement, Calibrated noise) {
    return new Planned(point, measurement, Bound.ONE, noise.sensitivity(), Optional.of(noise));
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

  /**
   * Tables cut to some rows for each person: only where the bound needs no metrics, which would
   * have to be those of the tables as they are cut.
   */
  static void requirePublic(ReleasePoint point, Bound bound) {
    if (!bound.isConstant()) {
      throw refused(
          point,
          "The question mixes the rows of several people, and how much one of them can change"
              + " would depend on metrics of the data.",
          "Keep each person's rows apart: join and group by whoever owns them.");
    }
  }

  private static Rejection refused(ReleasePoint point, String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }
}
