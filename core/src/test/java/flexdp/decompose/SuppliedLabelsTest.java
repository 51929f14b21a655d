package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.query.Bins;
import flexdp.query.Labels;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bins that the asker brings along. */
class SuppliedLabelsTest {
  @Test
  void theyMustFit() {
    String sql = "SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id";
    for (Bins bins :
        List.of(
            new Bins(List.of("driver"), List.of(List.of(1))),
            new Bins(List.of("driver_id"), List.of(List.of("seven"))),
            new Bins(List.of("driver_id"), List.of(List.of(new BigDecimal("1.5")))),
            new Bins(List.of("driver_id", "x"), List.of(List.of(1, 2))))) {
      assertEquals(
          RejectionCode.BAD_LABELS,
          assertThrows(
                  Rejection.class,
                  () -> DecompositionFixture.question(sql, Optional.of(bins), Optional.empty()))
              .code());
    }
  }

  @Test
  void thoseThatAreOneValueInTheTypeOfTheKeyMergeOrAreRefused() {
    String bySum = "SELECT distance, COUNT(*) FROM trips GROUP BY distance";
    Bins twins =
        new Bins(
            List.of("distance"),
            List.of(
                List.of(new BigDecimal("9007199254740992")),
                List.of(new BigDecimal("9007199254740993")),
                List.of("0"),
                List.of("-0.0")));
    assertEquals(
        List.of(List.of(9007199254740992.0), List.of(0.0)),
        assertInstanceOf(
                Labels.Supplied.class,
                DecompositionFixture.question(bySum, Optional.of(twins), Optional.empty())
                    .releases()
                    .getFirst()
                    .labels())
            .rows());
    for (String[] wrong :
        new String[][] {
          {"fare", "1.005"},
          {"fare", "100000000"},
          {"city_id", "2147483648"},
          {"driver_id", "9223372036854775808"},
          {"distance", "1e999"},
          {"at", "2016-01-01T00:00:00.0000001"},
          {"at", "+10000-01-01T00:00:00"},
          {"day", "0000-12-31"}
        }) {
      Bins bins = new Bins(List.of(wrong[0]), List.of(List.of(wrong[1])));
      String sql = "SELECT " + wrong[0] + ", COUNT(*) FROM trips GROUP BY 1";
      assertEquals(
          RejectionCode.BAD_LABELS,
          assertThrows(
                  Rejection.class,
                  () -> DecompositionFixture.question(sql, Optional.of(bins), Optional.empty()))
              .code(),
          wrong[1]);
    }
  }
}
