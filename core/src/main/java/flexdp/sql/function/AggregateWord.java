package flexdp.sql.function;

import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The aggregate functions with a private answer, each with its spellings. */
public enum AggregateWord {
  COUNT("COUNT", "COUNT_BIG"),
  COUNT_IF("COUNT_IF", "COUNTIF"),
  COUNT_DISTINCT("APPROX_DISTINCT", "APPROX_COUNT_DISTINCT", "APPROXIMATE_COUNT_DISTINCT", "NDV"),
  SUM("SUM"),
  SUM_IF("SUM_IF", "SUMIF"),
  AVG("AVG", "MEAN"),
  AVG_IF("AVG_IF", "AVGIF"),
  VAR_SAMP("VARIANCE", "VAR_SAMP", "VAR"),
  VAR_POP("VAR_POP", "VARP"),
  STDDEV_SAMP("STDDEV", "STDDEV_SAMP", "STD", "STDEV"),
  STDDEV_POP("STDDEV_POP", "STDEVP"),
  /** The least is one of them; so it is ANY_VALUE too. */
  MIN("MIN", "ANY_VALUE", "ARBITRARY"),
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
  /** The value that most rows have. */
  MODE("MODE"),
  /** Whether a condition is true of a row. */
  SOME("BOOL_OR", "LOGICAL_OR", "BOOLOR_AGG"),
  /** Whether a condition is true of every row. */
  EVERY("BOOL_AND", "LOGICAL_AND", "BOOLAND_AGG", "EVERY"),
  /** Texts put together: of public rows. */
  TEXTS("STRING_AGG", "GROUP_CONCAT", "LISTAGG"),
  /** A sum that is never NULL. */
  TOTAL("TOTAL"),
  // Statistics of two columns.
  CORR("CORR"),
  COVAR_POP("COVAR_POP"),
  COVAR_SAMP("COVAR_SAMP"),
  REGR_SLOPE("REGR_SLOPE"),
  REGR_INTERCEPT("REGR_INTERCEPT"),
  REGR_COUNT("REGR_COUNT"),
  REGR_R2("REGR_R2"),
  REGR_AVGX("REGR_AVGX"),
  REGR_AVGY("REGR_AVGY"),
  REGR_SXX("REGR_SXX"),
  REGR_SYY("REGR_SYY"),
  REGR_SXY("REGR_SXY"),
  /** Of a sample. */
  SKEWNESS("SKEWNESS", "SKEW"),
  /** Of the whole population. */
  SKEWNESS_POP("SKEWNESS_POP"),
  GROUPING("GROUPING", "GROUPING_ID");

  private static final Map<String, AggregateWord> BY_SPELLING =
      Arrays.stream(values())
          .flatMap(word -> word.spellings.stream().map(s -> Map.entry(s, word)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private final List<String> spellings;

  AggregateWord(String... spellings) {
    this.spellings = List.of(spellings);
  }

  /** All spellings, the usual ones first. */
  static List<String> names() {
    return Arrays.stream(values())
        .flatMap(word -> word.spellings.stream())
        .map(s -> s.toLowerCase(Locale.ROOT))
        .toList();
  }

  /** What a name means in a dialect: without more said, MySQL's are of the whole population. */
  public AggregateWord in(InputDialect dialect, String name) {
    boolean whole =
        DialectSpelling.SPREAD.in(dialect) == SpellingMeaning.POPULATION && !name.endsWith("_SAMP");
    return switch (this) {
      case VAR_SAMP -> whole ? VAR_POP : this;
      case STDDEV_SAMP -> whole ? STDDEV_POP : this;
      case SKEWNESS ->
          DialectSpelling.SKEWNESS.in(dialect) == SpellingMeaning.POPULATION ? SKEWNESS_POP : this;
      default -> this;
    };
  }

  /** Whether it is one aggregate, not an expression over several or none. */
  public boolean isOneCall() {
    return switch (this) {
      case GROUPING,
          MODE,
          SOME,
          EVERY,
          TEXTS,
          TOTAL,
          CORR,
          COVAR_POP,
          COVAR_SAMP,
          REGR_SLOPE,
          REGR_INTERCEPT,
          REGR_COUNT,
          REGR_R2,
          REGR_AVGX,
          REGR_AVGY,
          REGR_SXX,
          REGR_SYY,
          REGR_SXY,
          SKEWNESS,
          SKEWNESS_POP ->
          false;
      case COUNT,
          COUNT_IF,
          COUNT_DISTINCT,
          SUM,
          SUM_IF,
          AVG,
          AVG_IF,
          VAR_SAMP,
          VAR_POP,
          STDDEV_SAMP,
          STDDEV_POP,
          MIN,
          MAX,
          MEDIAN,
          QUANTILE,
          QUANTILE_OF_VALUES ->
          true;
    };
  }

  /** Whether rows are put into an order: WITHIN GROUP (ORDER BY x). */
  public boolean takesOrder() {
    return this == QUANTILE || this == QUANTILE_OF_VALUES || this == MODE || this == TEXTS;
  }

  /** Whether DISTINCT has a meaning here that is kept, or none at all. */
  public boolean takesDistinct() {
    boolean ordered = this == MEDIAN || this == QUANTILE || this == QUANTILE_OF_VALUES;
    boolean whole = this == MODE || this == SOME || this == EVERY || this == TEXTS || this == TOTAL;
    return isOneCall() ? !ordered && this != COUNT_IF : whole;
  }

  /** In capitals. */
  public static Optional<AggregateWord> of(String name) {
    return Optional.ofNullable(BY_SPELLING.get(name));
  }
}
