package flexdp.server.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts are cut as PostgreSQL cuts them, in time that grows as they do. */
class LexerTest {
  private static List<String> cut(String sql) {
    return Lexer.tokens(sql).stream().map(Token::text).toList();
  }

  @Test
  void aSignBehindAnOperatorBelongsToTheNumber() {
    assertEquals(List.of("1", "<", "-", "2"), cut("1<-2"));
    assertEquals(List.of("1", "*", "-", "+", "2"), cut("1*-+2"));
    assertEquals(List.of("a", "@-", "b"), cut("a@-b"));
    assertEquals(List.of("a", "+"), cut("a+--b"));
  }

  /** Each sign was looked at once for every sign before it, and once more for each of those. */
  @Test
  @Timeout(1_200)
  void aTextOfSignsAloneIsReadOnce() {
    assertEquals(300_000, Lexer.tokens("+-".repeat(150_000).replace("--", "-")).size());
    assertEquals(300_000 / 63 + 1, Lexer.tokens("~".repeat(300_000)).size());
  }

  @Test
  void theBareTextOfAStatementHasNoComments() {
    assertEquals(
        "SELECT COUNT(*) FROM t",
        StatementText.bare("/* one */ SELECT  COUNT(*) -- two\n FROM/**/t"));
    assertEquals("SELECT 'never", StatementText.bare("SELECT 'never"));
  }
}
