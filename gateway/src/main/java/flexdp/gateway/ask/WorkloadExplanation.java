package flexdp.gateway.ask;

import java.math.BigDecimal;
import java.util.List;

/**
 * What an analyst may know of a workload before asking it.
 *
 * @param repeat whether the analyst has paid for all of it, so that asking costs nothing
 * @param charged the tables that pay, each with its parts where not all of it does
 * @param frames what is measured together
 * @param questions every measurement of every statement
 * @param warnings which columns will be noise, by the policy and released numbers
 */
public record WorkloadExplanation(
    BigDecimal epsilon,
    BigDecimal delta,
    boolean repeat,
    List<String> charged,
    List<Frame> frames,
    List<Question> questions,
    List<String> warnings) {
  /** A frame: rows of some tables, measured by cuboids. */
  public record Frame(String measured, int questions, List<Cuboid> cuboids) {}

  /**
   * A cuboid that is measured.
   *
   * @param cells how many numbers it has
   * @param epsilon its share
   * @param scale of its noise
   */
  public record Cuboid(List<String> keys, long cells, BigDecimal epsilon, BigDecimal scale) {}

  /**
   * A measurement.
   *
   * @param frame its number among the frames, from 1; 0 when it is measured by itself
   * @param error half the width of its 95 % error bar; absent where that is private
   * @param alone the same if every statement were asked by itself
   */
  public record Question(
      int statement,
      String aggregate,
      int frame,
      java.util.Optional<BigDecimal> error,
      java.util.Optional<BigDecimal> alone) {}

  public WorkloadExplanation {
    charged = List.copyOf(charged);
    frames = List.copyOf(frames);
    questions = List.copyOf(questions);
    warnings = List.copyOf(warnings);
  }
}
