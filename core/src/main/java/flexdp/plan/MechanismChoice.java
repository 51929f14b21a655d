package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.plan.MechanismRule.CeilingRule;
import flexdp.plan.MechanismRule.FlexRule;
import flexdp.plan.MechanismRule.ReleasedMetricsRule;
import flexdp.plan.MechanismRule.SelectionRule;
import flexdp.plan.MechanismRule.SmallerRule;
import flexdp.plan.MechanismRule.SmoothRule;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Which mechanism somebody asks for: the ways to noise that are open, the first that is wins. */
public enum MechanismChoice {
  /** Decided by the structure of the question and by released metrics, never by private numbers. */
  AUTO(
      SharedRules.QUANTILE,
      new SmallerRule(SharedRules.CEILING, SharedRules.RELEASED),
      SharedRules.lomax(m -> 1, true),
      SharedRules.RELEASED,
      SharedRules.lomax(SharedRules::few, false)),
  LAPLACE(SharedRules.QUANTILE, SharedRules.CEILING),
  LOMAX(SharedRules.lomax(m -> Lomax.MOST_OUTPUTS, false)),
  FLEX(new FlexRule()),
  RELEASED(SharedRules.QUANTILE, SharedRules.RELEASED),

  /**
   * Gaussian noise, where every account adds up ρ: at equal ρ it has half the variance of Laplace
   * noise. Never chosen by itself, since what it promises has a δ.
   */
  GAUSSIAN(
      SharedRules.QUANTILE,
      new SmallerRule(SharedRules.GAUSSIAN_CEILING, SharedRules.GAUSSIAN_RELEASED),
      SharedRules.GAUSSIAN_RELEASED);

  private final List<MechanismRule> rules;

  MechanismChoice(MechanismRule... offers) {
    this.rules = List.of(offers);
  }

  /** The word of the contract. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> words() {
    return Arrays.stream(values()).map(MechanismChoice::word).toList();
  }

  /**
   * The noise of a measurement; absent when nobody asked for a certain one, and none is open yet.
   *
   * @throws Rejection if the one asked for is not open
   */
  Optional<CalibratedMechanism> noise(CalibrationInput m, List<CalibrationInput> together) {
    for (MechanismRule rule : rules) {
      Optional<CalibratedMechanism> served = rule.tryCalibrate(m, together);
      if (served.isPresent()) {
        return served;
      }
    }
    if (this == AUTO) {
      return Optional.empty();
    }
    throw rules.getLast().whyNot(m);
  }

  /** Said where Gaussian noise is asked for and some account does not add up ρ. */
  public static Rejection notConcentrated() {
    return Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE,
        "Gaussian noise is there only where every account that pays has a zcdp budget.",
        "Leave the mechanism out, or ask the owner for budget: {composition: zcdp}.");
  }

  /** Offers that more than one choice has. */
  private static final class SharedRules {
    /** With more bins the noise of one smooth draw for all is worse than releasing metrics. */
    private static final int FEW_OUTPUTS = 8;

    /** How many bins one smooth draw may have where a smoother bound is hardly a larger one. */
    private static final int FEW_LINEAR = 20;

    static final MechanismRule QUANTILE = new SelectionRule();
    static final CeilingRule CEILING = new CeilingRule(m -> Laplace.of(m.epsilon()));
    static final ReleasedMetricsRule RELEASED =
        new ReleasedMetricsRule(m -> new Laplace(m.epsilon(), true));
    static final CeilingRule GAUSSIAN_CEILING = new CeilingRule(CalibrationInput::gaussian);
    static final ReleasedMetricsRule GAUSSIAN_RELEASED =
        new ReleasedMetricsRule(CalibrationInput::gaussian);

    static int few(CalibrationInput m) {
      // The structure is looked at only where it decides.
      boolean between = m.outputs(FEW_LINEAR).isPresent() && m.outputs(FEW_OUTPUTS).isEmpty();
      return between && m.isLinear() ? FEW_LINEAR : FEW_OUTPUTS;
    }

    static MechanismRule lomax(ToIntFunction<CalibrationInput> most, boolean alone) {
      return new SmoothRule(most, alone, (m, outputs) -> Lomax.of(m.epsilon(), outputs));
    }
  }
}
