package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import java.math.BigInteger;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Where no more than g rows of a person are read, max frequencies of her columns stop growing at g.
 * A bound must not fall when they do.
 */
class CappedFrequenciesTest {
  private static final int ROWS = 4;

  /** mf by a column that names the owner: g for each person, and never more than g. */
  private static long mf(long people) {
    return Math.min(ROWS, ROWS * people);
  }

  /**
   * A padded side, one new row that meets g new ones. Written with what the partners may grow by,
   * the bound of the empty table is 5 and that of one person further is 4; with the grown frequency
   * in place of the other it stays at 4.
   */
  @Test
  void growthInPlaceOfAFrequencyIsMonotoneAndBesideItIsNot() {
    long[] beside = new long[3];
    long[] inPlace = new long[3];
    for (int people = 0; people < 3; people++) {
      long here = Math.max(1, mf(people));
      beside[people] = here + Math.min(ROWS, mf(people + 1) - mf(people));
      inPlace[people] = Math.min(here + ROWS, Math.max(1, mf(people + 1)));
    }
    assertEquals(List.of(5L, 4L, 4L), List.of(beside[0], beside[1], beside[2]));
    assertEquals(List.of(4L, 4L, 4L), List.of(inPlace[0], inPlace[1], inPlace[2]));
  }

  private static Map<String, Object> column(boolean key) {
    Map<String, Object> column = new LinkedHashMap<>();
    column.put("type", "integer");
    column.put("unique", key);
    column.put("nullable", !key);
    column.put("individual", false);
    return column;
  }

  private static final Policy POLICY =
      PolicyReader.read(
          Map.of(
              "people",
              Map.of("person", Map.of("key", "e.o")),
              "tables",
              Map.of(
                  "e",
                  Map.of(
                      "columns",
                      Map.of("o", column(true), "a", column(false)),
                      "owners",
                      Map.of("person", "o"),
                      "rowsPerPerson",
                      1),
                  "v",
                  Map.of(
                      "columns",
                      Map.of("o", column(false), "a", column(false)),
                      "owners",
                      Map.of("person", "o"),
                      "rowsPerPerson",
                      ROWS))));

  /** Of tables without rows. */
  private static Metrics empty() {
    MaxFrequency none =
        new MaxFrequency(Optional.of(BigInteger.ZERO), Optional.of(BigInteger.ZERO));
    Map<String, TableMetrics> tables = new HashMap<>();
    for (String name : List.of("e", "v")) {
      tables.put(
          name,
          new TableMetrics(
              Optional.of(BigInteger.ZERO),
              Map.of(Set.of("o"), none, Set.of("a"), none),
              POLICY.table(name).orElseThrow().ownership().rowsPerPerson()));
    }
    return new Metrics(tables, Map.of());
  }

  @Test
  void boundsOfEmptyTablesGrowWithPeople() {
    for (String join : List.of("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN")) {
      for (String on : List.of("e.o = v.o", "e.o = v.a", "e.a = v.o", "e.a = v.a")) {
        for (String more :
            List.of("", " JOIN e AS f ON f.a = e.a", " LEFT JOIN v AS w ON w.o = e.a")) {
          String sql = "SELECT COUNT(*) FROM e " + join + " v ON " + on + more;
          if (on.equals("e.o = v.o") && more.isEmpty()) {
            continue; // each row is one person's: clipped
          }
          PlannedMeasurement planned =
              new Analyzer(POLICY, empty(), LocalDateTime.of(2024, 7, 1, 0, 0))
                  .plan(sql, AnalysisOptions.DEFAULT)
                  .measurements()
                  .getFirst();
          BigInteger before = BigInteger.ZERO;
          for (long people = 0; people < 6; people++) {
            BigInteger here =
                planned
                    .bound()
                    .evaluate(Map.of(new PrivacyUnit.Person("person"), BigInteger.valueOf(people)));
            assertTrue(here.compareTo(before) >= 0, sql + " falls at " + people);
            before = here;
          }
          assertTrue(before.signum() > 0, sql);
        }
      }
    }
  }
}
