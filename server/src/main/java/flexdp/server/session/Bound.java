package flexdp.server.session;

import flexdp.failure.Position;
import flexdp.sql.text.SqlParameters;
import flexdp.sql.text.SqlParameters.Place;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A question with its parameters put in as constants. The places come from the lexer that reads the
 * result, and what is put there is one constant in its own quotes, so no value can change the shape
 * of the question.
 */
public final class Bound {
  private record Moved(int at, int original, int added) {}

  private final String original;
  private final String sql;
  private final List<Moved> moved;

  private Bound(String original, String sql, List<Moved> moved) {
    this.original = original;
    this.sql = sql;
    this.moved = moved;
  }

  public static Bound of(String sql, List<Object> values) {
    List<Place> places = SqlParameters.of(sql);
    if (places.isEmpty()) {
      return new Bound(sql, sql, List.of());
    }
    StringBuilder text = new StringBuilder();
    List<Moved> moved = new ArrayList<>();
    int copied = 0;
    for (Place place : places) {
      if (place.number() > values.size()) {
        throw SqlError.at(place.from(), "42P02", "there is no parameter $" + place.number(), "");
      }
      text.append(sql, copied, place.from());
      int start = text.length();
      text.append(' ').append(constant(values.get(place.number() - 1))).append(' ');
      copied = place.to();
      int added = text.length() - start - (place.to() - place.from());
      moved.add(new Moved(start, place.from(), added));
    }
    text.append(sql, copied, sql.length());
    return new Bound(sql, text.toString(), moved);
  }

  public String sql() {
    return sql;
  }

  /** A constant as the analysis reads it; a minus alone could begin a comment. */
  static String constant(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Boolean b -> b ? "TRUE" : "FALSE";
      case BigDecimal d -> d.signum() < 0 ? "(" + d.toPlainString() + ")" : d.toPlainString();
      case Double d -> {
        String digits = new BigDecimal(d).round(new java.math.MathContext(17)).toString();
        String real = digits.contains("E") ? digits : digits + "e0";
        yield d < 0 ? "(" + real + ")" : real;
      }
      case String s -> "'" + s.replace("'", "''") + "'";
      case LocalDate d -> "DATE '" + d + "'";
      case LocalTime t -> "TIME '" + t + "'";
      case LocalDateTime t -> "TIMESTAMP '" + t.toLocalDate() + " " + time(t.toLocalTime()) + "'";
      case UUID u -> "'" + u + "'";
      default -> throw new IllegalArgumentException("a value of " + value.getClass());
    };
  }

  private static String time(LocalTime time) {
    String shown = time.toString();
    return shown.length() == 5 ? shown + ":00" : shown;
  }

  /** The character of the original text, counted from zero, that a position of the bound one is. */
  int original(Position at) {
    int offset = offset(sql, at);
    int shift = 0;
    for (Moved move : moved) {
      if (move.at() >= offset) {
        break;
      }
      int length = move.added() + (placeLength(move));
      if (offset < move.at() + length) {
        return move.original();
      }
      shift += move.added();
    }
    return Math.max(0, Math.min(original.length(), offset - shift));
  }

  private int placeLength(Moved move) {
    int end = move.original() + 1;
    while (end < original.length() && Character.isDigit(original.charAt(end))) {
      end++;
    }
    return end - move.original();
  }

  private static int offset(String text, Position at) {
    int line = 1;
    int i = 0;
    while (i < text.length() && line < at.line()) {
      char c = text.charAt(i++);
      if (c == '\n' || c == '\r' && (i == text.length() || text.charAt(i) != '\n')) {
        line++;
      }
    }
    int left = at.column() - 1;
    while (i < text.length() && left-- > 0) {
      i += Character.charCount(text.codePointAt(i));
    }
    return i;
  }
}
