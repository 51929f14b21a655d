package flexdp.sql.bind;

import static flexdp.sql.bind.BindingFixture.assertRejects;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Large and senseless texts end in a relation or a rejection, soon. */
class BoundLimitsTest {
  private static void end(String sql) {
    try {
      BindingFixture.bind(sql);
    } catch (Rejection expected) {
      // A rejection is an answer.
    }
  }

  @Test
  void deepAndLongTextsDoNotOverflow() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> {
          end(
              "SELECT count(*) FROM trips WHERE "
                  + "(".repeat(10_000)
                  + "paid"
                  + ")".repeat(10_000));
          end("SELECT count(*) FROM trips WHERE " + "NOT ".repeat(10_000) + "paid");
          end("SELECT count(*) FROM trips WHERE id = 1" + " OR id = 2".repeat(50_000));
          end("SELECT sum(fare" + " + 1".repeat(50_000) + ") FROM trips");
          end("SELECT status" + " || 'x'".repeat(1_500) + " FROM trips");
          end("SELECT abs(".repeat(280) + "1" + ")".repeat(280));
          end(
              "SELECT count(*) FROM "
                  + "(SELECT * FROM ".repeat(500)
                  + "trips"
                  + ") x".repeat(500));
          end("SELECT count(*) FROM trips" + " UNION ALL SELECT count(*) FROM trips".repeat(400));
          end("SELECT count(*) FROM trips WHERE id IN (" + "1,".repeat(100_000) + "2)");
        });
  }

  @Test
  void manyAlternativesBecomeOneFlatDisjunction() {
    Relation.Project root =
        (Relation.Project)
            BindingFixture.bind(
                "SELECT count(*) FROM trips WHERE id = 1" + " OR fare = 2".repeat(900));
    Relation.Filter filter = (Relation.Filter) ((Relation.Aggregate) root.input()).input();
    assertEquals(901, ((flexdp.algebra.Expr.Call) filter.predicate()).arguments().size());
  }

  @Test
  void expressionsThatDoubleThemselvesEnd() {
    StringBuilder sql = new StringBuilder("WITH c0 AS (SELECT * FROM trips)");
    for (int i = 1; i < 40; i++) {
      sql.append(", c").append(i).append(" AS (SELECT x.* FROM c").append(i - 1);
      sql.append(" x JOIN c").append(i - 1).append(" y ON x.id = y.id)");
    }
    assertTimeoutPreemptively(
        Duration.ofMinutes(10),
        () -> assertRejects(RejectionCode.TOO_COMPLEX, sql + " SELECT count(*) FROM c39"));
  }

  @Test
  void patternsOfManyWildcardsAreRefused() {
    String like = "SELECT count(*) FROM trips WHERE status LIKE '";
    end(like + "%a".repeat(100) + "'");
    assertRejects(RejectionCode.TOO_COMPLEX, like + "%a".repeat(101) + "'");
    assertRejects(RejectionCode.TOO_COMPLEX, like + "a".repeat(10_001) + "'");
  }

  @Test
  void aChainOfNinetyFiveJoinsIsAChain() {
    StringBuilder sql = new StringBuilder("SELECT count(*) FROM edges e0");
    for (int i = 1; i <= 95; i++) {
      sql.append(", edges e").append(i);
    }
    sql.append(" WHERE e0.source > 0");
    for (int i = 95; i >= 1; i--) {
      sql.append(" AND e").append(i).append(".source = e").append(i - 1).append(".dest");
    }
    Relation relation = ((Relation.Project) BindingFixture.bind(sql.toString())).input();
    relation = ((Relation.Aggregate) relation).input();
    int joins = 0;
    while (relation instanceof Relation.Join join) {
      assertEquals(
          "eq(#" + 2 * (95 - joins) + ", #" + (2 * (95 - joins) - 1) + ")",
          RelationText.of(join.condition()));
      relation = join.left();
      joins++;
    }
    assertEquals(95, joins);
  }

  @Test
  void wordsInAnyOrderNeverBreakTheBinder() {
    List<String> words =
        List.of(
            "SELECT",
            "count(*)",
            "FROM",
            "trips",
            "t",
            "WHERE",
            "id",
            "=",
            "1",
            "AND",
            "OR",
            "(",
            ")",
            "IN",
            "EXISTS",
            "NOT",
            "GROUP BY",
            "ORDER BY",
            "status",
            ",",
            "LEFT JOIN",
            "drivers d",
            "ON",
            "d.id",
            "t.driver_id",
            "HAVING",
            "sum(fare)",
            ">",
            "UNION ALL",
            "CASE WHEN",
            "THEN",
            "END",
            "LIMIT 3",
            "OVER",
            "PARTITION BY",
            "row_number()",
            "'x'",
            "NULL",
            "IS NULL",
            "AS",
            "x",
            "DISTINCT",
            "*",
            "WITH",
            "USING (id)",
            "CAST(",
            "AS int)",
            "interval '1 day'",
            "ROLLUP",
            "FILTER (WHERE paid)",
            "- 1",
            "BETWEEN",
            "LATERAL",
            "VALUES (1, 2)",
            "(SELECT 1)",
            "(SELECT count(*) FROM edges)",
            "1e5",
            "ANY",
            "ALL");
    Random random = new Random(7);
    for (int i = 0; i < 1_500; i++) {
      StringBuilder sql = new StringBuilder("SELECT count(*) FROM trips t WHERE ");
      if (i % 2 == 0) {
        sql.setLength(7);
      }
      for (int n = random.nextInt(12); n >= 0; n--) {
        sql.append(words.get(random.nextInt(words.size()))).append(' ');
      }
      end(sql.toString());
    }
  }
}
