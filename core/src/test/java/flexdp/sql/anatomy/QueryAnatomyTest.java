package flexdp.sql.anatomy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryAnatomyTest {
  @Test
  void operatorsAreThoseThatOccur() {
    assertEquals(Set.of("SELECT"), QueryAnatomy.of("SELECT COUNT(*) FROM t").operators());
    assertEquals(
        Set.of("SELECT", "JOIN", "UNION"),
        QueryAnatomy.of("SELECT a FROM t JOIN u ON t.a = u.a UNION ALL SELECT b FROM v")
            .operators());
    assertEquals(
        Set.of("SELECT", "EXCEPT", "INTERSECT"),
        QueryAnatomy.of("SELECT a FROM t EXCEPT SELECT a FROM u INTERSECT SELECT a FROM v")
            .operators());
  }

  @Test
  void joinConditionsFallIntoThePapersClasses() {
    assertEquals(QueryAnatomy.Condition.EQUIJOIN, condition("t.a = u.b"));
    assertEquals(QueryAnatomy.Condition.COMPOUND, condition("t.a = u.b AND t.c > 3"));
    assertEquals(QueryAnatomy.Condition.COMPOUND, condition("lower(t.a) = u.b"));
    assertEquals(QueryAnatomy.Condition.COLUMN_COMPARISON, condition("t.a > u.b"));
    assertEquals(QueryAnatomy.Condition.LITERAL_COMPARISON, condition("t.a = 5"));
  }

  private static QueryAnatomy.Condition condition(String on) {
    return QueryAnatomy.of("SELECT COUNT(*) FROM t JOIN u ON " + on).joins().getFirst().condition();
  }

  @Test
  void everyJoinIsCountedWithItsKind() {
    QueryAnatomy anatomy =
        QueryAnatomy.of(
            "SELECT COUNT(*) FROM a LEFT JOIN b ON a.x = b.x, c CROSS JOIN d"
                + " WHERE a.y IN (SELECT y FROM e JOIN f USING (z))");
    assertEquals(4, anatomy.joins().size());
    assertTrue(anatomy.joins().stream().anyMatch(j -> j.kind() == QueryAnatomy.Kind.LEFT));
    assertTrue(anatomy.joins().stream().anyMatch(j -> j.kind() == QueryAnatomy.Kind.CROSS));
  }

  @Test
  void aTableBesideItselfIsASelfJoin() {
    assertTrue(QueryAnatomy.of("SELECT 1 FROM t a JOIN t b ON a.x = b.y").selfJoin());
    assertTrue(
        QueryAnatomy.of("SELECT 1 FROM t a JOIN (SELECT x FROM T) b ON a.x = b.x").selfJoin());
    assertFalse(QueryAnatomy.of("SELECT 1 FROM t a JOIN u b ON a.x = b.y").selfJoin());
  }

  @Test
  void statisticalMeansOnlyAggregatesKeysAndConstants() {
    assertTrue(QueryAnatomy.of("SELECT COUNT(*), 1 FROM t").statistical());
    assertTrue(
        QueryAnatomy.of("SELECT city, SUM(x) / COUNT(*) FROM t GROUP BY city").statistical());
    assertTrue(QueryAnatomy.of("SELECT lower(city) c, COUNT(*) FROM t GROUP BY 1").statistical());
    assertFalse(QueryAnatomy.of("SELECT a, b FROM t").statistical());
    assertFalse(QueryAnatomy.of("SELECT city FROM t GROUP BY city").statistical());
    assertTrue(
        QueryAnatomy.of("WITH w AS (SELECT x FROM t) SELECT MAX(x) FROM w ORDER BY 1")
            .statistical());
  }

  @Test
  void aggregatesAreListedPerCall() {
    assertEquals(
        List.of("COUNT", "SUM", "COUNT"),
        QueryAnatomy.of("SELECT COUNT(*), SUM(x) FROM t HAVING COUNT(DISTINCT y) > 1")
            .aggregates());
  }

  @Test
  void keysAreTracedThroughSubqueriesToTheirTables() {
    assertEquals(
        List.of("t.x=u.y"), keys("SELECT 1 FROM t JOIN (SELECT y x FROM u) s ON t.x = s.x"));
    assertEquals(
        List.of("t.x=u.x"),
        keys("WITH s AS (SELECT * FROM u) SELECT 1 FROM t JOIN s ON t.x = s.x"));
    assertEquals(List.of("t.x=u.x"), keys("SELECT 1 FROM t JOIN u USING (x)"));
    assertEquals(List.of("?.y=?.z"), keys("SELECT 1 FROM t, u WHERE y = z"));
  }

  @Test
  void aCountIsNoBaseKey() {
    String sub = "(SELECT x, COUNT(*) AS n FROM u GROUP BY x) s";
    assertTrue(join("SELECT 1 FROM t JOIN " + sub + " ON t.x = s.x").baseKeys());
    assertFalse(join("SELECT 1 FROM t JOIN " + sub + " ON t.x = s.n").baseKeys());
    assertFalse(
        join("WITH s AS (SELECT COUNT(*) n FROM u) SELECT 1 FROM t JOIN s ON t.x = s.n")
            .baseKeys());
  }

  @Test
  void commasHaveTheirConditionsInWhere() {
    assertEquals(
        QueryAnatomy.Condition.EQUIJOIN,
        join("SELECT 1 FROM t, u WHERE t.x = u.x AND t.y > 3").condition());
    assertEquals(
        QueryAnatomy.Condition.COMPOUND,
        join("SELECT 1 FROM t, u WHERE t.x = u.x AND t.y > u.y").condition());
    assertEquals(
        QueryAnatomy.Condition.EQUIJOIN,
        join("SELECT 1 FROM t, u WHERE x = y AND z > 3").condition());
    QueryAnatomy.Join none = join("SELECT 1 FROM t, u WHERE t.x = 4");
    assertEquals(QueryAnatomy.Condition.NONE, none.condition());
    assertEquals(QueryAnatomy.Kind.CROSS, none.kind());
  }

  @Test
  void aWindowIsNoAggregateAndStatisticsOfStatisticsAreStatistics() {
    assertFalse(QueryAnatomy.of("SELECT COUNT(*) OVER () FROM t").statistical());
    assertEquals(List.of(), QueryAnatomy.of("SELECT COUNT(*) OVER () FROM t").aggregates());
    assertTrue(
        QueryAnatomy.of("SELECT * FROM (SELECT c, COUNT(*) n FROM t GROUP BY c) s WHERE n > 3")
            .statistical());
  }

  @Test
  void aCommonTableExpressionBesideItsTableIsASelfJoin() {
    assertTrue(
        QueryAnatomy.of("WITH w AS (SELECT x FROM t) SELECT 1 FROM w JOIN t ON w.x = t.x")
            .selfJoin());
  }

  private static QueryAnatomy.Join join(String sql) {
    return QueryAnatomy.of(sql).joins().getFirst();
  }

  private static List<String> keys(String sql) {
    return join(sql).equalities().stream().map(e -> key(e.left()) + "=" + key(e.right())).toList();
  }

  private static String key(QueryAnatomy.Key key) {
    return key.table().orElse("?") + "." + key.column();
  }

  @Test
  void sizeGrowsWithEveryClause() {
    assertEquals(2, QueryAnatomy.of("SELECT COUNT(*) FROM t").clauses());
    assertEquals(3, QueryAnatomy.of("SELECT COUNT(*) FROM t WHERE a = 1").clauses());
    assertEquals(4, QueryAnatomy.of("SELECT COUNT(*) FROM t WHERE a = 1 AND b = 2").clauses());
  }
}
