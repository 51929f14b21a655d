package flexdp.policy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;

/**
 * The types that expressions have. Precision and scale matter for DECIMAL only and are 0 elsewhere.
 */
public record Type(Kind kind, int precision, int scale) {
  /** What a value is, by family. */
  public enum Kind {
    BOOLEAN,
    SMALLINT,
    INTEGER,
    BIGINT,
    DECIMAL,
    DOUBLE,
    VARCHAR,
    DATE,
    TIME,
    TIMESTAMP,
    /** A number of months. */
    INTERVAL_MONTHS,
    /** A number of microseconds. */
    INTERVAL_MICROS,
    UUID,
    /** A column that may be counted and grouped but has no operators. */
    OPAQUE,
    /** The type of a bare NULL. */
    NULL
  }

  public static final Type BOOLEAN = of(Kind.BOOLEAN);
  public static final Type SMALLINT = of(Kind.SMALLINT);
  public static final Type INTEGER = of(Kind.INTEGER);
  public static final Type BIGINT = of(Kind.BIGINT);
  public static final Type DOUBLE = of(Kind.DOUBLE);
  public static final Type VARCHAR = of(Kind.VARCHAR);
  public static final Type DATE = of(Kind.DATE);
  public static final Type TIME = of(Kind.TIME);
  public static final Type TIMESTAMP = of(Kind.TIMESTAMP);
  public static final Type INTERVAL_MONTHS = of(Kind.INTERVAL_MONTHS);
  public static final Type INTERVAL_MICROS = of(Kind.INTERVAL_MICROS);
  public static final Type UUID = of(Kind.UUID);
  public static final Type OPAQUE = of(Kind.OPAQUE);
  public static final Type NULL = of(Kind.NULL);

  public static Type of(Kind kind) {
    return new Type(kind, 0, 0);
  }

  public static Type decimal(int precision, int scale) {
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
      throw new IllegalArgumentException("no such type: decimal(" + precision + ", " + scale + ")");
    }
    return new Type(Kind.DECIMAL, precision, scale);
  }

  public boolean isInteger() {
    return kind == Kind.SMALLINT || kind == Kind.INTEGER || kind == Kind.BIGINT;
  }

  /** Exact numbers: integers and decimals. */
  public boolean isExact() {
    return isInteger() || kind == Kind.DECIMAL;
  }

  /** The most digits before the point that an exact number of this type has. */
  public int wholeDigits() {
    return switch (kind) {
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case DECIMAL -> precision - scale;
      case BOOLEAN,
          DOUBLE,
          VARCHAR,
          DATE,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          throw new IllegalArgumentException("not an exact type: " + this);
    };
  }

  /** The largest magnitude of an exact type; the least integer is one further from zero. */
  public Optional<BigDecimal> largest() {
    return switch (kind) {
      case SMALLINT -> power(15);
      case INTEGER -> power(31);
      case BIGINT -> power(63);
      case DECIMAL ->
          Optional.of(BigDecimal.TEN.pow(precision).subtract(BigDecimal.ONE).movePointLeft(scale));
      case BOOLEAN,
          DOUBLE,
          VARCHAR,
          DATE,
          TIME,
          TIMESTAMP,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          Optional.empty();
    };
  }

  private static Optional<BigDecimal> power(int bits) {
    return Optional.of(new BigDecimal(BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE)));
  }

  public boolean isNumeric() {
    return isExact() || kind == Kind.DOUBLE;
  }

  public boolean isDateTime() {
    return kind == Kind.DATE || kind == Kind.TIMESTAMP;
  }

  public boolean isInterval() {
    return kind == Kind.INTERVAL_MONTHS || kind == Kind.INTERVAL_MICROS;
  }

  @Override
  public String toString() {
    String name = kind.name().toLowerCase(java.util.Locale.ROOT);
    return kind == Kind.DECIMAL ? name + "(" + precision + "," + scale + ")" : name;
  }
}
