package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.engine.QueryEngine;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever is given for free is what would have been computed: with so large an ε that noise is
 * nothing, random questions after random questions, a repeat says the same as a fresh answer. The
 * data have NULL, values outside of declared domains and ranges, and references to nowhere.
 */
class AnswerCacheAgreementTest {
  private static final String POLICY =
      SmallRides.POLICY
          .replace("range: [0, 500]", "range: [0, 5]")
          .replace("epsilon: 1000000", "epsilon: 1000000000000");

  @TempDir Path folder;

  @Test
  void freeAnswersAgreeWithPaidOnes() throws Exception {
    agree(20261115, 150, 20);
  }

  @Test
  @Tag("slow")
  void manyFreeAnswersAgreeWithPaidOnes() throws Exception {
    for (int round = 0; round < 20; round++) {
      agree(20270000 + round, 400, 40);
    }
  }

  /** What was measured for CUBEs and workloads, too. */
  private static final List<String> CUBES =
      List.of(
          "SELECT t.status, t.distance > 10, EXTRACT(MONTH FROM t.day), COUNT(*), SUM(t.fare),"
              + " COUNT(t.fare) FROM trips t GROUP BY CUBE(1, 2, 3)",
          "SELECT c.name, t.status, COUNT(*), AVG(t.fare) FROM trips t JOIN cities c"
              + " ON t.city_id = c.id GROUP BY CUBE(1, 2)",
          "SELECT t.status, t.city_id, COUNT(*) FROM trips t WHERE t.distance > 10"
              + " GROUP BY CUBE(1, 2)",
          "SELECT t.status, t.fare IS NULL, COUNT(*) FILTER (WHERE t.distance > 10) FROM trips t"
              + " WHERE t.status = 'completed' OR t.status IS NULL GROUP BY ROLLUP(1, 2)",
          "SELECT CASE WHEN t.status = 'completed' THEN 'done' ELSE 'open' END, t.city_id, COUNT(*)"
              + " FROM trips t LEFT JOIN cities c ON t.city_id = c.id GROUP BY CUBE(1, 2)");

  private static final String WORKLOAD =
      "SELECT t.status, COUNT(*) FROM trips t WHERE t.fare > 2 GROUP BY t.status;SELECT COUNT(*)"
          + " FROM trips t WHERE t.driver_id < 3;SELECT COUNT(*) FROM trips t WHERE t.day BETWEEN"
          + " DATE '2024-02-10' AND DATE '2024-02-14';SELECT EXTRACT(MONTH FROM t.day), COUNT(*)"
          + " FROM trips t WHERE t.city_id IN (1, 2) GROUP BY 1; SELECT t.city_id, COUNT(*) FROM"
          + " trips t GROUP BY t.city_id;SELECT COUNT(*) FROM trips t WHERE (t.distance > 10) IS"
          + " NOT TRUE";

  @Test
  void whatFollowsFromCuboidsAgreesWithWhatIsPaidFor() throws Exception {
    cuboids(20261116, 150, 12);
  }

  @Test
  @Tag("slow")
  void muchThatFollowsFromCuboidsAgreesWithWhatIsPaidFor() throws Exception {
    for (int round = 0; round < 20; round++) {
      cuboids(20280000 + round, 400, 25);
    }
  }

  private void cuboids(long seed, int questions, int least) throws Exception {
    Random random = new Random(seed);
    Path place = java.nio.file.Files.createTempDirectory(folder, "cuboids");
    int estimated = 0;
    try (SmallRides rides = new SmallRides(place, SmallRides.noise(seed), POLICY, rows(random))) {
      rides.gateway.ask(Workload.parse(WORKLOAD), ask("", "10000", true));
      for (String cube : CUBES) {
        rides.gateway.ask(exact(rides.gateway, cube, true));
      }
      for (int i = 0; i < questions; i++) {
        String plain = RandomDashboard.question(random);
        int by = plain.indexOf(" GROUP BY ");
        String sql =
            by > 0 && random.nextInt(5) == 0
                ? plain.substring(0, by) + " GROUP BY CUBE(" + plain.substring(by + 10) + ")"
                : plain;
        try {
          AnalystView view = rides.gateway.ask(exact(rides.gateway, sql, false));
          if (view.repeat()) {
            AnalystView paid = rides.gateway.ask(exact(rides.gateway, sql, true));
            assertEquals(rows(paid), rows(view), seed + ": " + sql + " " + view.derived());
            estimated += view.derived().filter(d -> d.startsWith("estimated")).isPresent() ? 1 : 0;
          }
        } catch (Rejection e) {
          continue;
        } catch (DatabaseError e) {
          throw new AssertionError(sql + " " + rides.log, e);
        }
      }
    }
    assertTrue(estimated >= least, "only " + estimated + " estimated");
  }

