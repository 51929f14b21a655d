package flexdp.gateway.sqlite;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.UUID;

/**
 * How the numbers and texts that stand for values on SQLite are read back. A value there has the
 * class that it happens to have, whatever its column says, so each is looked at: what is not of its
 * column's kind is not taken for something that it is not.
 */
final class SqliteValues {
  private static final char REPLACEMENT = '\uFFFD';

  private SqliteValues() {}

  static Object value(ResultSet row, int index, Type type) throws SQLException {
    Object found = row.getObject(index);
    if (found == null) {
      return null;
    }
    return switch (type.kind()) {
      case DOUBLE -> real(found);
      case BOOLEAN -> whole(found) != 0;
      case SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(whole(found));
      case DECIMAL -> BigDecimal.valueOf(whole(found), type.scale());
      case DATE -> LocalDate.ofEpochDay(whole(found));
      case TIME -> LocalTime.ofNanoOfDay(Math.multiplyExact(whole(found), 1000L));
      case TIMESTAMP -> moment(whole(found));
      case VARCHAR, OPAQUE, NULL -> text(row, index, found);
      case UUID -> UUID.fromString(text(row, index, found));
      case INTERVAL_MONTHS, INTERVAL_MICROS -> throw new SQLException("an interval cannot be read");
    };
  }

  /** A count, or a sum in two halves; null for NULL. */
  static BigDecimal number(ResultSet row, int index) throws SQLException {
    return switch (row.getObject(index)) {
      case null -> null;
      case String halves when halves.indexOf(':') >= 0 -> {
        int colon = halves.indexOf(':');
        yield new BigDecimal(
            new BigInteger(halves.substring(0, colon))
                .shiftLeft(32)
                .add(new BigInteger(halves.substring(colon + 1))));
      }
      case Double real -> new BigDecimal(real);
      case Object other -> new BigDecimal(other.toString());
    };
  }

  private static double real(Object found) throws SQLException {
    if (found instanceof Number number) {
      return number.doubleValue();
    }
    throw new SQLException("not a number");
  }

  private static long whole(Object found) throws SQLException {
    return switch (found) {
      case Integer number -> number;
      case Long number -> number;
      case Double number -> new BigDecimal(number).longValueExact();
      default -> throw new SQLException("not a whole number");
    };
  }

  /** Bytes that are no UTF-8 come out with a character in their place that other texts have too. */
  private static String text(ResultSet row, int index, Object found) throws SQLException {
    if (found instanceof byte[]) {
      throw new SQLException("not a text");
    }
    String text = found.toString();
    if (text.indexOf(REPLACEMENT) < 0) {
      return text;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(row.getBytes(index)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new SQLException("not a text", e);
    }
  }

  private static LocalDateTime moment(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L),
        (int) Math.floorMod(micros, 1_000_000L) * 1000,
        ZoneOffset.UTC);
  }
}
