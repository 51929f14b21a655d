package flexdp.sql.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.policy.Wording;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parameters are where the dialect of the question has no string, name or comment. */
class SqlParametersTest {
  private static List<String> names(String sql, Wording dialect) {
    return SqlParameters.of(sql, dialect).names();
  }

  @Test
  void aBackslashKeepsAStringOpenWhereTheDialectSaysSo() {
    String sql = "SELECT COUNT(*) FROM t WHERE a <> 'it\\'s :x' AND b = :y";
    assertEquals(List.of("y"), names(sql, Wording.MYSQL));
    assertEquals(List.of("y"), names(sql, Wording.BIGQUERY));
    assertEquals(List.of("y"), names(sql, Wording.SNOWFLAKE));
  }

  @Test
  void aCastSaysMoreThanTheClause() {
    List<SqlParameters.Place> places =
        SqlParameters.of(
                "SELECT a FROM t LIMIT $1::INTEGER OFFSET CAST($2 AS smallint)", Wording.POSTGRESQL)
            .places();
    assertEquals(
        List.of(Optional.of("INTEGER"), Optional.of("SMALLINT")),
        places.stream().map(SqlParameters.Place::said).toList());
  }

  @Test
  void elsewhereABackslashIsACharacter() {
    String sql = "SELECT COUNT(*) FROM t WHERE a <> 'it\\' AND b = :y AND c = ' :x'";
    assertEquals(List.of("y"), names(sql, Wording.POSTGRESQL));
    assertEquals(List.of("y"), names(sql, Wording.GENERAL));
  }

  @Test
  void doubleQuotesAreStringsWhereTheDialectSaysSo() {
    String sql = "SELECT COUNT(*) FROM t WHERE a = \"it\\\" :x\" AND b = $1";
    assertEquals(List.of("1"), names(sql, Wording.MYSQL));
    assertEquals(
        List.of("y"),
        names("SELECT r\"^\\d:x\" FROM t WHERE b = :y AND c = r'\\w:z'", Wording.BIGQUERY));
  }

  @Test
  void whatIsPutThereIsReadAsOneConstant() {
    SqlParameters parameters =
        SqlParameters.of("SELECT a FROM t WHERE b = 'it\\'s :x' AND c = :y", Wording.MYSQL);
    String sql = BoundText.of(parameters, name -> "o'brien\\").sql();
    assertEquals(
        "SELECT `a` FROM `t` WHERE `b` = 'it''s :x' AND `c` = 'o''brien\\'",
        SqlFront.parse(sql, Wording.MYSQL).toString().replaceAll("\\s+", " "));
  }

  @Test
  void rawStringsKeepTheirBackslashes() {
    assertEquals(
        "SELECT '^\\d' FROM `t`",
        SqlFront.parse("SELECT r\"^\\d\" FROM t", Wording.BIGQUERY).toString().replace("\n", " "));
  }

  /** Drivers send '?' for each of them: values that differ here would be equal there. */
  @Test
  void halfACharacterIsNoText() {
    for (String half : List.of("\uD800", "a\uDC00b", "\uDC00\uD800")) {
      assertThrows(
          Rejection.class, () -> SqlFront.parse("SELECT '" + half + "' FROM t", Wording.GENERAL));
      SqlParameters parameters = SqlParameters.of("SELECT :x FROM t", Wording.GENERAL);
      String sql = BoundText.of(parameters, name -> half).sql();
      assertThrows(Rejection.class, () -> SqlFront.parse(sql, Wording.GENERAL));
    }
    SqlFront.parse("SELECT '\uD83D\uDE00' FROM t", Wording.GENERAL);
  }

  @Test
  void aTextThatItsValuesMakeTooLongIsRefusedBeforeItIsWritten() {
    SqlParameters many =
        SqlParameters.of("SELECT :x" + ", :x".repeat(50_000) + " FROM t", Wording.GENERAL);
    String text = "x".repeat(100_000);
    assertThrows(Rejection.class, () -> BoundText.of(many, name -> text));
    SqlParameters one = SqlParameters.of("SELECT :x FROM t", Wording.GENERAL);
    for (String number : List.of("1e999999999", "1e-999999999", "0e-999999999")) {
      assertThrows(Rejection.class, () -> BoundText.of(one, name -> new BigDecimal(number)));
    }
  }
}
