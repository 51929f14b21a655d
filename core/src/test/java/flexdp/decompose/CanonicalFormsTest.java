package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal means the same, as far as the question alone decides it. */
class CanonicalFormsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM (SELECT at - day + INTERVAL '1' MONTH AS x FROM trips) q WHERE x IS"
            + " NULL",
        "SELECT COUNT(DISTINCT INTERVAL '1' MONTH + (at - day)) FROM trips",
        "SELECT COUNT(*) FROM trips WHERE (at - day) - INTERVAL '1' YEAR > INTERVAL '1' DAY",
      })
  void aLengthOfMonthsAndDaysIsRefused(String sql) {
    Rejection e = assertThrows(Rejection.class, () -> DecompositionFixture.question(sql));
    assertEquals(RejectionCode.TYPE_MISMATCH, e.code());
  }

  @Test
  void monthsAndDaysAreAddedToADateOneAfterTheOther() {
    assertDoesNotThrow(
        () ->
            DecompositionFixture.question(
                "SELECT COUNT(*) FROM trips WHERE at + (INTERVAL '1' MONTH + INTERVAL '1' DAY) >"
                    + " TIMESTAMP '2016-01-01 00:00:00'"));
  }

  /** The opposite of the least integer is NULL, and one NULL would empty the answer. */
  @ParameterizedTest
  @ValueSource(strings = {"ABS(id)", "-id"})
  void whatMayOverflowMayBeNull(String expression) {
    String sql =
        "SELECT COUNT(*) FROM trips WHERE id NOT IN (SELECT " + expression + " FROM trips)";
    Rejection e = assertThrows(Rejection.class, () -> DecompositionFixture.question(sql));
    assertEquals(RejectionCode.NOT_IN_NULLABLE, e.code());
  }
}
