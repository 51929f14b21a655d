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

  /** As text where it is no number. */
  public static Object of(BigDecimal number, Type type) {
    return switch (value(number, type)) {
      case LocalDate day -> day.toString();
      case LocalDateTime time -> time.format(time.getNano() == 0 ? SECONDS : FINE);
      case Object plain -> plain;
    };
  }

  /** As a value of a type: days and moments are bounded by numbers. */
  public static Object value(BigDecimal number, Type type) {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(number.longValueExact());
      case TIMESTAMP -> moment(number.toBigIntegerExact());
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

  private static LocalDateTime moment(BigInteger micros) {
    BigInteger micro = micros.mod(MICROS);
    long second = micros.subtract(micro).divide(MICROS).longValueExact();
    return LocalDateTime.ofEpochSecond(second, micro.intValue() * 1000, ZoneOffset.UTC);
  }
}
