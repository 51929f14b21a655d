package flexdp.gateway.verify;

import flexdp.plan.Calibrated;
import flexdp.plan.Planned;
import flexdp.policy.Unit;
import flexdp.release.Moved;
import flexdp.sensitivity.Bound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pair of neighbours says of the promises.
 *
 * @param ratio the largest part that something moved of what it may
 * @param all the parts of everything together, by which much is told at once
 * @param broken what does not hold
 */
record Judgement(double ratio, double all, Optional<String> broken) {
  /** Reading failed in one of them only: a failure would tell them apart. */
  static Judgement failed(String why) {
    return new Judgement(1, 1, Optional.of("it fails in one of two neighbours only: " + why));
  }

  static Judgement of(Trial.Outcome x, Trial.Outcome y, Unit unit) {
    return switch (x) {
      case Trial.Failed(String why) ->
          y instanceof Trial.Failed ? new Judgement(0, 0, Optional.empty()) : failed(why);
      case Trial.Read(ExactResults here) ->
          switch (y) {
            case Trial.Failed(String why) -> failed(why);
            case Trial.Read(ExactResults there) -> of(here, there, unit);
          };
    };
  }

  private static Judgement of(ExactResults x, ExactResults y, Unit unit) {
    double ratio = 0;
    double all = 0;
    Optional<String> broken = smoothness(x.plan().measurements(), y.plan().measurements(), unit);
    for (String label : x.shownOtherwise(y)) {
      broken = Optional.of("the label " + label + " by the neighbour");
    }
    for (Moved change : x.against(y)) {
      if (change.isTooFar()) {
        broken =
            Optional.of(
                change.what()
                    + " moves by "
                    + change.moved().stripTrailingZeros().toPlainString()
                    + ", and its noise is made for "
                    + change.most().stripTrailingZeros().toPlainString());
      }
      if (change.moved().signum() != 0 && change.most().signum() != 0) {
        double part = change.moved().divide(change.most(), MathContext.DECIMAL64).doubleValue();
        ratio = Math.max(ratio, part);
        all += part;
      }
    }
    return new Judgement(ratio, all, broken);
  }

  /** A bound one step further out covers the neighbour's own (guarantee §5). */
  private static Optional<String> smoothness(List<Planned> x, List<Planned> y, Unit unit) {
    for (int i = 0; i < x.size(); i++) {
      Bound here = x.get(i).bound();
      Bound there = y.get(i).bound();
      if (here.atZero().compareTo(further(there, unit)) > 0
          || there.atZero().compareTo(further(here, unit)) > 0) {
        return Optional.of(
            "the bounds "
                + here.formula()
                + " and "
                + there.formula()
                + " of two neighbours do not cover each other one step further out");
      }
      Optional<String> noise = noise(x.get(i), y.get(i));
      if (noise.isPresent()) {
        return noise;
      }
    }
    return Optional.empty();
  }

  private static BigInteger further(Bound bound, Unit unit) {
    return bound.units().contains(Unit.ANY)
        ? bound.elastic(1)
        : bound.evaluate(Map.of(unit, BigInteger.ONE));
  }

  /** The scale of smooth noise moves by a factor of e^β at most. */
  private static Optional<String> noise(Planned x, Planned y) {
    Optional<Calibrated.Added> one = x.noise().flatMap(Calibrated::added);
    Optional<Calibrated.Added> other = y.noise().flatMap(Calibrated::added);
    Optional<BigDecimal> smoothing = one.flatMap(added -> added.mechanism().smoothing());
    if (other.isEmpty() || smoothing.isEmpty()) {
      return Optional.empty();
    }
    Calibrated here = one.get();
    Calibrated there = other.get();
    double factor = Math.exp(smoothing.get().doubleValue()) * (1 + 1e-9);
    BigDecimal most = BigDecimal.valueOf(factor);
    boolean holds =
        here.sensitivity().compareTo(there.sensitivity().multiply(most)) <= 0
            && there.sensitivity().compareTo(here.sensitivity().multiply(most)) <= 0;
    return holds
        ? Optional.empty()
        : Optional.of("the smooth bounds of two neighbours are further apart than a factor of e^β");
  }
}
