package flexdp.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import flexdp.compute.ValueOrdering;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Equal values look the same, and what is no value is told by nothing but its absence. */
class CanonicalValueTest {
  private static final List<Object> ANYTHING =
      Arrays.asList(
          Double.NaN,
          Double.POSITIVE_INFINITY,
          Double.NEGATIVE_INFINITY,
          -0.0,
          0.0,
          1e308,
          BigDecimal.ZERO,
          new BigDecimal("1.50"),
          new BigDecimal("1e2000000000"),
          new BigDecimal("1e-2000000000"),
          new BigDecimal("9".repeat(1000)),
          true,
          "",
          "a",
          "\uD83D",
          "\uDE00\uD83D",
          "\uD83D\uDE00",
          LocalDate.MIN,
          LocalDate.MAX,
          LocalDate.of(2024, 2, 29),
          LocalDateTime.MAX,
          LocalDateTime.MIN,
          LocalTime.MAX,
          LocalTime.MIDNIGHT,
          7L,
          new UUID(1, 2),
          new byte[] {1},
          new Object());

  private static List<Type> types() {
    List<Type> types = new ArrayList<>();
    for (Type.Kind kind : Type.Kind.values()) {
      types.add(kind == Type.Kind.DECIMAL ? Type.decimal(5, 2) : Type.of(kind));
    }
    return types;
  }

  @Test
  void anythingHasAFormOrNoneAndNeverThrows() {
    for (Type type : types()) {
      for (Object value : ANYTHING) {
        Optional<Object> formed = CanonicalValue.of(type, value);
        formed.ifPresent(
            v -> {
              assertEquals(formed, CanonicalValue.of(type, v), "the form of a form is the same");
              assertEquals(0, ValueOrdering.compare(v, v));
              assertEquals(ValueOrdering.canonical(v), ValueOrdering.canonical(v));
            });
      }
    }
    ANYTHING.forEach(ValueOrdering::canonical);
  }

  @Test
  void equalValuesAreSpeltAlike() {
    assertEquals(
        CanonicalValue.of(Type.DOUBLE, 0.0).map(Object::toString),
        CanonicalValue.of(Type.DOUBLE, -0.0).map(Object::toString));
    assertEquals(Optional.of("1.50"), spelt(Type.decimal(5, 2), new BigDecimal("1.5")));
    assertEquals(Optional.of("1.50"), spelt(Type.decimal(5, 2), new BigDecimal("1.5000")));
    assertEquals(Optional.of("100"), spelt(Type.BIGINT, new BigDecimal("1e2")));
  }

  private static Optional<String> spelt(Type type, Object value) {
    return CanonicalValue.of(type, value).map(Object::toString);
  }

  @Test
  void whatNoLabelCanBeIsNone() {
    for (Object value : new Object[] {Double.NaN, Double.POSITIVE_INFINITY, "1", 7L}) {
      assertEquals(Optional.empty(), CanonicalValue.of(Type.DOUBLE, value));
    }
    assertEquals(Optional.empty(), CanonicalValue.of(Type.TIME, LocalTime.MAX));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.DATE, LocalDate.of(10000, 1, 1)));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.DATE, LocalDate.of(0, 12, 31)));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.TIMESTAMP, LocalDateTime.MAX));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.SMALLINT, new BigDecimal("32768")));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.VARCHAR, "\uD83D"));
    assertEquals(Optional.empty(), CanonicalValue.of(Type.INTERVAL_MICROS, 7L));
    assertNotEquals(Optional.empty(), CanonicalValue.of(Type.VARCHAR, "\uD83D\uDE00"));
    assertNotEquals(Optional.empty(), CanonicalValue.of(Type.DATE, LocalDate.of(9999, 12, 31)));
  }
}
