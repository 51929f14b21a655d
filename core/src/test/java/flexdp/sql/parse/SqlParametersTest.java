package flexdp.sql.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Rejection;
import flexdp.policy.InputDialect;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Parameters are where the dialect of the question has no string, name or comment. */
class SqlParametersTest {
  private static List<String> names(String sql, InputDialect dialect) {
    return SqlParameters.of(sql, dialect).names();
  }

  @Test
  void aBackslashKeepsAStringOpenWhereTheDialectSaysSo() {
    String sql = "SELECT COUNT(*) FROM t WHERE a <> 'it\\'s :x' AND b = :y";
    assertEquals(List.of("y"), names(sql, InputDialect.MYSQL));
    assertEquals(List.of("y"), names(sql, InputDialect.BIGQUERY));
    assertEquals(List.of("y"), names(sql, InputDialect.SNOWFLAKE));
  }

  @Test
  void aCastSaysMoreThanTheClause() {
    List<SqlParameters.Place> places =
        SqlParameters.of(
                "SELECT a FROM t LIMIT $1::INTEGER OFFSET CAST($2 AS smallint)",
                InputDialect.POSTGRESQL)
            .places();
    assertEquals(
        List.of(Optional.of("INTEGER"), Optional.of("SMALLINT")),
        places.stream().map(SqlParameters.Place::said).toList());
  }

  @Test
  void elsewhereABackslashIsACharacter() {
    String sql = "SELECT COUNT(*) FROM t WHERE a <> 'it\\' AND b = :y AND c = ' :x'";
    assertEquals(List.of("y"), names(sql, InputDialect.POSTGRESQL));
    assertEquals(List.of("y"), names(sql, InputDialect.GENERAL));
  }

  @Test
  void doubleQuotesAreStringsWhereTheDialectSaysSo() {
    String sql = "SELECT COUNT(*) FROM t WHERE a = \"it\\\" :x\" AND b = $1";
    assertEquals(List.of("1"), names(sql, InputDialect.MYSQL));
    assertEquals(
        List.of("y"),
        names("SELECT r\"^\\d:x\" FROM t WHERE b = :y AND c = r'\\w:z'", InputDialect.BIGQUERY));
  }

  @Test
  void whatIsPutThereIsReadAsOneConstant() {
    SqlParameters parameters =
        SqlParameters.of("SELECT a FROM t WHERE b = 'it\\'s :x' AND c = :y", InputDialect.MYSQL);
    String sql = ParameterSubstitution.of(parameters, name -> "o'brien\\").sql();
    assertEquals(
        "SELECT `a` FROM `t` WHERE `b` = 'it''s :x' AND `c` = 'o''brien\\'",
        SqlFrontEnd.parse(sql, InputDialect.MYSQL).toString().replaceAll("\\s+", " "));
  }

  @Test
  void rawStringsKeepTheirBackslashes() {
    assertEquals(
        "SELECT '^\\d' FROM `t`",
        SqlFrontEnd.parse("SELECT r\"^\\d\" FROM t", InputDialect.BIGQUERY)
            .toString()
            .replace("\n", " "));
  }

  /** Drivers send '?' for each of them: values that differ here would be equal there. */
  @Test
  void halfACharacterIsNoText() {
    for (String half : List.of("\uD800", "a\uDC00b", "\uDC00\uD800")) {
      assertThrows(
          Rejection.class,
          () -> SqlFrontEnd.parse("SELECT '" + half + "' FROM t", InputDialect.GENERAL));
      SqlParameters parameters = SqlParameters.of("SELECT :x FROM t", InputDialect.GENERAL);
      String sql = ParameterSubstitution.of(parameters, name -> half).sql();
      assertThrows(Rejection.class, () -> SqlFrontEnd.parse(sql, InputDialect.GENERAL));
    }
    SqlFrontEnd.parse("SELECT '\uD83D\uDE00' FROM t", InputDialect.GENERAL);
  }

  @Test
  void aTextThatItsValuesMakeTooLongIsRefusedBeforeItIsWritten() {
    SqlParameters many =
        SqlParameters.of("SELECT :x" + ", :x".repeat(50_000) + " FROM t", InputDialect.GENERAL);
    String text = "x".repeat(100_000);
    assertThrows(Rejection.class, () -> ParameterSubstitution.of(many, name -> text));
    SqlParameters one = SqlParameters.of("SELECT :x FROM t", InputDialect.GENERAL);
    for (String number : List.of("1e999999999", "1e-999999999", "0e-999999999")) {
      assertThrows(
          Rejection.class, () -> ParameterSubstitution.of(one, name -> new BigDecimal(number)));
    }
  }
}
