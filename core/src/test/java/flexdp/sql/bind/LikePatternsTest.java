package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regular expressions written out as LIKE match what Java's own match. */
class LikePatternsTest {
  private static final String LETTERS = "abcAB01.@%_! ";

  /** The condition of a question's WHERE, over one column of text. */
  private static Evaluator.Value condition(String sql) {
    List<Expr> found = new ArrayList<>();
    Relation relation = BindingFixture.bind(sql);
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Filter filter) {
            found.add(filter.predicate());
          }
        });
    int id = AlgebraWalker.references(found.getFirst()).iterator().next();
    return new Evaluator(List.of(new Column(id, "x", Type.VARCHAR, true)))
        .compile(found.getFirst());
  }

  private static String sql(String operator, String pattern) {
    return "SELECT COUNT(*) FROM drivers WHERE name "
        + operator
        + " '"
        + pattern.replace("'", "''")
        + "'";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "^a",
        "a$",
        "^a$",
        "a|b",
        "(a|b)c",
        "a.c",
        "a.*c",
        "a.+c",
        "ab?c",
        "[abc]",
        "[a-c0-1]",
        "^[A-B]{2}",
        "a{2}",
        "a{1,3}$",
        "\\d",
        "\\.",
        "%",
        "a_b",
        "!",
        "(?:a|b)(0|1)?$",
        "@(a|b)\\.",
        "^(a|A)b|c$"
      })
  void whatMatchesIsWhatJavaMatches(String regex) {
    Evaluator.Value like = condition(sql("~", regex));
    Evaluator.Value either = condition(sql("~*", regex));
    Pattern pattern = Pattern.compile(regex, Pattern.DOTALL);
    Pattern ignoring =
        Pattern.compile(regex, Pattern.DOTALL | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    Random random = new Random(7);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(7); n > 0; n--) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      String x = text.toString();
      assertEquals(pattern.matcher(x).find(), like.on(List.of(x)), regex + " on '" + x + "'");
      assertEquals(ignoring.matcher(x).find(), either.on(List.of(x)), regex + " on '" + x + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "^[a-b]+$",
        "^[a-b0]*$",
        "^[^a]+$",
        "[^ab]",
        "\\D",
        "a+",
        "[ab]{1,}",
        "^[ab]+0",
        "^[^.]+\\.",
        "^[^a]*a",
        "^[a-b]{2}$",
        "^[a-b]{2,}$",
        "^[a-b]{1,2}$",
        "^[a-b]{1,2}0",
        "^a[b0]+$",
        "^[ab]?0",
        "^.{2}[ab]+$",
        "^[ab]+\\.[ab]+$",
        "^[ab]+\\.[0-1]+@",
        "^(\\d{2})",
        "^[ab]+",
        "^a+b$",
        "^.[ab]*$",
        "^[a-zA-Z0-9._-]+@"
      })
  void runsOfClassesAreWhatJavaMatches(String regex) {
    Evaluator.Value run = condition(sql("~", regex));
    Evaluator.Value without = condition(sql("!~", regex));
    Pattern pattern = Pattern.compile(regex, Pattern.DOTALL);
    Random random = new Random(11);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(7); n > 0; n--) {
        text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
      }
      String x = text.toString();
      boolean found = pattern.matcher(x).find();
      assertEquals(found, run.on(List.of(x)), regex + " on '" + x + "'");
      assertEquals(!found, without.on(List.of(x)), "not " + regex + " on '" + x + "'");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a*",
        "(a)\\1",
        "[^a]b",
        "[a-b]+0",
        "\\bword",
        "(?=a)",
        "[a-z]{3}",
        "a{1,99}",
        "(",
        "[",
        "a**",
        "a.*?b",
        "\\",
        "x{2",
        "^^a",
        "a$b"
      })
  void whatIsBeyondIsRefused(String regex) {
    assertThrows(Rejection.class, () -> BindingFixture.bind(sql("~", regex)));
  }

  @Test
  void eachOfSeveralPatternsIsAsShortAsOne() {
    String many = "%a".repeat(101);
    String sql = "SELECT COUNT(*) FROM drivers WHERE name LIKE ANY ('a%', '" + many + "')";
    Rejection refused = assertThrows(Rejection.class, () -> BindingFixture.bind(sql));
    assertEquals("TOO_COMPLEX", refused.codeName());
    assertThrows(Rejection.class, () -> BindingFixture.bind(sql("~", "(?like)")));
    assertThrows(Rejection.class, () -> BindingFixture.bind(sql("~", "[\uD83D\uDE00]")));
  }

  @Test
  void patternsOfTheStandardAreOfTheWholeText() {
    Evaluator.Value similar = condition(sql("SIMILAR TO", "(a|b)%_"));
    assertEquals(true, similar.on(List.of("a0")));
    assertEquals(false, similar.on(List.of("a")));
    assertEquals(false, similar.on(List.of("cab")));
  }

  @Test
  void patternsHaveOneFormWhateverTheirEscapeIs() {
    assertEquals("a!%😀!!", pattern(InputDialect.GENERAL, "LIKE 'a😀%😀😀!' ESCAPE '😀'"));
    assertEquals("a!%", pattern(InputDialect.POSTGRESQL, "LIKE 'a\\%'"));
    assertEquals("a!_", pattern(InputDialect.MYSQL, "LIKE 'a\\_'"));
    assertEquals("a\\%", pattern(InputDialect.DUCKDB, "LIKE 'a\\%'"));
    assertEquals("a\\%", pattern(InputDialect.POSTGRESQL, "LIKE 'a\\%' ESCAPE ''"));
    assertEquals("b%", pattern(InputDialect.SQLITE, "LIKE 'ab%' ESCAPE 'a'"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LIKE '😀' ESCAPE '😀'",
        "LIKE 'ab😀😀😀' ESCAPE '😀'",
        "LIKE 'a' ESCAPE 'ab'",
        "LIKE 'a' ESCAPE '😀😀'",
        "ILIKE 'a!' ESCAPE '!'"
      })
  void patternsThatFailOnRowsAreRefused(String condition) {
    assertThrows(Rejection.class, () -> pattern(InputDialect.GENERAL, condition));
  }

  @Test
  void everyPatternHasTheSameLimits() {
    String most = "a".repeat(9_998);
    condition("SELECT COUNT(*) FROM drivers WHERE CONTAINS_SUBSTR(name, '" + most + "')");
    for (String sql :
        List.of(
            "CONTAINS_SUBSTR(name, '" + most + "a')",
            "CONTAINS_SUBSTR(name, '" + "%".repeat(101) + "')",
            "name LIKE '" + most + "aaa'",
            "name LIKE ANY ('a', '" + most + "aaa')")) {
      Rejection refused =
          assertThrows(
              Rejection.class,
              () -> BindingFixture.bind("SELECT COUNT(*) FROM drivers WHERE " + sql),
              sql.substring(0, 20));
      assertEquals(RejectionCode.TOO_COMPLEX, refused.code());
    }
  }

  /** The pattern that a condition on text is bound with. */
  private static Object pattern(InputDialect dialect, String condition) {
    List<Object> found = new ArrayList<>();
    Relation relation =
        new SqlBinder(BindingFixture.POLICY.in(dialect), BindingFixture.NOW)
            .bind("SELECT COUNT(*) FROM drivers WHERE name " + condition);
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Filter filter
              && filter.predicate() instanceof Expr.Call call
              && call.arguments().get(1) instanceof Expr.Literal literal) {
            found.add(literal.value());
          }
        });
    return found.getFirst();
  }
}
