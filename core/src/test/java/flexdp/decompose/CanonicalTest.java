package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import flexdp.fingerprint.QueryFingerprint;
import flexdp.query.Bins;
import flexdp.query.NoisyAggregate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CanonicalTest {
  private static String text(String sql) {
    return QueryFingerprint.of(DecompositionFixture.question(sql));
  }

  private static void same(String... spellings) {
    for (String spelling : spellings) {
      assertEquals(text(spellings[0]), text(spelling), spelling);
    }
  }

  private static void different(String... questions) {
    for (int i = 0; i < questions.length; i++) {
      for (int j = 0; j < i; j++) {
        assertNotEquals(
            text(questions[i]), text(questions[j]), questions[i] + " / " + questions[j]);
      }
    }
  }

  @Test
  void aliasesAndOrderOfConditionsDoNotMatter() {
    same(
        "SELECT COUNT(*) FROM trips WHERE distance > 3 AND status = 'completed'",
        "SELECT COUNT(*) AS n FROM trips t WHERE t.status = 'completed' AND 3.00 < t.distance",
        "select count(*) from (select * from trips where distance > 3) x"
            + " where 'completed' = x.status and distance > 3",
        "WITH far AS (SELECT status s FROM trips WHERE distance > 3)"
            + " SELECT COUNT(*) FROM far WHERE s = 'completed'",
        "SELECT COUNT(*) FROM trips WHERE NOT (NOT distance > 3) AND status IN ('completed')");
  }

  @Test
  void spellingsOfLiteralsDoNotMatter() {
    same(
        "SELECT COUNT(*) FROM trips WHERE fare = 7.5 AND driver_id IN (1, 2, 3)",
        "SELECT COUNT(*) FROM trips WHERE fare = 7.50 AND driver_id IN (3, 1, 2, 2)",
        "SELECT COUNT(*) FROM trips WHERE (driver_id = 2 OR driver_id = 3 OR 1 = driver_id)"
            + " AND 7.500 = fare");
    same(
        "SELECT COUNT(*) FROM trips WHERE fare BETWEEN 1 AND 2",
        "SELECT COUNT(*) FROM trips WHERE fare <= 2 AND fare >= 1");
  }

  @Test
  void conversionsAreToldApart() {
    String from = "SELECT COUNT(*) FROM trips WHERE ";
    same(from + "driver_id = 5", from + "driver_id = 5.0", from + "driver_id = 5e0");
    same(from + "city_id < 2.5", from + "city_id < 2.50", from + "city_id < 1 + 1.5");
    different(
        from + "note = 'abc'",
        from + "CAST(note AS VARCHAR(3)) = 'abc'",
        from + "CAST(note AS VARCHAR(4)) = 'abc'",
        from + "LEFT(note, 5) = 'abc'");
    different(
        from + "driver_id = city_id",
        from + "CAST(driver_id AS DOUBLE) = city_id",
        from + "CAST(driver_id AS INTEGER) = city_id");
    different(
        "SELECT COUNT(*) FROM (SELECT id AS z FROM trips UNION SELECT city_id FROM trips) q",
        "SELECT COUNT(*) FROM (SELECT id AS z FROM trips UNION SELECT distance FROM trips) q",
        "SELECT COUNT(*) FROM (SELECT CAST(id AS DOUBLE) AS z FROM trips UNION SELECT city_id FROM"
            + " trips) q");
  }

  @Test
  void orderOfJoinsDoesNotMatter() {
    same(
        "SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.country = 'NO'",
        "SELECT COUNT(*) FROM cities c JOIN trips t ON t.city_id = c.id WHERE c.country = 'NO'",
        "SELECT COUNT(*) FROM trips t, cities c WHERE c.id = t.city_id AND c.country = 'NO'",
        "SELECT COUNT(*) FROM trips a JOIN (SELECT id FROM cities WHERE country = 'NO') b"
            + " ON a.city_id = b.id");
    same(
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id"
            + " JOIN cities c ON c.id = b.city_id WHERE a.fare > 10",
        "SELECT COUNT(*) FROM cities c JOIN trips x ON c.id = x.city_id"
            + " JOIN trips y ON y.driver_id = x.driver_id WHERE y.fare > 10");
  }

  @Test
  void twinsAreToldApartByWhatIsReadOfThem() {
    same(
        "SELECT a.status, COUNT(*) FROM trips a JOIN trips b ON a.id = b.id GROUP BY a.status",
        "SELECT b.status, COUNT(*) FROM trips a JOIN trips b ON a.id = b.id GROUP BY b.status");
    same(
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.id = b.id JOIN trips c ON b.id = c.id"
            + " WHERE a.fare > 1 AND b.fare > 2",
        "SELECT COUNT(*) FROM trips c JOIN trips b ON c.id = b.id JOIN trips a ON b.id = a.id"
            + " WHERE a.fare > 1 AND b.fare > 2");
    different(
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.id = b.id JOIN trips c ON b.id = c.id"
            + " WHERE a.fare > 1 AND b.fare > 2",
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.id = b.id JOIN trips c ON b.id = c.id"
            + " WHERE a.fare > 1 AND c.fare > 2",
        "SELECT COUNT(*) FROM trips a JOIN trips b ON a.id = b.id JOIN trips c ON b.id = c.id"
            + " WHERE a.fare > 1 AND a.fare > 2");
  }

  @Test
  void subqueriesInOtherOrder() {
    same(
        "SELECT COUNT(*) FROM cities c WHERE EXISTS (SELECT 1 FROM trips t WHERE t.city_id = c.id"
            + " AND t.fare > 5) AND c.id IN (SELECT city_id FROM trips WHERE rating = 1)",
        "SELECT COUNT(*) FROM cities d WHERE d.id IN (SELECT u.city_id FROM trips u WHERE"
            + " u.rating = 1) AND EXISTS (SELECT 2 FROM trips v WHERE 5 < v.fare AND d.id ="
            + " v.city_id)");
    different(
        "SELECT COUNT(*) FROM cities c WHERE EXISTS (SELECT 1 FROM trips t WHERE t.city_id = c.id)",
        "SELECT COUNT(*) FROM cities c WHERE NOT EXISTS"
            + " (SELECT 1 FROM trips t WHERE t.city_id = c.id)",
        "SELECT COUNT(*) FROM cities c JOIN trips t ON t.city_id = c.id");
  }

  @Test
  void differentQuestionsDiffer() {
    different(
        "SELECT COUNT(*) FROM trips",
        "SELECT COUNT(driver_id) FROM trips",
        "SELECT COUNT(DISTINCT driver_id) FROM trips",
        "SELECT COUNT(*) FROM cities JOIN trips ON trips.city_id = cities.id",
        "SELECT COUNT(*) FROM cities LEFT JOIN trips ON trips.city_id = cities.id",
        "SELECT COUNT(*) FROM trips LEFT JOIN cities ON trips.city_id = cities.id",
        "SELECT COUNT(*) FROM trips WHERE distance > 3",
        "SELECT COUNT(*) FROM trips WHERE distance >= 3",
        "SELECT COUNT(*) FROM trips WHERE distance < 3",
        "SELECT COUNT(*) FROM trips WHERE distance > 3 OR paid",
        "SELECT COUNT(*) FROM trips WHERE distance > 3 AND paid",
        "SELECT COUNT(*) FROM trips WHERE note = 'x'",
        "SELECT COUNT(*) FROM trips WHERE note = 'X'",
        "SELECT COUNT(*) FROM trips WHERE note = 'x '",
        "SELECT COUNT(*) FROM trips WHERE driver_id / 2 = 3",
        "SELECT COUNT(*) FROM trips WHERE driver_id / 2.0 = 3",
        "SELECT SUM(fare) FROM trips",
        "SELECT AVG(fare) FROM trips",
        "SELECT SUM(fare) / COUNT(*) FROM trips",
        "SELECT COUNT(*) + 1 FROM trips",
        "SELECT COUNT(*), COUNT(*) FROM trips",
        "SELECT COUNT(*) FROM (SELECT DISTINCT driver_id FROM trips) x",
        "SELECT COUNT(*) FROM (SELECT DISTINCT driver_id, status FROM trips) x",
        "SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id"
            + " HAVING COUNT(*) > 3) x",
        "SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id"
            + " HAVING COUNT(*) > 4) x",
        "SELECT status, COUNT(*) FROM trips GROUP BY status",
        "SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2",
        "SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 DESC",
        "SELECT status, COUNT(*) FROM trips GROUP BY status HAVING COUNT(*) > 3",
        "SELECT COUNT(*), status FROM trips GROUP BY status",
        "SELECT status, paid, COUNT(*) FROM trips GROUP BY status, paid",
        "SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(*) FROM trips WHERE paid");
  }

  @Test
  void whatStandsAboveLeavesTheReleasePointAlone() {
    NoisyAggregate plain = release("SELECT status, COUNT(*) FROM trips GROUP BY status");
    NoisyAggregate dressed =
        release(
            "SELECT COUNT(*) * 2 AS twice, t.status FROM trips t GROUP BY t.status"
                + " HAVING COUNT(*) > 10 ORDER BY 1 DESC LIMIT 1");
    assertEquals(QueryFingerprint.of(plain), QueryFingerprint.of(dressed));
  }

  @Test
  void measurementsAreFoundAgainInOtherAggregates() {
    NoisyAggregate average = release("SELECT AVG(fare) FROM trips WHERE paid");
    NoisyAggregate count = release("SELECT COUNT(fare) FROM trips WHERE paid");
    String wanted = QueryFingerprint.of(count, count.measurements().getFirst());
    assertEquals(
        1,
        average.measurements().stream()
            .filter(m -> QueryFingerprint.of(average, m).equals(wanted))
            .count());
  }

  @Test
  void suppliedLabelsAreASet() {
    String sql = "SELECT note, status, COUNT(*) FROM trips GROUP BY note, status";
    String one =
        supplied(sql, List.of("note", "status"), List.of(List.of("a", "x"), List.of("b", "y")));
    assertEquals(
        one,
        supplied(sql, List.of("status", "note"), List.of(List.of("y", "b"), List.of("x", "a"))));
    assertNotEquals(
        one,
        supplied(sql, List.of("note", "status"), List.of(List.of("a", "y"), List.of("b", "x"))));
  }

  @Test
  void longChainsOfTwinsAreToldApart() {
    StringBuilder one = new StringBuilder("SELECT COUNT(*) FROM trips t0");
    StringBuilder other = new StringBuilder("SELECT COUNT(*) FROM trips t11");
    for (int i = 1; i < 12; i++) {
      one.append(chained(i, i - 1));
      other.append(chained(11 - i, 12 - i));
    }
    same(one + " WHERE t3.fare > 5", other + " WHERE t3.fare > 5", other + " WHERE t8.fare > 5");
    different(one + " WHERE t3.fare > 5", one + " WHERE t4.fare > 5", one.toString());
  }

  private static String chained(int table, int to) {
    return " JOIN trips t" + table + " ON t" + table + ".driver_id = t" + to + ".driver_id";
  }

  @Test
  void manyTwinsEndInTime() {
    StringBuilder sql = new StringBuilder("SELECT COUNT(*) FROM trips t0");
    for (int i = 1; i < 14; i++) {
      sql.append(" JOIN trips t").append(i).append(" ON t0.id = t").append(i).append(".id");
    }
    // Tried in all orders it would take hours.
    assertTimeoutPreemptively(Duration.ofMinutes(10), () -> text(sql.toString()));
  }

  private static NoisyAggregate release(String sql) {
    return DecompositionFixture.question(sql).releases().getFirst();
  }

  private static String supplied(String sql, List<String> columns, List<List<Object>> rows) {
    return QueryFingerprint.of(
        DecompositionFixture.question(sql, Optional.of(new Bins(columns, rows)), Optional.empty()));
  }
}
