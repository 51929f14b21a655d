package flexdp.sql.parse;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes every dialect's intervals as the standard's {@code INTERVAL '7' DAY}. */
final class SqlIntervals {
  /** A unit of the grammar and how many of it one unit of a dialect is. */
  private record Unit(String name, BigDecimal factor) {}

  private static final Map<String, Unit> UNITS =
      Map.ofEntries(
          unit("YEAR", "YEAR", "1"),
          unit("QUARTER", "MONTH", "3"),
          unit("MONTH", "MONTH", "1"),
          unit("WEEK", "DAY", "7"),
          unit("DAY", "DAY", "1"),
          unit("HOUR", "HOUR", "1"),
          unit("MINUTE", "MINUTE", "1"),
          unit("SECOND", "SECOND", "1"),
          unit("DECADE", "YEAR", "10"),
          unit("CENTURY", "YEAR", "100"),
          unit("MILLISECOND", "SECOND", "0.001"),
          unit("MICROSECOND", "SECOND", "0.000001"));

  private static final Map<String, String> ABBREVIATIONS =
      Map.ofEntries(
          Map.entry("Y", "YEAR"),
          Map.entry("MON", "MONTH"),
          Map.entry("W", "WEEK"),
          Map.entry("D", "DAY"),
          Map.entry("H", "HOUR"),
          Map.entry("HR", "HOUR"),
          Map.entry("MIN", "MINUTE"),
          Map.entry("M", "MINUTE"),
          Map.entry("S", "SECOND"),
          Map.entry("SEC", "SECOND"),
          Map.entry("CENTURIES", "CENTURY"));

  private static final Pattern PART =
      Pattern.compile("\\s*([+-]?\\s*\\d{1,18}(?:\\.\\d{1,9})?)\\s*([a-zA-Z]+)\\s*,?");

  private SqlIntervals() {}

  private static Map.Entry<String, Unit> unit(String name, String standard, String factor) {
    return Map.entry(name, new Unit(standard, new BigDecimal(factor)));
  }

  /** Whether a word names a unit of time, in the singular or plural. */
  static boolean isUnit(SqlToken token) {
    return token.kind() == SqlToken.Kind.WORD && find(token.upper(), false).isPresent();
  }

  private static Optional<Unit> find(String word, boolean abbreviated) {
    String upper = word.toUpperCase(Locale.ROOT);
    String singular =
        upper.length() > 2 && upper.endsWith("S") ? upper.substring(0, upper.length() - 1) : upper;
    Unit unit = UNITS.getOrDefault(upper, UNITS.get(singular));
    if (unit == null && abbreviated) {
      String full = ABBREVIATIONS.getOrDefault(upper, ABBREVIATIONS.get(singular));
      unit = full == null ? null : UNITS.get(full);
    }
    return Optional.ofNullable(unit);
  }

  /** {@code INTERVAL amount unit}: the amount a number, in a string or by itself. */
  static List<SqlToken> of(SqlToken interval, SqlToken amount, SqlToken unitWord) {
    Unit unit = find(unitWord.upper(), false).orElseThrow();
    String text = amount.text().strip();
    if (!text.matches("[+-]?\\d{1,18}(\\.\\d{1,9})?")) {
      // A composite such as '1-2' YEAR TO MONTH is left to the grammar.
      return List.of(
          interval.asKeyword("INTERVAL"),
          amount.as(SqlToken.Kind.STRING, text),
          unitWord.asKeyword(unit.name()));
    }
    return part(interval, amount, new BigDecimal(text), unit, unitWord);
  }

  /** {@code INTERVAL '1 day 2 hours'}: one interval, or the sum of several in parentheses. */
  static List<SqlToken> of(SqlToken interval, SqlToken text) {
    List<SqlToken> out = new ArrayList<>();
    Matcher matcher = PART.matcher(text.text());
    int end = 0;
    int parts = 0;
    while (matcher.find() && matcher.start() == end) {
      Optional<Unit> unit = find(matcher.group(2), true);
      if (unit.isEmpty()) {
        break;
      }
      if (parts++ > 0) {
        out.add(text.asSymbol("+"));
      }
      BigDecimal amount = new BigDecimal(matcher.group(1).replaceAll("\\s", ""));
      out.addAll(part(interval, text, amount, unit.get(), text));
      end = matcher.end();
    }
    if (parts == 0 || !text.text().substring(end).isBlank()) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "The interval " + text.shown() + " is not understood.",
          "Write it as INTERVAL '7 days' or INTERVAL '7' DAY.",
          text.from());
    }
    if (parts > 1) {
      out.addFirst(interval.asSymbol("("));
      out.add(text.asSymbol(")"));
    }
    return out;
  }

  private static List<SqlToken> part(
      SqlToken interval, SqlToken place, BigDecimal amount, Unit unit, SqlToken unitPlace) {
    BigDecimal scaled = amount.multiply(unit.factor()).stripTrailingZeros();
    if (scaled.scale() > 0 && !unit.name().equals("SECOND")) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "An interval of " + amount.toPlainString() + " is not a whole number of units.",
          "Use a smaller unit, such as INTERVAL '36 hours'.",
          place.from());
    }
    return List.of(
        interval.asKeyword("INTERVAL"),
        place.as(SqlToken.Kind.STRING, scaled.toPlainString()),
        unitPlace.asKeyword(unit.name()));
  }
}
