package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.plan.Offer.CeilingOffer;
import flexdp.plan.Offer.FlexOffer;
import flexdp.plan.Offer.QuantileOffer;
import flexdp.plan.Offer.ReleasedOffer;
import flexdp.plan.Offer.SmallerOffer;
import flexdp.plan.Offer.SmoothOffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** Which mechanism somebody asks for: the ways to noise that are open, the first that is wins. */
public enum MechanismChoice {
  /** Decided by the structure of the question and by released metrics, never by private numbers. */
  AUTO(
      Way.QUANTILE,
      new SmallerOffer(Way.CEILING, Way.RELEASED),
      Way.lomax(m -> 1, true),
      Way.RELEASED,
      Way.lomax(Way::few, false)),
  LAPLACE(Way.QUANTILE, Way.CEILING),
  LOMAX(Way.lomax(m -> Lomax.MOST_OUTPUTS, false)),
  FLEX(new FlexOffer()),
  RELEASED(Way.QUANTILE, Way.RELEASED),

  /**
   * Gaussian noise, where every account adds up ρ: at equal ρ it has half the variance of Laplace
   * noise. Never chosen by itself, since what it promises has a δ.
   */
  GAUSSIAN(
      Way.QUANTILE,
      new SmallerOffer(Way.GAUSSIAN_CEILING, Way.GAUSSIAN_RELEASED),
      Way.GAUSSIAN_RELEASED);

  private final List<Offer> offers;

  MechanismChoice(Offer... offers) {
    this.offers = List.of(offers);
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
  Optional<Calibrated> noise(Measured m, List<Measured> together) {
    for (Offer offer : offers) {
      Optional<Calibrated> served = offer.serve(m, together);
      if (served.isPresent()) {
        return served;
      }
    }
    if (this == AUTO) {
      return Optional.empty();
    }
    throw offers.getLast().refusal(m);
  }

  /** Said where Gaussian noise is asked for and some account does not add up ρ. */
  public static Rejection notConcentrated() {
    return Rejection.of(
        RejectionCode.MECHANISM_UNSUITABLE,
        "Gaussian noise is there only where every account that pays has a zcdp budget.",
        "Leave the mechanism out, or ask the owner for budget: {composition: zcdp}.");
  }

  /** Offers that more than one choice has. */
  private static final class Way {
    /** With more bins the noise of one smooth draw for all is worse than releasing metrics. */
    private static final int FEW_OUTPUTS = 8;

    /** How many bins one smooth draw may have where a smoother bound is hardly a larger one. */
    private static final int FEW_LINEAR = 20;

    static final Offer QUANTILE = new QuantileOffer();
    static final CeilingOffer CEILING = new CeilingOffer(m -> Laplace.of(m.epsilon()));
    static final ReleasedOffer RELEASED = new ReleasedOffer(m -> new Laplace(m.epsilon(), true));
    static final CeilingOffer GAUSSIAN_CEILING = new CeilingOffer(Measured::gaussian);
    static final ReleasedOffer GAUSSIAN_RELEASED = new ReleasedOffer(Measured::gaussian);

    static int few(Measured m) {
      // The structure is looked at only where it decides.
      boolean between = m.outputs(FEW_LINEAR).isPresent() && m.outputs(FEW_OUTPUTS).isEmpty();
      return between && m.isLinear() ? FEW_LINEAR : FEW_OUTPUTS;
    }

    static Offer lomax(ToIntFunction<Measured> most, boolean alone) {
      return new SmoothOffer(most, alone, (m, outputs) -> Lomax.of(m.epsilon(), outputs));
    }
  }
}
