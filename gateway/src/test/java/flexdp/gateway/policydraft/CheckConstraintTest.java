package flexdp.gateway.policydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.policydraft.CheckConstraint.CheckFact;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact.AtLeast;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact.AtMost;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact.NotNull;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact.OneOf;
import flexdp.gateway.policydraft.TableDraft.ColumnFacts;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckConstraintTest {
  private static BigDecimal n(String text) {
    return new BigDecimal(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fare >= 0 AND fare <= 500",
        "(fare BETWEEN 0 AND 500)",
        "CHECK (((fare >= (0)::numeric) AND (fare <= (500)::numeric)))",
        "`fare` >= 0 and 500 >= `fare`",
        "((\"fare\" >= CAST(0 AS DECIMAL(9,2))) AND (\"fare\" <= CAST(500 AS DECIMAL(9,2))))",
      })
  void boundsAreReadAsEveryDatabaseWritesThem(String sql) {
    assertEquals(
        List.of(new AtLeast("fare", n("0"), false), new AtMost("fare", n("500"), false)),
        CheckConstraint.facts(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status IN ('a', 'it''s')",
        "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'it''s'::character"
            + " varying])::text[])))",
        "(status = ANY (ARRAY['a'::text, 'it''s'::text]))",
        "`status` in ('a','it''s')",
      })
  void listsAreDomains(String sql) {
    assertEquals(List.of(new OneOf("status", List.of("a", "it's"))), CheckConstraint.facts(sql));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a > 0 OR a < -5",
        "a > 0 AND b > 0 OR c > 0",
        "NOT a > 0",
        "a NOT IN (1, 2)",
        "abs(a) < 5",
        "a + 1 < 5",
        "a < b",
        "(a)::integer < 5",
        "CAST(a AS INTEGER) < 5",
        "length(s) IN (1, 2)",
        "a < 5 AND",
        "s LIKE 'x%'",
        "a IS NULL",
        "a BETWEEN 0 AND b",
        "CASE WHEN a > 0 THEN TRUE END",
        "a < 5; DROP TABLE t",
        "",
        "(((((",
      })
  void whatIsNotUnderstoodProvesNothing(String sql) {
    assertEquals(List.of(), CheckConstraint.facts(sql));
  }

  @Test
  void strictEndsMoveByOneBetweenWholeNumbers() {
    List<CheckFact> facts = CheckConstraint.facts("a > 0 AND a < 10 AND a >= -3 AND b IS NOT NULL");
    assertEquals(new NotNull("b"), facts.getLast());
    assertEquals(Optional.of(Range.of(1, 9)), ColumnFacts.of("A", Type.INTEGER, facts).range());
    assertEquals(
        Optional.of(Range.of(0, 10)), ColumnFacts.of("a", Type.decimal(9, 2), facts).range());
    assertEquals(Optional.empty(), ColumnFacts.of("a", Type.VARCHAR, facts).range());
  }

  @Test
  void datesAreRangesToo() {
    List<CheckFact> facts =
        CheckConstraint.facts(
            "d >= '2016-01-01'::date AND d < CAST('2016-01-03' AS DATE) AND d < DATE '2017-01-01'");
    assertEquals(
        Optional.of(Range.of(16801, 16802)), ColumnFacts.of("d", Type.DATE, facts).range());
  }

  @Test
  void contradictingEndsAreNoRange() {
    List<CheckFact> facts = CheckConstraint.facts("a > 5 AND a < 5");
    assertEquals(Optional.empty(), ColumnFacts.of("a", Type.INTEGER, facts).range());
  }
}
