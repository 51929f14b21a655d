package flexdp.sql.parse;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.parse.SqlParameters.Place;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/**
 * A question with its parameters put in as constants. The places come from the lexer that reads the
 * result, and what is put there is one constant in its own quotes, so no value can change the shape
 * of the question.
 */
public final class ParameterSubstitution {
  private record Moved(Place place, int from, int to) {}

  private final String original;
  private final String sql;
  private final List<Moved> moved;

  private ParameterSubstitution(String original, String sql, List<Moved> moved) {
    this.original = original;
    this.sql = sql;
    this.moved = moved;
  }

  /**
   * @param value of a parameter, by its name: null, Boolean, a number, String, LocalDate,
   *     LocalTime, LocalDateTime or UUID
   * @throws Rejection when the text becomes longer than what is read: a short one that names a long
   *     value ten thousand times would fill the memory
   */
  public static ParameterSubstitution of(SqlParameters parameters, Function<String, Object> value) {
    String original = parameters.text();
    StringBuilder text = new StringBuilder();
    List<Moved> moved = new ArrayList<>();
    int copied = 0;
    for (Place place : parameters.places()) {
      text.append(original, copied, place.from());
      int start = text.length();
      text.append(' ').append(SqlConstant.of(value.apply(place.name()))).append(' ');
      if (text.length() > SqlTokenizer.MAX_CHARACTERS) {
        throw tooLong("The text has too many characters once its values are in it");
      }
      copied = place.to();
      moved.add(new Moved(place, start, text.length()));
    }
    text.append(original, copied, original.length());
    return new ParameterSubstitution(original, text.toString(), List.copyOf(moved));
  }

  /** What is said of a text that is longer than what is read. */
  static Rejection tooLong(String said) {
    return Rejection.of(
        RejectionCode.TOO_COMPLEX,
        said + "; at most " + SqlTokenizer.MAX_CHARACTERS + " are read.",
        "Put long lists of constants into a public table and join with it.");
  }

  public String sql() {
    return sql;
  }

  /** The place in the text with parameters that a place of the bound one was. */
  public Position original(Position at) {
    int offset = offset(sql, at);
    int shift = 0;
    for (Moved move : moved) {
      if (move.from() >= offset) {
        break;
      }
      if (offset < move.to()) {
        return position(move.place().from());
      }
      shift = move.to() - move.place().to();
    }
    return position(Math.max(0, Math.min(original.length(), offset - shift)));
  }

  private static boolean endsLine(String text, int i) {
    char c = text.charAt(i);
    return c == '\n' || c == '\r' && (i + 1 == text.length() || text.charAt(i + 1) != '\n');
  }

  private Position position(int offset) {
    int line = 1;
    int start = 0;
    for (int i = 0; i < offset; i++) {
      if (endsLine(original, i)) {
        line++;
        start = i + 1;
      }
    }
    return new Position(line, original.codePointCount(start, offset) + 1);
  }

  /** The character, counted from zero, that a place of a text is. */
  public static int offset(String text, Position at) {
    int line = 1;
    int i = 0;
    while (i < text.length() && line < at.line()) {
      if (endsLine(text, i++)) {
        line++;
      }
    }
    int left = at.column() - 1;
    while (i < text.length() && left-- > 0) {
      i += Character.charCount(text.codePointAt(i));
    }
    return i;
  }

  /** Values as constants in a text: in quotes of their own, and read as nothing else. */
  private static final class SqlConstant {
    private static final MathContext DIGITS = new MathContext(17);

    private SqlConstant() {}

    /** A constant as the analysis reads it; a minus alone could begin a comment. */
    static String of(Object value) {
      return switch (value) {
        case null -> "NULL";
        case Boolean b -> b ? "TRUE" : "FALSE";
        case Byte n -> exact(BigDecimal.valueOf(n));
        case Short n -> exact(BigDecimal.valueOf(n));
        case Integer n -> exact(BigDecimal.valueOf(n));
        case Long n -> exact(BigDecimal.valueOf(n));
        case BigInteger n -> exact(new BigDecimal(n));
        case BigDecimal n -> exact(n);
        case Float n -> real(n);
        case Double n -> real(n);
        case String s -> text(s);
        case LocalDate d -> "DATE '" + d + "'";
        case LocalTime t -> "TIME '" + t + "'";
        case LocalDateTime t -> "TIMESTAMP '" + t.toLocalDate() + " " + time(t.toLocalTime()) + "'";
        case UUID u -> "'" + u + "'";
        default -> throw new IllegalArgumentException("a value of " + value.getClass());
      };
    }

    /** In some dialects a backslash escapes; in the form E'…' it does in all of them. */
    private static String text(String s) {
      String quoted = "'" + s.replace("'", "''") + "'";
      return s.indexOf('\\') < 0 ? quoted : "E" + quoted.replace("\\", "\\\\");
    }

    private static String exact(BigDecimal number) {
      // Written out, 1e999999999 would fill the memory.
      if (Math.abs((long) number.scale()) + number.precision() > SqlTokenizer.MAX_CHARACTERS) {
        throw ParameterSubstitution.tooLong("A number has too many digits");
      }
      return number.signum() < 0 ? "(" + number.toPlainString() + ")" : number.toPlainString();
    }

    private static String real(double number) {
      String digits = new BigDecimal(number).round(DIGITS).toString();
      String real = digits.contains("E") ? digits : digits + "e0";
      return number < 0 ? "(" + real + ")" : real;
    }

    private static String time(LocalTime time) {
      String shown = time.toString();
      return shown.length() == 5 ? shown + ":00" : shown;
    }
  }
}
