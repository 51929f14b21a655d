package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Function.TextRule;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
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
