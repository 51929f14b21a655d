package flexdp.server.types;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Values in PostgreSQL's binary forms. */
public final class PgBinary {
  static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);
  private static final long DAY = 86_400_000_000L;
  private static final BigInteger BASE = BigInteger.valueOf(10_000);

  private PgBinary() {}

  /**
   * @throws ArithmeticException for a number that the type does not hold
   */
  public static byte[] bytes(Object value, PgType type) {
    if (value instanceof List<?> list) {
      return array(list, type);
    }
    return switch (type) {
      case BOOL -> new byte[] {(byte) ((Boolean) value ? 1 : 0)};
      case INT2 -> ByteBuffer.allocate(2).putShort(number(value).shortValueExact()).array();
      case INT4 -> ByteBuffer.allocate(4).putInt(number(value).intValueExact()).array();
      case OID -> ByteBuffer.allocate(4).putInt((int) number(value).longValueExact()).array();
      case INT8 -> ByteBuffer.allocate(8).putLong(number(value).longValueExact()).array();
      case FLOAT4 -> ByteBuffer.allocate(4).putFloat(((Number) value).floatValue()).array();
      case FLOAT8 -> ByteBuffer.allocate(8).putDouble(((Number) value).doubleValue()).array();
      case NUMERIC -> numeric(number(value));
      case DATE ->
          ByteBuffer.allocate(4)
              .putInt((int) ChronoUnit.DAYS.between(EPOCH, (LocalDate) value))
              .array();
      case TIME ->
          ByteBuffer.allocate(8).putLong(((LocalTime) value).toNanoOfDay() / 1_000).array();
      case TIMESTAMP, TIMESTAMPTZ ->
          ByteBuffer.allocate(8)
              .putLong(ChronoUnit.MICROS.between(EPOCH.atStartOfDay(), (LocalDateTime) value))
              .array();
      case INTERVAL -> interval(value);
      case UUID -> {
        UUID uuid = (UUID) value;
        yield ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
      }
      case BYTEA, CHAR, NAME, TEXT, JSON, UNKNOWN, BPCHAR, VARCHAR ->
          PgText.of(value, type).getBytes(StandardCharsets.UTF_8);
      case INT2VECTOR -> vector(value, PgType.INT2);
      case OIDVECTOR -> vector(value, PgType.OID);
      case CHARS, NAMES, INT2S, INT4S, TEXTS, VARCHARS, INT8S, OIDS ->
          throw new IllegalArgumentException("arrays are lists of their elements");
    };
  }

  private static BigDecimal number(Object value) {
    return switch (value) {
      case BigDecimal d -> d;
      case Number n -> new BigDecimal(n.toString());
      default -> throw new IllegalArgumentException("a value of " + value.getClass());
    };
  }

  private static byte[] interval(Object value) {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    if (value instanceof Months months) {
      return bytes.putLong(0).putInt(0).putInt(Math.toIntExact(months.count())).array();
    }
    long micros = (Long) value;
    return bytes.putLong(micros % DAY).putInt((int) (micros / DAY)).putInt(0).array();
  }

  /** Digits to the base of 10,000, the point between two of them. */
  static byte[] numeric(BigDecimal value) {
    int scale = Math.max(0, value.scale());
    int groups = (scale + 3) / 4;
    BigInteger whole = value.abs().movePointRight(groups * 4).toBigIntegerExact();
    List<Integer> digits = new ArrayList<>();
    while (whole.signum() > 0) {
      BigInteger[] parts = whole.divideAndRemainder(BASE);
      digits.addFirst(parts[1].intValue());
      whole = parts[0];
    }
    int weight = digits.size() - groups - 1;
    while (!digits.isEmpty() && digits.getLast() == 0) {
      digits.removeLast();
    }
    ByteBuffer bytes = ByteBuffer.allocate(8 + 2 * digits.size());
    bytes.putShort((short) digits.size()).putShort((short) (digits.isEmpty() ? 0 : weight));
    bytes.putShort((short) (value.signum() < 0 ? 0x4000 : 0)).putShort((short) scale);
    digits.forEach(d -> bytes.putShort(d.shortValue()));
    return bytes.array();
  }

  /** Numbers with blanks between them, which are an array that begins at zero. */
  private static byte[] vector(Object value, PgType type) {
    List<BigDecimal> numbers =
        Stream.of(value.toString().split(" "))
            .filter(number -> !number.isEmpty())
            .map(BigDecimal::new)
            .toList();
    byte[] array = array(numbers, type);
    if (!numbers.isEmpty()) {
      ByteBuffer.wrap(array).putInt(16, 0);
    }
    return array;
  }

  private static byte[] array(List<?> list, PgType type) {
    List<byte[]> elements = new ArrayList<>();
    int size = list.isEmpty() ? 12 : 20;
    for (Object element : list) {
      byte[] bytes = element == null ? null : bytes(element, type);
      elements.add(bytes);
      size += 4 + (bytes == null ? 0 : bytes.length);
    }
    ByteBuffer all = ByteBuffer.allocate(size);
    all.putInt(list.isEmpty() ? 0 : 1).putInt(list.contains(null) ? 1 : 0).putInt(type.oid());
    if (!list.isEmpty()) {
      all.putInt(list.size()).putInt(1);
    }
    for (byte[] element : elements) {
      all.putInt(element == null ? -1 : element.length);
      if (element != null) {
        all.put(element);
      }
    }
    return all.array();
  }
}
