package flexdp.server.types;

import flexdp.server.wire.BadText;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values of parameters, from text or binary. */
public final class PgInput {
  private static final int LONGEST_NUMBER = 200;
  private static final Pattern MOMENT =
      Pattern.compile(
          "([+-]?[0-9]{4,9}-[0-9]{2}-[0-9]{2})(?:["
              + " T]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,9})?)?))?"
              + " ?([+-][0-9]{2}(?::?[0-9]{2}(?::?[0-9]{2})?)?|Z)?");
  private static final BigInteger BASE = BigInteger.valueOf(10_000);

  private PgInput() {}

  /**
   * A parameter's value: Boolean, BigDecimal, Double, String, LocalDate, LocalTime, LocalDateTime
   * or UUID.
   *
   * @throws IllegalArgumentException when the bytes are no value of the type; its message does not
   *     repeat them
   */
  public static Object read(byte[] bytes, PgType type, boolean binary) {
    try {
      return binary ? binary(bytes, type) : text(utf8(bytes), type);
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw bad(type);
    }
  }

  private static Object text(String text, PgType type) {
    String value = text.strip();
    return switch (type) {
      case BOOL ->
          switch (value.toLowerCase(Locale.ROOT)) {
            case "t", "true", "y", "yes", "on", "1" -> true;
            case "f", "false", "n", "no", "off", "0" -> false;
            default -> throw bad(type);
          };
      case INT2, INT4, INT8, OID -> new BigDecimal(new BigInteger(shortNumber(value, type)));
      case NUMERIC -> written(new BigDecimal(shortNumber(value, type)));
      case FLOAT4, FLOAT8 -> finite(Double.parseDouble(shortNumber(value, type)), type);
      case DATE -> timestamp(value, false).toLocalDate();
      case TIME -> LocalTime.parse(value);
      case TIMESTAMP, TIMESTAMPTZ -> timestamp(value, type == PgType.TIMESTAMPTZ);
      case UUID -> UUID.fromString(value);
      case CHAR, NAME, TEXT, JSON, UNKNOWN, BPCHAR, VARCHAR -> text;
      case CHARS, NAMES, INT2S, INT4S, TEXTS, VARCHARS, INT8S, OIDS -> braced(value, type);
      case BYTEA, INTERVAL, INT2VECTOR, OIDVECTOR -> throw bad(type);
    };
  }

  private static String braced(String value, PgType type) {
    if (!value.startsWith("{") || !value.endsWith("}")) {
      throw bad(type);
    }
    return value;
  }

  /**
   * A moment. Drivers send their own zone with every moment and every day; as PostgreSQL does, it
   * is believed where the type has a zone and left out where it has none.
   */
  private static LocalDateTime timestamp(String value, boolean zoned) {
    Matcher parts = MOMENT.matcher(value);
    if (!parts.matches()) {
      throw bad(zoned ? PgType.TIMESTAMPTZ : PgType.TIMESTAMP);
    }
    LocalDate day = LocalDate.parse(parts.group(1));
    String time = parts.group(2);
    LocalDateTime moment = time == null ? day.atStartOfDay() : day.atTime(LocalTime.parse(time));
    String zone = parts.group(3);
    return zone == null || !zoned
        ? moment
        : moment.minusSeconds(ZoneOffset.of(zone).getTotalSeconds());
  }

