package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
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
  RELEASED(Way.QUANTILE, Way.RELEASED);

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

  /** Offers that more than one choice has. */
  private static final class Way {
    /** With more bins the noise of one smooth draw for all is worse than releasing metrics. */
    private static final int FEW_OUTPUTS = 8;

    /** The same where a smoother bound is hardly a larger one. */
    private static final int FEW_LINEAR = 20;

    static final Offer QUANTILE = new QuantileOffer();
    static final CeilingOffer CEILING = new CeilingOffer(Laplace::of);
    static final ReleasedOffer RELEASED = new ReleasedOffer(epsilon -> new Laplace(epsilon, true));

    static int few(Measured m) {
      return m.isLinear() ? FEW_LINEAR : FEW_OUTPUTS;
    }

    static Offer lomax(ToIntFunction<Measured> most, boolean alone) {
      return new SmoothOffer(most, alone, (m, outputs) -> Lomax.of(m.epsilon(), outputs));
    }
  }
}
