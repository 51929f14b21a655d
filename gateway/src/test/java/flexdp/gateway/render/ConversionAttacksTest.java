package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Questions that once had a bound far below the change that a conversion lets one row make. */
class ConversionAttacksTest {
  private MixedTables tables;

  @BeforeEach
  void everyRowIsThere() throws Exception {
    tables = new MixedTables();
    tables.fill(new Random(3));
    tables.allButOne("t");
    tables.allButOne("u");
  }

  @AfterEach
  void close() throws Exception {
    tables.close();
  }

  private static Relation bound(String sql) {
    return new SqlBinder(MixedTables.POLICY, LocalDateTime.of(2020, 1, 1, 0, 0)).bind(sql);
  }

  /** Refused now; an analysis that overlooks the conversion has a bound below the change. */
  private void refused(String sql, Blindness blindness) throws Exception {
    Relation relation = bound(sql);
    assertEquals(Optional.empty(), tables.bound(relation), sql);
    long change = tables.change(relation);
    long blind = tables.bound(blindness.seen(relation)).orElseThrow();
    assertTrue(blind < change, () -> sql + ": " + blind + " would do for " + change);
  }

  private void holds(String sql) throws Exception {
    Relation relation = bound(sql);
    long bound = tables.bound(relation).orElseThrow(() -> new AssertionError(sql));
    long change = tables.change(relation);
    assertTrue(change <= bound, () -> sql + ": bound " + bound + ", change " + change);
  }

  @Test
  void aSetOperationThatMakesUniqueNumbersOneDouble() throws Exception {
    for (String kind : List.of("UNION ALL", "EXCEPT ALL")) {
      refused(
          "SELECT COUNT(*) FROM (SELECT id AS z FROM t "
              + kind
              + " SELECT CAST(-1 AS DOUBLE)) q JOIN (SELECT id AS z FROM u UNION ALL SELECT 2e0) r"
              + " ON q.z = r.z",
          Blindness.MERGING_SET_OPERATIONS);
    }
  }

  @Test
  void aSetOperationThatMakesUniqueNumbersNull() throws Exception {
    refused(
        "SELECT COUNT(*) FROM (SELECT z, COUNT(*) OVER (PARTITION BY z) AS w FROM (SELECT k AS z"
            + " FROM t UNION ALL SELECT CAST(1 AS DECIMAL(38, 10))) q) r WHERE w % 2 = 0",
        Blindness.NULLING_SET_OPERATIONS);
  }

  @Test
  void nullSafeEqualityOfTypesThatDoNotFit() throws Exception {
    refused(
        "SELECT COUNT(*) FROM (SELECT t.k FROM t JOIN u ON t.i2 = u.i2) a JOIN u ON a.k IS NOT"
            + " DISTINCT FROM u.s38",
        Blindness.NULLING_NULL_SAFE_EQUALITIES);
  }

  @Test
  void joinsOnNumbersThatBecomeOneDouble() throws Exception {
    refused("SELECT COUNT(*) FROM t JOIN u ON t.id = u.x", Blindness.MERGING_EQUALITIES);
    refused("SELECT COUNT(*) FROM t WHERE t.id IN (SELECT x FROM u)", Blindness.MERGING_SUBQUERIES);
  }

  @Test
  void constantsAreCountedInTheTypeTheyGet() throws Exception {
    holds(
        "SELECT COUNT(*) FROM t JOIN (VALUES (DATE '2020-01-01'), (TIMESTAMP '2020-01-01"
            + " 00:00:00')) v(z) ON t.ts = v.z");
    holds("SELECT COUNT(*) FROM t JOIN (VALUES (1), (1.0), (1.00), (2.5)) v(z) ON t.n9 = v.z");
    StringBuilder rows = new StringBuilder("(1e0)");
    for (int i = 0; i < 50; i++) {
      rows.append(", (").append(1_000_000_000_000_000_000L + i).append(")");
    }
    holds("SELECT COUNT(*) FROM t JOIN (VALUES " + rows + ") v(z) ON t.x = v.z");
  }

  @Test
  void conversionsThatKeepAllValuesKeepTheirBounds() throws Exception {
    for (String[] pair :
        new String[][] {{"i2", "i4"}, {"i4", "i8"}, {"i2", "x"}, {"i4", "n9"}, {"d", "ts"}}) {
      holds("SELECT COUNT(*) FROM t JOIN u ON t." + pair[0] + " = u." + pair[1]);
      holds("SELECT COUNT(*) FROM t JOIN u ON t." + pair[0] + " IS NOT DISTINCT FROM u." + pair[1]);
      holds(
          "SELECT COUNT(*) FROM (SELECT "
              + pair[0]
              + " AS z FROM t UNION ALL SELECT "
              + pair[1]
              + " FROM u) q JOIN u ON q.z = u."
              + pair[1]);
    }
    assertEquals(
        tables.bound(bound("SELECT COUNT(*) FROM t JOIN u ON t.id = u.i8")),
        tables.bound(bound("SELECT COUNT(*) FROM t JOIN u ON t.id = CAST(u.i8 AS BIGINT)")));
  }

  @Test
  void theRefusalSaysWhatToDo() {
    try {
      Relation relation = bound("SELECT COUNT(*) FROM t JOIN u ON t.id = u.x");
      tables.requireBound(relation);
    } catch (Rejection e) {
      assertTrue(e.getMessage().contains("from bigint to double"), e.getMessage());
      assertTrue(e.hint().contains("one type"), e.hint());
      return;
    }
    throw new AssertionError("not refused");
  }
}
