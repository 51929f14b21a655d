package flexdp.plan;

import flexdp.algebra.AlgebraWalker;
import flexdp.noise.BitSource;
import flexdp.noise.Mechanism;
import flexdp.noise.ProposeTestRelease;
import flexdp.noise.ProposeTestRelease.Confirmation;
import flexdp.smooth.SafeDistance;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/**
 * The one test of a question whose measurements rest on a proposal. Their parts of ε and δ are put
 * together; the distance is the least of theirs, which moves by one at most as each of them does.
 *
 * @param measurements those that rest on it; private, through their bounds
 */
public record ProposalTest(Plan plan, List<PlannedMeasurement> measurements, Confirmation test) {
  /** What a single draw may have. */
  private static final BigDecimal MOST_EPSILON = new BigDecimal("1e4");

  /** Absent where a plan rests on no proposal. */
  public static Optional<ProposalTest> of(Plan plan) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    List<PlannedMeasurement> some =
        plan.measurements().stream().filter(p -> mechanism(p).isPresent()).toList();
    for (PlannedMeasurement planned : some) {
      ProposeTestRelease mechanism = mechanism(planned).orElseThrow();
      epsilon = epsilon.add(mechanism.testing());
      delta = delta.add(mechanism.delta());
    }
    return some.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ProposalTest(plan, some, new Confirmation(epsilon.min(MOST_EPSILON), delta)));
  }

  static Optional<ProposeTestRelease> mechanism(PlannedMeasurement planned) {
    return planned.noise().map(CalibratedMechanism::mechanism).flatMap(ProposalTest::mechanism);
  }

  private static Optional<ProposeTestRelease> mechanism(Mechanism of) {
    return of instanceof ProposeTestRelease propose ? Optional.of(propose) : Optional.empty();
  }

  /** The plan that may be answered, where the data confirm the proposal: by ε and δ of the test. */
  public Optional<Plan> confirmed(BitSource source) {
    if (!test.passes(BigInteger.valueOf(distance()), source)) {
      return Optional.empty();
    }
    return Optional.of(assumed(plan));
  }

  /** A plan as it is answered once the test was passed. */
  public static Plan assumed(Plan plan) {
    return new Plan(
        plan.query(),
        plan.neighbors(),
        plan.measurements().stream().map(ProposalTest::confirmed).toList(),
        plan.hint(),
        plan.routes());
  }

  private static PlannedMeasurement confirmed(PlannedMeasurement planned) {
    return mechanism(planned)
        .map(
            mechanism ->
                new PlannedMeasurement(
                    planned.release(),
                    planned.measurement(),
                    planned.bound(),
                    planned.unit(),
                    Optional.of(
                        CalibratedMechanism.Additive.ofPublic(
                            mechanism.tested(), planned.noise().orElseThrow().sensitivity()))))
        .orElse(planned);
  }

  /** Private. */
  long distance() {
    long most = test.farEnough().min(BigInteger.valueOf(Long.MAX_VALUE / 2)).longValueExact();
    long least = most;
    for (PlannedMeasurement planned : measurements) {
      BigInteger within =
          planned
              .noise()
              .orElseThrow()
              .sensitivity()
              .divideToIntegralValue(planned.unit())
              .toBigIntegerExact();
      int units = AlgebraWalker.units(planned.release().input()).size();
      least = Math.min(least, SafeDistance.of(planned.bound(), within, units, most));
    }
    return least;
  }
}
