package flexdp.partition;

import flexdp.partition.PartitionSet.NamedParts;
import flexdp.partition.PartitionSet.NumberedParts;
import flexdp.policy.Table.Partition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.Locale;
import java.util.Optional;

/**
 * The column of a partition, and how its values are parts. Parts of the calendar and of whole
 * numbers are numbered, all others named. Names are what a ledger keeps: one for each part, and
 * never the same for two.
 */
record PartitionKey(int column, Partition partition) {
  /** The part of the rows whose column is NULL. No other name is written like this. */
  static final String NULL = "NULL";

  /** Longer texts have no part of their own. */
  private static final int LONGEST_NAME = 100;

  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  boolean isNumbered() {
    return partition.each().isPresent() || partition.type().isInteger();
  }

  PartitionSet all() {
    return isNumbered() ? NumberedParts.all(this) : NamedParts.ALL;
  }

  PartitionSet none() {
    return isNumbered() ? NumberedParts.none(this) : NamedParts.NONE;
  }

  PartitionSet onlyNull() {
    return isNumbered() ? NumberedParts.none(this).orNull() : NamedParts.NULL;
  }

  PartitionSet notNull() {
    return isNumbered()
        ? NumberedParts.between(this, Long.MIN_VALUE, Long.MAX_VALUE)
        : NamedParts.NOT_NULL;
  }

  /** The part of a text or truth value. */
  PartitionSet named(Object value) {
    String name = value instanceof String text ? "'" + text + "'" : value.toString();
    return name.length() > LONGEST_NAME ? NamedParts.NOT_NULL : NamedParts.of(name);
  }

  /** The parts of the whole numbers between two numbers; absent: there is no such end. */
  PartitionSet numbers(Optional<BigDecimal> from, Optional<BigDecimal> to) {
    BigInteger low = from.map(n -> whole(n, RoundingMode.CEILING)).orElse(LEAST);
    BigInteger high = to.map(n -> whole(n, RoundingMode.FLOOR)).orElse(MOST);
    return low.compareTo(MOST) > 0 || high.compareTo(LEAST) < 0
        ? none()
        : NumberedParts.between(this, low.max(LEAST).longValue(), high.min(MOST).longValue());
  }

  /** Rounded; what lies far beyond all columns, or is next to nothing, is not written out. */
  private static BigInteger whole(BigDecimal n, RoundingMode mode) {
    long digits = (long) n.precision() - n.scale();
    BigDecimal near =
        digits > 25
            ? BigDecimal.TEN.pow(25).multiply(BigDecimal.valueOf(n.signum()))
            : digits < -5 ? BigDecimal.valueOf(n.signum()).movePointLeft(1) : n;
    return near.setScale(0, mode).toBigInteger();
  }

  /**
   * The parts of the moments from one on and before another.
   *
   * @param from absent: from ever on
   * @param before absent: for ever
   */
  PartitionSet moments(Optional<LocalDateTime> from, Optional<LocalDateTime> before) {
    return NumberedParts.between(
        this,
        from.map(t -> number(t.toLocalDate())).orElse(Long.MIN_VALUE),
        before.map(this::last).orElse(Long.MAX_VALUE));
  }

  /** The last part that has moments before this one. */
  private long last(LocalDateTime before) {
    LocalDate day = before.toLocalDate();
    boolean begins = before.equals(day.atStartOfDay()) && number(day) != number(day.minusDays(1));
    return begins ? number(day) - 1 : number(day);
  }

  /** Whether each part lies in one month of the year. */
  boolean isWithinMonths() {
    return partition
        .each()
        .filter(e -> e == Partition.Each.MONTH || e == Partition.Each.DAY)
        .isPresent();
  }

  private long number(LocalDate day) {
    return switch (partition.each().orElseThrow()) {
      case YEAR -> day.getYear();
      case QUARTER -> 4L * day.getYear() + day.get(IsoFields.QUARTER_OF_YEAR) - 1;
      case MONTH -> day.getLong(ChronoField.PROLEPTIC_MONTH);
      case WEEK -> Math.floorDiv(day.toEpochDay() + 3, 7L);
      case DAY -> day.toEpochDay();
    };
  }

  /** The month of the year in which a part begins. */
  int month(long part) {
    return first(part).getMonthValue();
  }

  private LocalDate first(long part) {
    return switch (partition.each().orElseThrow()) {
      case YEAR -> LocalDate.of(Math.toIntExact(part), 1, 1);
      case QUARTER ->
          LocalDate.of(Math.toIntExact(Math.floorDiv(part, 4L)), 3 * Math.floorMod(part, 4) + 1, 1);
      case MONTH ->
          LocalDate.of(Math.toIntExact(Math.floorDiv(part, 12L)), Math.floorMod(part, 12) + 1, 1);
      case WEEK -> LocalDate.ofEpochDay(7 * part - 3);
      case DAY -> LocalDate.ofEpochDay(part);
    };
  }

  /** What a numbered part is called. */
  String name(long part) {
    if (partition.each().isEmpty()) {
      return Long.toString(part);
    }
    LocalDate day = first(part);
    return switch (partition.each().get()) {
      case YEAR -> Integer.toString(day.getYear());
      case QUARTER -> day.getYear() + "-Q" + day.get(IsoFields.QUARTER_OF_YEAR);
      case MONTH -> String.format(Locale.ROOT, "%04d-%02d", day.getYear(), day.getMonthValue());
      case WEEK ->
          String.format(
              Locale.ROOT,
              "%04d-W%02d",
              day.get(IsoFields.WEEK_BASED_YEAR),
              day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
      case DAY -> day.toString();
    };
  }
}
