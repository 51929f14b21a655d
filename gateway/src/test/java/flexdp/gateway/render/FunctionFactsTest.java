package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Function.TextRule;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.mariadb.MariaDb;
import flexdp.gateway.postgresql.PostgreSql;
import flexdp.gateway.sqlite.Sqlite;
import flexdp.gateway.trino.Trino;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What functions state is what DuckDB and the evaluator compute; other databases have theirs. */
class FunctionFactsTest {
  @Test
  void nullIsWhereFunctionsSayOnDuckDb() throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      assertEquals(List.of(), new FunctionFacts().deniedBy(duck, Fixture.renderer()));
    }
  }

  @Test
  void nullIsWhereFunctionsSayOnNoisyRows() {
    assertEquals(List.of(), new FunctionFacts().deniedByEvaluator());
  }

  /** By a template in which every name stands for something, or by the database's own class. */
  @Test
  void everyDatabaseSpellsEveryFunction() {
    List<TargetDialect> dialects =
        List.of(new DuckDb(), new Sqlite(), new PostgreSql(), new MariaDb(), new Trino());
    for (TargetDialect dialect : dialects) {
      ExprRenderer renderer = new ExprRenderer(dialect, Map.of(), Set.of());
      for (Expr.Call call : new FunctionFacts().cases()) {
        String sql = renderer.sql(call);
        assertFalse(sql.isEmpty() || sql.contains("{"), call + ": " + sql);
      }
    }
  }

  @Test
  void oppositesAndMirrorsAreMutual() {
    for (Function function : Function.values()) {
      function.opposite().ifPresent(o -> assertEquals(function, o.opposite().orElseThrow()));
      function.mirrored().ifPresent(o -> assertEquals(function, o.mirrored().orElseThrow()));
    }
  }

  @Test
  void everyFunctionThatMakesTextsSaysHowLong() {
    for (Expr.Call call : new FunctionFacts().cases()) {
      boolean text = call.type().kind() == Type.Kind.VARCHAR;
      TextRule rule = call.function().text();
      assertEquals(
          text || call.function() == Function.ILIKE,
          rule != TextRule.NO_TEXT && (text || rule == TextRule.MATCHED_IN_OTHER_CASE),
          call::toString);
    }
  }
}
