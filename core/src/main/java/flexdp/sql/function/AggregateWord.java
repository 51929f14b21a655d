package flexdp.sql.function;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The aggregate functions with a private answer, each with its spellings. */
public enum AggregateWord {
  COUNT("COUNT"),
  COUNT_IF("COUNT_IF", "COUNTIF"),
  COUNT_DISTINCT("APPROX_DISTINCT", "APPROX_COUNT_DISTINCT", "APPROXIMATE_COUNT_DISTINCT", "NDV"),
  SUM("SUM"),
  SUM_IF("SUM_IF", "SUMIF"),
  AVG("AVG", "MEAN"),
  AVG_IF("AVG_IF", "AVGIF"),
  VAR_SAMP("VARIANCE", "VAR_SAMP"),
  VAR_POP("VAR_POP"),
  STDDEV_SAMP("STDDEV", "STDDEV_SAMP", "STD"),
  STDDEV_POP("STDDEV_POP"),
  MIN("MIN"),
  MAX("MAX"),
  MEDIAN("MEDIAN", "APPROX_MEDIAN", "APPROXIMATE_MEDIAN"),
  QUANTILE(
      "PERCENTILE_CONT",
      "QUANTILE",
      "QUANTILE_CONT",
      "PERCENTILE",
      "APPROX_PERCENTILE",
      "APPROX_QUANTILE",
      "PERCENTILE_APPROX",
      "APPROXIMATE_PERCENTILE"),
  /** One of the values, not a point between two. */
  QUANTILE_OF_VALUES("PERCENTILE_DISC", "QUANTILE_DISC"),
  /** Whether a condition is true of a row. */
  SOME("BOOL_OR", "LOGICAL_OR", "BOOLOR_AGG"),
  /** Whether a condition is true of every row. */
  EVERY("BOOL_AND", "LOGICAL_AND", "BOOLAND_AGG", "EVERY"),
  GROUPING("GROUPING", "GROUPING_ID");

  private static final Map<String, AggregateWord> BY_SPELLING =
      Arrays.stream(values())
          .flatMap(word -> word.spellings.stream().map(s -> Map.entry(s, word)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final List<String> spellings;

  AggregateWord(String... spellings) {
    this.spellings = List.of(spellings);
  }

  /** In capitals. */
  public static Optional<AggregateWord> of(String name) {
    return Optional.ofNullable(BY_SPELLING.get(name));
  }
}