  private static Object binary(byte[] bytes, PgType type) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return switch (type) {
      case BOOL -> sized(in, 1, type).get() != 0;
      case INT2 -> BigDecimal.valueOf(sized(in, 2, type).getShort());
      case INT4 -> BigDecimal.valueOf(sized(in, 4, type).getInt());
      case OID -> BigDecimal.valueOf(sized(in, 4, type).getInt() & 0xffffffffL);
      case INT8 -> BigDecimal.valueOf(sized(in, 8, type).getLong());
      case FLOAT4 -> finite(Double.parseDouble("" + sized(in, 4, type).getFloat()), type);
      case FLOAT8 -> finite(sized(in, 8, type).getDouble(), type);
      case NUMERIC -> numeric(in);
      case DATE -> PgBinary.EPOCH.plusDays(sized(in, 4, type).getInt());
      case TIME -> LocalTime.ofNanoOfDay(Math.multiplyExact(sized(in, 8, type).getLong(), 1_000L));
      case TIMESTAMP, TIMESTAMPTZ ->
          PgBinary.EPOCH.atStartOfDay().plus(sized(in, 8, type).getLong(), ChronoUnit.MICROS);
      case UUID -> {
        sized(in, 16, type);
        yield new UUID(in.getLong(), in.getLong());
      }
      case CHAR, NAME, TEXT, JSON, UNKNOWN, BPCHAR, VARCHAR -> utf8(bytes);
      case CHARS, NAMES, INT2S, INT4S, TEXTS, VARCHARS, INT8S, OIDS ->
          PgText.of(array(in, type), type.element().orElseThrow());
      case BYTEA, INTERVAL, INT2VECTOR, OIDVECTOR -> throw bad(type);
    };
  }

  /** The elements of an array of at most one dimension. */
  private static List<Object> array(ByteBuffer in, PgType type) {
    PgType element = type.element().orElseThrow();
    try {
      int dimensions = in.getInt();
      in.getInt(); // whether some are NULL
      boolean known = in.getInt() == element.oid();
      int count = dimensions == 1 ? in.getInt() : 0;
      if (!known || dimensions < 0 || dimensions > 1 || count < 0) {
        throw bad(type);
      }
      List<Object> elements = new ArrayList<>();
      if (dimensions == 1) {
        in.getInt(); // where it begins
      }
      for (int i = 0; i < count; i++) {
        int length = in.getInt();
        if (length > in.remaining()) {
          throw bad(type);
        }
        byte[] bytes = new byte[Math.max(0, length)];
        in.get(bytes);
        elements.add(length < 0 ? null : binary(bytes, element));
      }
      if (in.hasRemaining()) {
        throw bad(type);
      }
      return elements;
    } catch (BufferUnderflowException e) {
      throw bad(type);
    }
  }

  private static ByteBuffer sized(ByteBuffer in, int size, PgType type) {
    if (in.remaining() != size) {
      throw bad(type);
    }
    return in;
  }

  private static BigDecimal numeric(ByteBuffer in) {
    if (in.remaining() < 8) {
      throw bad(PgType.NUMERIC);
    }
    int count = in.getShort();
    int weight = in.getShort();
    int sign = in.getShort() & 0xffff;
    int scale = in.getShort();
    boolean usable = sign == 0 || sign == 0x4000;
    if (!usable
        || count < 0
        || count > 100
        || Math.abs(weight) > 100
        || in.remaining() != 2 * count) {
      throw bad(PgType.NUMERIC);
    }
    BigInteger digits = BigInteger.ZERO;
    for (int i = 0; i < count; i++) {
      int digit = in.getShort();
      if (digit < 0 || digit >= BASE.intValue()) {
        throw bad(PgType.NUMERIC);
      }
      digits = digits.multiply(BASE).add(BigInteger.valueOf(digit));
    }
    BigDecimal value = new BigDecimal(digits).movePointRight(4 * (weight - count + 1));
    BigDecimal scaled = value.setScale(Math.max(0, scale), java.math.RoundingMode.HALF_EVEN);
    return sign == 0 ? scaled : scaled.negate();
  }

  private static String shortNumber(String value, PgType type) {
    if (value.length() > LONGEST_NUMBER) {
      throw bad(type);
    }
    return value;
  }

  /** PostgreSQL's numbers have at most so many digits before and behind the point. */
  private static BigDecimal written(BigDecimal value) {
    boolean fits = value.precision() - (long) value.scale() <= 131_072 && value.scale() <= 16_383;
    if (!fits) {
      throw bad(PgType.NUMERIC);
    }
    return value;
  }

  private static double finite(double value, PgType type) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw bad(type);
    }
    return value;
  }

  private static String utf8(byte[] bytes) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.indexOf('\0') >= 0) {
        throw new BadText();
      }
      return text;
    } catch (CharacterCodingException e) {
      throw new BadText();
    }
  }

  private static IllegalArgumentException bad(PgType type) {
    return new IllegalArgumentException("invalid input for type " + type.title());
  }
}
