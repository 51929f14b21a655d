package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Relation;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rows have no label is said by the question and the policy, never by the data. */
class OmittedRowsTest {
  private static String of(String key) {
    return OmittedRows.of(
        DecompositionFixture.question("SELECT " + key + ", COUNT(*) FROM trips GROUP BY 1"));
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
        OmittedRows.of(
            DecompositionFixture.question(
                "SELECT status, COUNT(*) FROM trips WHERE status IN ('completed') GROUP BY"
                    + " status")));
  }

  @Test
  void suppliedLabelsLeaveOutTheOthers() {
    Bins bins = new Bins(List.of("note"), List.of(List.of("x")));
    assertEquals(
        "left out are rows whose note is not among the labels supplied",
        OmittedRows.of(
            DecompositionFixture.question(
                "SELECT note, COUNT(*) FROM trips GROUP BY note",
                Optional.of(bins),
                Optional.empty())));
  }

  private static String ofOwned(String sql, String owner, String more) {
    Policy policy =
        PolicyReader.read(
            Map.of(
                "people",
                Map.of("user", Map.of(), "shop", Map.of()),
                "tables",
                Map.of(
                    "events",
                    Map.of(
                        "owners",
                        Map.of("user", owner),
                        "unowned",
                        more,
                        "columns",
                        Map.of(
                            "id", Map.of("type", "bigint", "unique", true, "nullable", false),
                            "u", Map.of("type", "bigint"),
                            "v", Map.of("type", "bigint", "nullable", false),
                            "k", Map.of("type", "varchar", "domain", List.of("a", "b")))),
                    "sales",
                    Map.of(
                        "owners",
                        Map.of("user", "u", "shop", "s"),
                        "columns",
                        Map.of("u", Map.of("type", "bigint"), "s", Map.of("type", "bigint"))))));
    Relation bound =
        new SqlBinder(policy, LocalDateTime.of(2024, 7, 1, 0, 0)).bound(sql).relation();
    return OmittedRows.of(QueryDecomposer.of(bound, policy, Optional.empty()));
  }

  /** A fifth of all events may have no user, and are missing without a word otherwise. */
  @Test
  void rowsThatNobodyMayOwnAreMentioned() {
    String count = "SELECT COUNT(*) FROM events";
    assertEquals("rows without a user are not counted", ofOwned(count, "u", "drop"));
    assertEquals("", ofOwned(count, "v", "drop"), "everybody has one");
    assertEquals("", ofOwned(count, "u", "keep"), "each is its own person");
    assertEquals(
        "left out are rows whose k is NULL or is not in its declared domain; rows without a user"
            + " are not counted",
        ofOwned("SELECT k, COUNT(*) FROM events GROUP BY k", "u", "drop"));
    assertEquals(
        "rows without a shop or user are not counted",
        ofOwned("SELECT COUNT(*) FROM sales", "u", "drop").replace("user or shop", "shop or user"));
    assertEquals(
        "rows without a user are not counted",
        ofOwned(
            "SELECT COUNT(*) FROM (SELECT u, COUNT(*) AS n FROM events GROUP BY u) x WHERE n > 3",
            "u",
            "drop"));
  }
}
