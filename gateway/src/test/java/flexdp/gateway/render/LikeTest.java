package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** LIKE on DuckDB means what it says, and no row makes it take long. */
class LikeTest {
  private static RenderedExpression literal(String text) {
    DuckDb dialect = new DuckDb();
    Expr.Literal literal = new Expr.Literal(text, Type.VARCHAR);
    return new RenderedExpression(literal, dialect.literal(literal));
  }

  private static String like(Function operator, String value, String pattern, boolean escaped) {
    List<RenderedExpression> arguments = new ArrayList<>(List.of(literal(value), literal(pattern)));
    if (escaped) {
      arguments.add(literal("!"));
    }
    return new DuckDb().call(operator, arguments, Type.BOOLEAN);
  }

  @Test
  void everyPatternMeansWhatDuckDbSays() throws Exception {
    SplittableRandom random = new SplittableRandom(17);
    int agreed = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 3000; i++) {
        String value = letters(random, "aAbB.\n\\%_é😀!", 8);
        String pattern = letters(random, "ab%%%__.B\\[😀", 7);
        boolean escaped = random.nextInt(3) == 0;
        if (escaped) {
          pattern = pattern.replace("b", "!%").replace("[", "!!");
        }
        boolean ignoresCase = random.nextBoolean();
        String plain =
            literal(value).sql()
                + (ignoresCase ? " ILIKE " : " LIKE ")
                + literal(pattern).sql()
                + (escaped ? " ESCAPE '!'" : "");
        String ours = like(ignoresCase ? Function.ILIKE : Function.LIKE, value, pattern, escaped);
        try (ResultSet row = statement.executeQuery("SELECT " + plain + ", " + ours)) {
          row.next();
          assertEquals(row.getBoolean(1), row.getBoolean(2), plain + " and " + ours);
          agreed += ours.contains("regexp") ? 1 : 0;
        }
      }
    }
    assertTrue(agreed > 150, "only " + agreed + " were written otherwise");
  }

  @Test
  void aRowOfManyLettersTakesNoTime() throws Exception {
    String letters = "a".repeat(20_000);
    String wild = "%_a".repeat(30) + "%_b";
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(30);
      for (String sql :
          List.of(
              like(Function.LIKE, letters, wild, false),
              like(Function.ILIKE, letters, wild, false),
              like(Function.ILIKE, letters, "%a%a%a%a%a%a%b", false),
              like(Function.LIKE, letters, "%a%a%a%a%a%a%b", true),
              like(Function.LIKE, letters, "%" + "_".repeat(9_900) + "%a%_b", false))) {
        try (ResultSet row = statement.executeQuery("SELECT " + sql)) {
          row.next();
          assertEquals(false, row.getBoolean(1));
        }
      }
    }
  }

  private static String letters(SplittableRandom random, String of, int most) {
    int[] letters = of.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int n = random.nextInt(most + 1); n > 0; n--) {
      text.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }
}
