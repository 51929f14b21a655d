package flexdp.algebra;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Optional;

/**
 * What a conversion does to values. The rules that take a converted column for the column itself
 * (max frequency, touched keys, equal columns, labels) hold only for conversions that are listed
 * here; every other one counts as a computation (guarantee §12).
 */
public final class Conversions {
  /** As many digits as every database holds exactly: some have 64 bits for a decimal. */
  private static final int EVERYWHERE = 18;

  /** As many bits as the whole numbers of a type have beside the sign. */
  private static final int SMALL_BITS = 15;

  private static final int INTEGER_BITS = 31;
  private static final int BIG_BITS = 63;

  private Conversions() {}

  /**
   * Whether every value has a value of its own in the other type: none becomes NULL, no two become
   * one, and their order stays. A double holds every integer of 32 bits, but not of 64. Days lie
   * within the years 1 to 9999, where every timestamp does.
   */
  public static boolean isInjective(Type from, Type to) {
    if (from.equals(to)) {
      return true;
    }
    return switch (from.kind()) {
      case SMALLINT, INTEGER -> to.kind() == Type.Kind.DOUBLE || holdsAll(from, to);
      case BIGINT, DECIMAL -> holdsAll(from, to);
      case DATE -> to.kind() == Type.Kind.TIMESTAMP;
      case BOOLEAN,
          DOUBLE,
          VARCHAR,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          false;
    };
  }

  /** Whether the other type has as many digits on both sides of the point. */
  private static boolean holdsAll(Type from, Type to) {
    if (to.isInteger()) {
      return from.isInteger() && bits(from) <= bits(to);
    }
    return to.kind() == Type.Kind.DECIMAL
        && to.precision() <= EVERYWHERE
        && to.scale() >= from.scale()
        && to.wholeDigits() >= from.wholeDigits();
  }

  /**
   * Whether different values stay different or become NULL. Enough where NULL matches nothing: for
   * a plain equality, and for frequencies in which NULL does not count.
   */
  public static boolean keepsApart(Type from, Type to) {
    return isInjective(from, to) || from.isExact() && to.isExact() && to.scale() >= from.scale();
  }

  /** Whether only NULL becomes NULL. */
  public static boolean isTotal(Type from, Type to) {
    return isInjective(from, to)
        || to.kind() == Type.Kind.VARCHAR
        || from.isNumeric() && to.kind() == Type.Kind.DOUBLE
        || from.isDateTime() && to.isDateTime();
  }

  /** The column that an expression is, but for injective conversions. */
  public static Optional<Expr.Ref> column(Expr expr) {
    Expr inner = expr;
    while (inner instanceof Expr.Cast cast && isInjective(cast.operand().type(), cast.type())) {
      inner = cast.operand();
    }
    return inner instanceof Expr.Ref ref ? Optional.of(ref) : Optional.empty();
  }

  /** The column that an expression is wherever it is not NULL. */
  public static Optional<Expr.Ref> columnUnlessNull(Expr expr) {
    Expr inner = expr;
    while (inner instanceof Expr.Cast cast && keepsApart(cast.operand().type(), cast.type())) {
      inner = cast.operand();
    }
    return inner instanceof Expr.Ref ref ? Optional.of(ref) : Optional.empty();
  }

  /**
   * A number or a moment in another type of its family; null where that type has no such value.
   * Only what needs no choice is converted here: integers, decimals and doubles into wider types,
   * days into timestamps; numbers with more digits than the type are rounded away from zero.
   */
  public static Object value(Object value, Type to) {
    return switch (to.kind()) {
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> exact(number(value), to);
      case DOUBLE -> finite(number(value).doubleValue());
      case DATE -> value instanceof LocalDateTime moment ? moment.toLocalDate() : value;
      case TIMESTAMP -> value instanceof LocalDate day ? day.atStartOfDay() : value;
      case BOOLEAN, VARCHAR, TIME, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL -> value;
    };
  }

  /** Whether a constant has exactly its own value in another type of its family. */
  public static boolean isExact(Object value, Type to) {
    Object converted =
        value instanceof Double || value instanceof BigDecimal
            ? to.isNumeric() ? value(value, to) : null
            : to.isDateTime() ? value(value, to) : null;
    return switch (converted) {
      case null -> false;
      case BigDecimal number -> number.compareTo(number(value)) == 0;
      case Double number -> new BigDecimal(number).compareTo(number(value)) == 0;
      case LocalDate day -> value instanceof LocalDate || isMidnight(value);
      case LocalDateTime ignored -> true;
      default -> false;
    };
  }

  private static boolean isMidnight(Object value) {
    return value instanceof LocalDateTime moment && moment.toLocalTime().equals(LocalTime.MIDNIGHT);
  }

  private static BigDecimal number(Object value) {
    return value instanceof Double real ? new BigDecimal(real) : (BigDecimal) value;
  }

  private static BigDecimal exact(BigDecimal number, Type to) {
    BigDecimal rounded = number.setScale(to.scale(), RoundingMode.HALF_UP);
    boolean fits =
        to.isInteger()
            ? rounded.toBigIntegerExact().bitLength() <= bits(to)
            : rounded.precision() <= to.precision();
    return fits ? rounded : null;
  }

  private static int bits(Type type) {
    return switch (type.kind()) {
      case SMALLINT -> SMALL_BITS;
      case INTEGER -> INTEGER_BITS;
      default -> BIG_BITS;
    };
  }

  /** Zero has no sign here. */
  private static Double finite(double value) {
    return Double.isFinite(value) ? Double.valueOf(value + 0.0) : null;
  }
}
