package flexdp.server.engine;

import flexdp.gateway.api.FoundRange.RangeChoice;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * Who asks, and how it was set that questions be answered.
 *
 * @param analyst from the login alone
 * @param within an error instead of an epsilon
 * @param noiseLimit which share of an answer its noise may be
 * @param propose max frequencies that are guessed, and tested first
 * @param ranges where ranges come from that nobody declared
 * @param fresh pays for a new answer even if one was released before
 */
public record QuerySettings(
    String analyst,
    Optional<BigDecimal> epsilon,
    Optional<BigDecimal> delta,
    Optional<String> within,
    Optional<String> noiseLimit,
    String mechanism,
    Optional<String> propose,
    RangeChoice ranges,
    boolean fresh) {
  public static QuerySettings of(String analyst) {
    return new QuerySettings(
        analyst,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "auto",
        Optional.empty(),
        RangeChoice.AUTO,
        false);
  }
}
