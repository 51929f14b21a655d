package flexdp.cut;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.question.Bins;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rows have no label is said by the question and the policy, never by the data. */
class LeftOutTest {
  private static String of(String key) {
    return LeftOut.of(Asked.question("SELECT " + key + ", COUNT(*) FROM trips GROUP BY 1"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "status | status is not in its declared domain",
        "rating | rating is not in its declared domain",
        "seats | seats is outside of its declared range",
        "day | day is outside of its declared range",
        "DATE_TRUNC('month', day) | date_trunc comes from day outside of its declared range",
        "EXTRACT(YEAR FROM day) | extract comes from day outside of its declared range",
        "city_id | city_id is NULL or is not in cities.id"
      })
  void rowsWithoutAListedLabelAreMentioned(String key, String said) {
    assertEquals("left out are rows whose " + said, of(key));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "paid",
        "distance > 3",
        "EXTRACT(MONTH FROM at)",
        "CASE WHEN fare > 3 THEN 'a' ELSE 'b' END"
      })
  void labelsThatHoldEveryRowNeedNoWord(String key) {
    assertEquals("", of(key));
  }

  @Test
  void whatWhereExcludesWasNotAskedFor() {
    assertEquals(
        "",
        LeftOut.of(
            Asked.question(
                "SELECT status, COUNT(*) FROM trips WHERE status IN ('completed') GROUP BY"
                    + " status")));
  }

  @Test
  void suppliedLabelsLeaveOutTheOthers() {
    Bins bins = new Bins(List.of("note"), List.of(List.of("x")));
    assertEquals(
        "left out are rows whose note is not among the labels supplied",
        LeftOut.of(
            Asked.question(
                "SELECT note, COUNT(*) FROM trips GROUP BY note",
                Optional.of(bins),
                Optional.empty())));
  }
}
