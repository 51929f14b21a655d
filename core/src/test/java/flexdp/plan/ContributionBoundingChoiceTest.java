package flexdp.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which way a question about people is answered, and which not at all. */
class ContributionBoundingChoiceTest {
  private static final Policy POLICY = policy();

  private static Map<String, Object> column(String type, Object... more) {
    Map<String, Object> column = new LinkedHashMap<>(Map.of("type", type));
    for (int i = 0; i < more.length; i += 2) {
      column.put((String) more[i], more[i + 1]);
    }
    return column;
  }

  private static Map<String, Object> key() {
    return column("bigint", "unique", true, "nullable", false);
  }

  private static Policy policy() {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put(
        "customer",
        Map.of(
            "columns",
            Map.of("c_id", key(), "age", column("integer"), "nation", column("bigint")),
            "owners",
            Map.of("customer", "c_id"),
            "rowsPerPerson",
            1));
    tables.put(
        "orders",
        Map.of(
            "columns",
            Map.of(
                "o_id",
                key(),
                "cust",
                column("bigint", "references", "customer.c_id"),
                "price",
                column("integer", "range", List.of(0, 100)),
                "day",
                column("integer")),
            "owners",
            Map.of("customer", "cust"),
            "rowsPerPerson",
            10));
    tables.put(
        "lines",
        Map.of(
            "columns",
            Map.of(
                "ord",
                column("bigint", "references", "orders.o_id"),
                "part",
                column("integer"),
                "change",
                column("integer", "range", List.of(-5, 5))),
            "owners",
            Map.of("customer", "ord.cust"),
            "rowsPerPerson",
            50));
    tables.put(
        "visits",
        Map.of(
            "columns",
            Map.of("who", column("bigint"), "day", column("integer")),
            "owners",
            Map.of("customer", "who")));
    tables.put(
        "follows",
        Map.of(
            "columns",
            Map.of(
                "src",
                column("bigint"),
                "dst",
                column("bigint"),
                "weight",
                column("integer", "range", List.of(0, 9)),
                "gain",
                column("integer", "range", List.of(-9, 9))),
            "owners",
            Map.of("customer", List.of("src", "dst"))));
    tables.put(
        "weather",
        Map.of(
            "columns",
            Map.of("w_day", column("integer"), "rain", column("integer")),
            "unit",
            "row"));
    tables.put(
        "sensor",
        Map.of("columns", Map.of("s_id", key(), "rain", column("integer")), "unit", "row"));
    tables.put(
        "nation",
        Map.of("columns", Map.of("n_id", key(), "size", column("integer")), "public", true));
    return PolicyReader.read(
        Map.of(
            "people",
            Map.of("customer", Map.of("key", "customer.c_id", "nobody", List.of(0))),
            "tables",
            tables));
  }

