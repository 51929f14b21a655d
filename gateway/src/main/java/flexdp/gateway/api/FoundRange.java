package flexdp.gateway.api;

import flexdp.policy.Range;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A range that was found for an answer: of noisy counts, and so public.
 *
 * @param of what the values are called
 * @param epsilon what finding it costs, whoever paid and when
 * @param values about how many there are, by the noisy counts
 * @param outside about how many of them lie outside
 * @param outsideAtMost no more do, with probability 95 %
 * @param people whether people are counted, and not values
 */
public record FoundRange(
    String of,
    Range range,
    BigDecimal epsilon,
    BigDecimal values,
    BigDecimal outside,
    BigDecimal outsideAtMost,
    boolean people) {
  /** What the reader of the answer should know of it. */
  Note note() {
    String counted = people ? " people's worth of values" : " values";
    String text =
        of
            + " has no declared range: it was found with epsilon "
            + plain(epsilon)
            + " to be "
            + plain(range.low())
            + " to "
            + plain(range.high())
            + "; about "
            + plain(outside)
            + counted
            + " (at most "
            + plain(outsideAtMost)
            + ") lie outside and count as its ends; how far out is unknown";
    return new Note(
        Note.Code.RANGE_FOUND,
        text,
        Map.of(
            "low", range.low(),
            "high", range.high(),
            "outside", outside,
            "outsideAtMost", outsideAtMost,
            "values", values));
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  /** Where the range comes from that a sum, an average, an extreme or a quantile needs. */
  public enum RangeChoice {
    /** From what the owner declared or released; otherwise it is found, and paid for. */
    AUTO,
    /** From what the owner declared or released. */
    DECLARED,
    /** From what the owner declared; otherwise it is found, and paid for. */
    FIND;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<RangeChoice> of(String word) {
      return Arrays.stream(values()).filter(c -> c.word().equals(word)).findFirst();
    }

    public static List<String> words() {
      return Arrays.stream(values()).map(RangeChoice::word).toList();
    }
  }
}
