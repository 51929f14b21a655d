package flexdp.gateway.propose;

import flexdp.gateway.propose.CheckConstraint.CheckFact;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * What the CHECK constraints of a table prove of one column.
 *
 * @param low nothing smaller occurs, as the numbers of {@link Range}
 * @param labels nothing else occurs
 */
record ColumnFacts(
    boolean notNull,
    Optional<BigDecimal> low,
    Optional<BigDecimal> high,
    Optional<List<Object>> labels) {

  static ColumnFacts of(String column, Type type, List<CheckFact> facts) {
    boolean notNull = false;
    Optional<BigDecimal> low = Optional.empty();
    Optional<BigDecimal> high = Optional.empty();
    Optional<List<Object>> labels = Optional.empty();
    for (CheckFact fact : facts) {
      if (!fact.column().equalsIgnoreCase(column)) {
        continue;
      }
      switch (fact) {
        case CheckFact.NotNull ignored -> notNull = true;
        case CheckFact.AtLeast least -> {
          Optional<BigDecimal> end = number(least.value(), type).map(n -> above(n, least, type));
          low = tighter(low, end, BigDecimal::max);
        }
        case CheckFact.AtMost most -> {
          Optional<BigDecimal> end = number(most.value(), type).map(n -> below(n, most, type));
          high = tighter(high, end, BigDecimal::min);
        }
        case CheckFact.OneOf oneOf -> {
          if (labels.isEmpty()) {
            labels = labels(oneOf.values(), type);
          }
        }
      }
    }
    return new ColumnFacts(notNull, low, high, labels);
  }

  private static Optional<BigDecimal> tighter(
      Optional<BigDecimal> one, Optional<BigDecimal> two, BinaryOperator<BigDecimal> which) {
    return one.isPresent() && two.isPresent()
        ? Optional.of(which.apply(one.get(), two.get()))
        : one.or(() -> two);
  }

  /** Both ends, when both are proven and leave something between them. */
  Optional<Range> range() {
    return low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) <= 0
        ? Optional.of(new Range(low.get(), high.get()))
        : Optional.empty();
  }

  private static BigDecimal above(BigDecimal end, CheckFact.AtLeast fact, Type type) {
    return fact.strict() && isWhole(end, type) ? end.add(BigDecimal.ONE) : end;
  }

  private static BigDecimal below(BigDecimal end, CheckFact.AtMost fact, Type type) {
    return fact.strict() && isWhole(end, type) ? end.subtract(BigDecimal.ONE) : end;
  }

  /** Between whole numbers, dates or microseconds nothing lies, so a strict end moves by one. */
  private static boolean isWhole(BigDecimal end, Type type) {
    return (type.isInteger() || type.isDateTime()) && end.stripTrailingZeros().scale() <= 0;
  }

  private static Optional<BigDecimal> number(Object value, Type type) {
    try {
      return switch (type.kind()) {
        case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
            value instanceof BigDecimal number ? Optional.of(number) : Optional.empty();
        case DATE -> Optional.of(BigDecimal.valueOf(LocalDate.parse((String) value).toEpochDay()));
        case TIMESTAMP -> Optional.of(micros((String) value));
        default -> Optional.empty();
      };
    } catch (DateTimeException | ClassCastException e) {
      return Optional.empty();
    }
  }

  private static BigDecimal micros(String text) {
    LocalDateTime time =
        text.length() == 10
            ? LocalDate.parse(text).atStartOfDay()
            : LocalDateTime.parse(text.replace(' ', 'T'));
    return BigDecimal.valueOf(time.toEpochSecond(ZoneOffset.UTC))
        .multiply(BigDecimal.valueOf(1_000_000))
        .add(BigDecimal.valueOf(time.getNano() / 1000));
  }

  private static Optional<List<Object>> labels(List<Object> values, Type type) {
    boolean fits =
        values.stream()
            .allMatch(
                v ->
                    type.kind() == Type.Kind.VARCHAR && v instanceof String
                        || type.isInteger()
                            && v instanceof BigDecimal n
                            && n.stripTrailingZeros().scale() <= 0);
    return fits ? Optional.of(new ArrayList<>(new LinkedHashSet<>(values))) : Optional.empty();
  }
}
