package flexdp.gateway.ask;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * Which of many numbers were found above a threshold, as an analyst may see it.
 *
 * @param lines one per statement, in order
 * @param note what the reader should know; empty when there is nothing
 */
public record AboveView(List<Line> lines, BigDecimal epsilon, String note) {
  /**
   * What was found of one statement.
   *
   * @param above nothing when it was not looked at, since as many as may be were above before
   * @param gap of one that was above: about how far, more often too far than not
   */
  public record Line(Optional<Boolean> above, Optional<BigDecimal> gap) {}

  public AboveView {
    lines = List.copyOf(lines);
  }
}
