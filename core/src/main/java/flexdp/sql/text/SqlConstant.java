package flexdp.sql.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/** Values as constants in a text: in quotes of their own, and read as nothing else. */
final class SqlConstant {
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
    if (Math.abs((long) number.scale()) + number.precision() > SqlText.MAX_CHARACTERS) {
      throw BoundText.tooLong("A number has too many digits");
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
