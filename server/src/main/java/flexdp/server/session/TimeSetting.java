package flexdp.server.session;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A length of time as settings have it: {@code 800}, {@code 1.5s}, {@code 2 min}.
 *
 * @param millis 0 for no limit
 */
record TimeSetting(long millis) {
  private static final Pattern WRITTEN =
      Pattern.compile("\\s*([0-9]{1,12}(?:[.][0-9]{0,12})?)\\s*(us|ms|s|min|h|d)?\\s*");
  private static final BigDecimal MOST = BigDecimal.valueOf(Integer.MAX_VALUE);
  private static final Map<String, BigDecimal> UNITS = units();

  private static Map<String, BigDecimal> units() {
    Map<String, BigDecimal> units = new LinkedHashMap<>();
    units.put("d", new BigDecimal(86_400_000));
    units.put("h", new BigDecimal(3_600_000));
    units.put("min", new BigDecimal(60_000));
    units.put("s", new BigDecimal(1_000));
    units.put("ms", BigDecimal.ONE);
    units.put("us", new BigDecimal("0.001"));
    return units;
  }

  /**
   * Reads a length of time.
   *
   * @throws SqlError for what is none
   */
  static TimeSetting of(String name, String value) {
    Matcher parts = WRITTEN.matcher(value);
    if (!parts.matches()) {
      String shown = value.length() > 40 ? value.substring(0, 40) + "…" : value;
      throw SqlError.of(
          "22023",
          "invalid value for parameter \"" + name + "\": \"" + shown + "\"",
          "Valid units for this parameter are \"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\".");
    }
    String unit = parts.group(2) == null ? "ms" : parts.group(2);
    BigDecimal millis =
        new BigDecimal(parts.group(1))
            .multiply(UNITS.get(unit))
            .setScale(0, RoundingMode.HALF_EVEN);
    if (millis.compareTo(MOST) > 0) {
      throw SqlError.of(
          "22023",
          millis
              + " ms is outside the valid range for parameter \""
              + name
              + "\" (0 .. 2147483647)");
    }
    return new TimeSetting(millis.longValueExact());
  }

  /** With the largest unit that leaves a whole number, as SHOW shows it. */
  String shown() {
    for (Map.Entry<String, BigDecimal> unit : UNITS.entrySet()) {
      long size = Math.max(1, unit.getValue().longValue());
      if (millis > 0 && millis % size == 0) {
        return millis / size + unit.getKey();
      }
    }
    return "0";
  }

  /** Nothing without a limit. */
  Optional<Duration> time() {
    return millis == 0 ? Optional.empty() : Optional.of(Duration.ofMillis(millis));
  }
}
