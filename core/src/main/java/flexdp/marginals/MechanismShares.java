package flexdp.marginals;

import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.PlannedMeasurement;
import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One mechanism put together from those of many measurements, and shared out again to cuboids. What
 * comes out never costs more than what went in: shares are rounded down.
 */
final class MechanismShares {
  private static final MathContext DOWN = new MathContext(30, RoundingMode.DOWN);

  private MechanismShares() {}

  /**
   * The noise of a measurement that may be shared out: public, Laplace or Gaussian.
   *
   * @return nothing for other noise, and for what nothing can move
   */
  static Optional<Mechanism.Additive> of(PlannedMeasurement planned) {
    return planned
        .noise()
        .flatMap(CalibratedMechanism::added)
        .filter(noise -> noise.isPlain() && noise.sensitivity().signum() > 0)
        .map(CalibratedMechanism.Additive::mechanism);
  }

  static boolean isReleased(Mechanism.Additive mechanism) {
    return mechanism instanceof Laplace laplace && laplace.released();
  }

  /** What all of them buy together; Gaussian noise if they are. */
  static Mechanism.Additive together(
      List<Mechanism.Additive> parts, BudgetNorm norm, boolean released) {
    BigDecimal delta = BigDecimal.ZERO;
    BigDecimal rho = BigDecimal.ZERO;
    BigDecimal sum = BigDecimal.ZERO;
    for (Mechanism.Additive part : parts) {
      BigDecimal own = part.epsilon();
      delta = delta.add(part.delta());
      rho = rho.add(part.rho().orElseThrow());
      sum = sum.add(norm == BudgetNorm.SUM ? own : own.multiply(own));
    }
    if (parts.getFirst() instanceof Gaussian) {
      return Gaussian.ofZcdp(rho, delta);
    }
    return new Laplace(norm == BudgetNorm.SUM ? sum : sum.sqrt(DOWN), released);
  }

  /** A mechanism for every cuboid that has a share. */
  static List<MeasurementStrategy.Cuboid> cuboids(
      KeyDomain frame,
      BudgetAllocation split,
      StrategySelection.Moves moves,
      Mechanism.Additive whole) {
    List<Integer> measured = new ArrayList<>();
    for (int cuboid = 0; cuboid < frame.lattice().size(); cuboid++) {
      if (split.share(cuboid).signum() > 0) {
        measured.add(cuboid);
      }
    }
    List<MeasurementStrategy.Cuboid> cuboids = new ArrayList<>();
    for (int cuboid : measured) {
      Mechanism.Additive own = part(whole, split.share(cuboid), split.norm(), measured.size());
      cuboids.add(new MeasurementStrategy.Cuboid(cuboid, own, moves.of(frame, cuboid)));
    }
    return cuboids;
  }

  private static Mechanism.Additive part(
      Mechanism.Additive whole, BigDecimal share, BudgetNorm norm, int of) {
    if (whole instanceof Gaussian gaussian) {
      if (norm != BudgetNorm.SQUARES) {
        throw new IllegalArgumentException("Gaussian noise is shared out by rho");
      }
      return Gaussian.ofZcdp(
          gaussian.concentration().multiply(share, DOWN),
          gaussian.delta().divide(BigDecimal.valueOf(of), DOWN));
    }
    BigDecimal part = norm == BudgetNorm.SUM ? share : share.sqrt(DOWN);
    return new Laplace(whole.epsilon().multiply(part, DOWN), isReleased(whole));
  }
}
