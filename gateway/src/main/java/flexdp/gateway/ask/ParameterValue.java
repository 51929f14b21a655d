package flexdp.gateway.ask;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.Type;
import flexdp.sql.bind.ParameterTypes.Parameter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/** Values of parameters, which have to be of the type that is wanted. NULL is of every type. */
final class ParameterValue {
  private static final int LONGEST_NUMBER = 1_000;

  private ParameterValue() {}

  /** The value itself, when it fits. */
  static Object checked(Parameter parameter, Object value) {
    if (value == null || fits(parameter.type(), value)) {
      return value;
    }
    throw wrong(parameter, "Provided value: " + kind(value));
  }

  private static boolean fits(Type type, Object value) {
    return switch (type.kind()) {
      case BOOLEAN -> value instanceof Boolean;
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> isNumber(value);
      case DATE, TIMESTAMP -> value instanceof LocalDate || value instanceof LocalDateTime;
      case TIME -> value instanceof LocalTime;
      case UUID -> value instanceof UUID;
      case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> value instanceof String;
    };
  }

  private static boolean isNumber(Object value) {
    return switch (value) {
      case Byte ignored -> true;
      case Short ignored -> true;
      case Integer ignored -> true;
      case Long ignored -> true;
      case BigInteger ignored -> true;
      // Written out, a number with a large exponent would fill the memory.
      case BigDecimal n -> Math.abs((long) n.scale()) + n.precision() <= LONGEST_NUMBER;
      case Float n -> Float.isFinite(n);
      case Double n -> Double.isFinite(n);
      default -> false;
    };
  }

  /** A value as people type it. */
  static Object parsed(Parameter parameter, String text) {
    try {
      return switch (parameter.type().kind()) {
        case BOOLEAN ->
            switch (text) {
              case "true" -> true;
              case "false" -> false;
              default -> throw new IllegalArgumentException();
            };
        case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> {
          if (text.length() > LONGEST_NUMBER) {
            throw new IllegalArgumentException();
          }
          yield checked(parameter, new BigDecimal(text));
        }
        case DATE, TIMESTAMP ->
            text.length() <= 10
                ? LocalDate.parse(text)
                : LocalDateTime.parse(text.replace(' ', 'T'));
        case TIME -> LocalTime.parse(text);
        case UUID -> UUID.fromString(text);
        case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> text;
      };
    } catch (IllegalArgumentException | DateTimeException e) {
      throw wrong(parameter, "Provided value: " + (text.length() > 40 ? "…" : text));
    }
  }

  private static ConfigurationError wrong(Parameter parameter, String provided) {
    return ConfigurationError.of(
        Code.BAD_REQUEST,
        "the parameter "
            + PreparedQuestion.shown(parameter.name())
            + " must be of type "
            + parameter.type()
            + ". "
            + provided,
        "Give a value of that type, or write a cast into the question, as in CAST("
            + PreparedQuestion.shown(parameter.name())
            + " AS varchar).");
  }

  private static String kind(Object value) {
    return "a " + value.getClass().getSimpleName();
  }
}