  private static ContributionBounding route(String sql) {
    DpQuery query =
        QueryDecomposer.of(
            new SqlBinder(POLICY, LocalDateTime.of(2026, 1, 1, 0, 0)).bound(sql).relation(),
            POLICY,
            AnalysisOptions.DEFAULT.bins());
    NoisyAggregate point = query.releases().getFirst();
    return ContributionBoundingChoice.of(point, POLICY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM orders",
        "SELECT SUM(price) FROM orders WHERE day > 3",
        "SELECT COUNT(DISTINCT cust) FROM orders",
        "SELECT COUNT(*) FROM customer c JOIN orders o ON c.c_id = o.cust",
        "SELECT COUNT(*) FROM orders o LEFT JOIN lines l ON o.o_id = l.ord",
        "SELECT COUNT(*) FROM orders o FULL JOIN lines l ON o.o_id = l.ord",
        "SELECT COUNT(*) FROM lines l JOIN orders o ON o.o_id = l.ord JOIN customer c"
            + " ON c.c_id = o.cust JOIN nation n ON n.n_id = c.nation",
        "SELECT AVG(n) FROM (SELECT cust, LEAST(COUNT(*), 100) AS n FROM orders GROUP BY cust) x",
        "SELECT COUNT(*) FROM (SELECT DISTINCT ord, part FROM lines) x",
        "SELECT COUNT(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o"
            + " WHERE o.cust = c.c_id AND o.day = 1)",
        "SELECT COUNT(*) FROM customer c WHERE c.nation IN (SELECT n_id FROM nation)",
        "SELECT COUNT(*) FROM (SELECT cust FROM orders UNION ALL SELECT who FROM visits) x",
        "SELECT COUNT(*) FROM (SELECT cust FROM orders EXCEPT SELECT who FROM visits) x",
        "SELECT COUNT(*) FROM orders a JOIN orders b ON a.cust = b.cust WHERE a.day < b.day",
      })
  void ownedByOneKind(String sql) {
    ContributionBounding.Clipped owned = (ContributionBounding.Clipped) route(sql);
    assertEquals(new PrivacyUnit.Person("customer"), owned.kind());
    assertTrue(
        owned.input().columns().stream().map(Column::id).toList().contains(owned.owner().id()));
    assertFalse(owned.owner().nullable());
    assertTrue(owned.otherUnits().isEmpty());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM orders a JOIN orders b ON a.day = b.day",
        "SELECT COUNT(DISTINCT day) FROM orders",
        "SELECT COUNT(*) FROM (SELECT day, COUNT(*) AS n FROM orders GROUP BY day) x WHERE n > 1",
        "SELECT COUNT(*) FROM nation n LEFT JOIN customer c ON c.nation = n.n_id",
        "SELECT COUNT(*) FROM (SELECT day FROM orders UNION SELECT part FROM lines) x",
        "SELECT COUNT(*) FROM orders o JOIN weather w ON w.w_day = o.day",
      })
  void truncatedWhereOwnershipIsLost(String sql) {
    ContributionBounding.Truncated truncated = (ContributionBounding.Truncated) route(sql);
    assertFalse(AlgebraWalker.isPublic(truncated.input()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM follows",
        "SELECT SUM(weight) FROM follows",
        "SELECT COUNT(*) FROM follows a JOIN follows b ON a.dst = b.src",
        "SELECT COUNT(*) FROM follows f JOIN orders o ON o.cust = f.src WHERE o.day > 2",
        "SELECT COUNT(*) FROM follows f JOIN sensor s ON s.rain = f.weight",
        "SELECT COUNT(*) FROM follows f LEFT JOIN nation n ON n.n_id = f.weight",
        "SELECT COUNT(*) FROM (SELECT src FROM follows UNION ALL SELECT cust FROM orders) x",
        "SELECT COUNT(*) FROM follows f JOIN (SELECT cust, COUNT(*) AS n FROM orders GROUP BY cust)"
            + " x ON x.cust = f.src WHERE x.n > 2",
      })
  void severalOwners(String sql) {
    ContributionBounding.Packed shared = (ContributionBounding.Packed) route(sql);
    List<Integer> columns = shared.input().columns().stream().map(Column::id).toList();
    assertTrue(shared.owners().size() >= 2);
    shared.owners().forEach(o -> assertTrue(columns.contains(o.column().id()), o.toString()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM follows f LEFT JOIN orders o ON o.cust = f.src",
        "SELECT COUNT(*) FROM orders o FULL JOIN follows f ON o.cust = f.src",
        "SELECT COUNT(*) FROM (SELECT DISTINCT src FROM follows) x",
        "SELECT COUNT(*) FROM (SELECT src, COUNT(*) AS n FROM follows GROUP BY src) x WHERE n > 1",
        "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM follows f"
            + " WHERE f.src = o.cust)",
        "SELECT COUNT(*) FROM (SELECT src FROM follows EXCEPT SELECT cust FROM orders) x",
        "SELECT SUM(gain) FROM follows",
        "SELECT COUNT(DISTINCT src) FROM follows",
        "SELECT COUNT(*) FROM follows f JOIN weather w ON w.rain = f.weight",
        "SELECT COUNT(*) FROM visits a JOIN visits b ON a.day = b.day",
        "SELECT COUNT(DISTINCT day) FROM visits",
      })
  void refusedWithAHint(String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> route(sql), sql);
    assertEquals(RejectionCode.PEOPLE_UNSUPPORTED, rejection.code(), rejection.getMessage());
    assertFalse(rejection.hint().isEmpty());
  }

  @Test
  void rowsThatNobodyOwnsStandForThemselves() {
    assertEquals(new ContributionBounding.None(), route("SELECT COUNT(*) FROM weather"));
  }
}
