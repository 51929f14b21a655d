package flexdp.gateway.api;

import flexdp.AnalysisOptions;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.MechanismChoice;
import flexdp.query.Bins;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * What an analyst may choose for a question. The rules are not among it: answers are always bounded
 * by ours, and the paper's, which are not private, are for the owner's analysis alone.
 *
 * @param epsilon of the whole question; otherwise the policy's
 * @param delta of the whole question; otherwise the policy's
 * @param bins labels that the analyst supplies
 * @param strategy how questions asked together are measured
 * @param propose max frequencies that the analyst guesses: {@code trips.driver_id=300}
 * @param noiseLimit which share of an answer its noise may be; more is refused if it is foretold
 * @param ranges where ranges come from that nobody declared
 */
public record QueryOptions(
    MechanismChoice mechanism,
    Optional<BigDecimal> epsilon,
    Optional<BigDecimal> delta,
    Optional<Bins> bins,
    Optional<String> propose,
    StrategyChoice strategy,
    Optional<NoiseLimit> noiseLimit,
    RangeChoice ranges) {
  /** Whatever the noise, with ranges from wherever they are. */
  public QueryOptions(
      MechanismChoice mechanism,
      Optional<BigDecimal> epsilon,
      Optional<BigDecimal> delta,
      Optional<Bins> bins,
      Optional<String> propose,
      StrategyChoice strategy) {
    this(mechanism, epsilon, delta, bins, propose, strategy, Optional.empty(), RangeChoice.AUTO);
  }

  /** Without guesses, measured as is best. */
  public QueryOptions(
      MechanismChoice mechanism,
      Optional<BigDecimal> epsilon,
      Optional<BigDecimal> delta,
      Optional<Bins> bins) {
    this(mechanism, epsilon, delta, bins, Optional.empty(), StrategyChoice.AUTO);
  }

  public static final QueryOptions DEFAULT =
      new QueryOptions(MechanismChoice.AUTO, Optional.empty(), Optional.empty(), Optional.empty());

  /** The rules by which every answer is bounded. */
  public static final RuleSet RULES = RuleSet.FLEXDP;

  /** These choices at this ε. */
  public QueryOptions at(BigDecimal some) {
    return new QueryOptions(
        mechanism, Optional.of(some), delta, bins, propose, strategy, noiseLimit, ranges);
  }

  /** These choices with guesses that are tested. */
  public QueryOptions proposing(Optional<String> guesses) {
    return new QueryOptions(mechanism, epsilon, delta, bins, guesses, strategy, noiseLimit, ranges);
  }

  /** These choices, measured by this strategy. */
  public QueryOptions by(StrategyChoice some) {
    return new QueryOptions(mechanism, epsilon, delta, bins, propose, some, noiseLimit, ranges);
  }

  /** These choices with this δ. */
  public QueryOptions with(BigDecimal someDelta) {
    return new QueryOptions(
        mechanism, epsilon, Optional.of(someDelta), bins, propose, strategy, noiseLimit, ranges);
  }

  /** These choices, refused where more noise is foretold. */
  public QueryOptions limited(Optional<NoiseLimit> limit) {
    return new QueryOptions(mechanism, epsilon, delta, bins, propose, strategy, limit, ranges);
  }

  /** These choices with ranges from this source. */
  public QueryOptions with(RangeChoice some) {
    return new QueryOptions(mechanism, epsilon, delta, bins, propose, strategy, noiseLimit, some);
  }

  /** The analysis of a question that is asked so. */
  public AnalysisOptions analysis() {
    return new AnalysisOptions(
        RULES, mechanism, epsilon, delta, AnalysisOptions.DEFAULT.distances(), bins);
  }

  /**
   * How much noise an answer may have, as a share of what it shows: 1 where the noise may be as
   * large as the answer. Whoever sets it is refused, and not charged, where released numbers
   * foretell more.
   */
  public record NoiseLimit(BigDecimal share) {
    private static final int LONGEST = 40;

    public NoiseLimit {
      if (share.signum() <= 0) {
        throw bad("a share must be above 0%");
      }
    }

    /**
     * Reads {@code 100%}.
     *
     * @throws ConfigurationError for anything else
     */
    public static NoiseLimit parse(String text) {
      String stripped = text.strip();
      if (stripped.length() > LONGEST || !stripped.matches("[0-9]*\\.?[0-9]+ *%")) {
        throw bad("it is a share, with a percent sign");
      }
      String digits = stripped.substring(0, stripped.length() - 1).strip();
      return new NoiseLimit(new BigDecimal(digits).movePointLeft(2));
    }

    private static ConfigurationError bad(String what) {
      return ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE, "noise limit: " + what, "Write 100%, or 25%.");
    }
  }
}