  private void agree(long seed, int questions, int least) throws Exception {
    Random random = new Random(seed);
    Path place = java.nio.file.Files.createTempDirectory(folder, "round");
    try (SmallRides rides = new SmallRides(place, SmallRides.noise(seed), POLICY, rows(random))) {
      int sums = agree(rides.gateway, seed, random, questions, least);
      assertTrue(sums >= least / 10, "only " + sums + " sums");
    }
  }

  /** How many of the free answers were sums. */
  static int agree(QueryEngine engine, long seed, Random random, int questions, int least) {
    int repeats = 0;
    int sums = 0;
    List<String> asked = new ArrayList<>(RandomDashboard.BROAD);
    while (asked.size() < questions) {
      asked.add(RandomDashboard.question(random));
    }
    for (String sql : asked) {
      AnalystView view;
      try {
        view = engine.ask(exact(engine, sql, false));
      } catch (Rejection e) {
        continue;
      }
      if (view.repeat()) {
        repeats++;
        sums += view.derived().isPresent() ? 1 : 0;
        AnalystView paid = engine.ask(exact(engine, sql, true));
        assertEquals(rows(paid), rows(view), seed + ": " + sql + " " + view.derived());
      }
    }
    assertTrue(repeats >= least, "only " + repeats + " repeats");
    return sums;
  }

  /** Every measurement gets the largest ε there is. */
  private static QueryRequest exact(QueryEngine engine, String sql, boolean fresh) {
    int measured = engine.plan(ask(sql, "1", fresh)).measurements().size();
    return ask(sql, Integer.toString(10_000 * Math.max(1, measured)), fresh);
  }

  private static QueryRequest ask(String sql, String epsilon, boolean fresh) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal(epsilon)),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of(), fresh);
  }

  private static List<String> rows(AnalystView view) {
    return view.rows().stream()
        .map(row -> row.stream().map(AnswerCacheAgreementTest::text).toList().toString())
        .sorted()
        .toList();
  }

  private static String text(Object value) {
    return switch (value) {
      case Double d ->
          new BigDecimal(d).setScale(6, RoundingMode.HALF_EVEN).stripTrailingZeros().toString();
      case BigDecimal d -> d.signum() == 0 ? "0" : d.stripTrailingZeros().toPlainString();
      case null, default -> String.valueOf(value);
    };
  }

  private static List<String> rows(Random random) {
    List<String> inserts = new ArrayList<>();
    for (int id = 100; id < 160; id++) {
      inserts.add(
          "INSERT INTO trips VALUES ("
              + id
              + ", "
              + orNull(random, random.nextInt(5))
              + ", "
              + orNull(random, 1 + random.nextInt(6))
              + ", "
              + orNull(random, random.nextInt(1000) / 100.0)
              + ", "
              + orNull(random, random.nextInt(20))
              + ", "
              + orNull(random, "'" + pick(random, "requested", "completed", "lost") + "'")
              + ", "
              + orNull(
                  random,
                  "DATE '2024-0" + (1 + random.nextInt(3)) + "-1" + random.nextInt(10) + "'")
              + ")");
    }
    inserts.add("UPDATE trips SET day = DATE '2025-02-03' WHERE id IN (101, 111)");
    return inserts;
  }

  private static String pick(Random random, String... from) {
    return from[random.nextInt(from.length)];
  }

  private static String orNull(Random random, Object value) {
    return random.nextInt(6) == 0 ? "NULL" : value.toString();
  }
}
