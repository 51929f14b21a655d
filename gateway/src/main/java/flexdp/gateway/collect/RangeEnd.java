package flexdp.gateway.collect;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** One end of a range as a policy writes it: a number, or the text of a date or timestamp. */
public final class RangeEnd {
  private static final BigInteger MICROS = BigInteger.valueOf(1_000_000);
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter FINE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private RangeEnd() {}

  public static Object of(BigDecimal number, Type type) {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(number.longValueExact()).toString();
      case TIMESTAMP -> timestamp(number.toBigIntegerExact());
      default -> number;
    };
  }

  /** What {@link #of} wrote. */
  static BigDecimal read(Object end, Type type) {
    return switch (type.kind()) {
      case DATE -> BigDecimal.valueOf(LocalDate.parse((String) end).toEpochDay());
      case TIMESTAMP -> micros(LocalDateTime.parse(((String) end).replace(' ', 'T')));
      default -> new BigDecimal(end.toString());
    };
  }

  static BigDecimal micros(LocalDateTime time) {
    return BigDecimal.valueOf(time.toEpochSecond(ZoneOffset.UTC))
        .multiply(new BigDecimal(MICROS))
        .add(BigDecimal.valueOf(time.getNano() / 1000));
  }

  private static String timestamp(BigInteger micros) {
    BigInteger micro = micros.mod(MICROS);
    long second = micros.subtract(micro).divide(MICROS).longValueExact();
    return LocalDateTime.ofEpochSecond(second, micro.intValue() * 1000, ZoneOffset.UTC)
        .format(micro.signum() == 0 ? SECONDS : FINE);
  }
}
