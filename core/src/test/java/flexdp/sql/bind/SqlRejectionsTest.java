package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.parse.SqlFrontEnd;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlRejectionsTest {
  private static Rejection rejected(String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> SqlFrontEnd.parse(sql));
    assertFalse(rejection.getMessage().contains("Was expecting"), rejection.getMessage());
    assertFalse(rejection.hint().isBlank());
    return rejection;
  }

  private static void rejects(String sql, RejectionCode code, int line, int column) {
    Rejection rejection = rejected(sql);
    assertEquals(code, rejection.code());
    assertEquals(new Position(line, column), rejection.at().orElseThrow(), rejection.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          SELCT count(*) from t                  | 1
          select count(*) form trips             | 22
          select count(*) from trips wehre x = 1 | 34
          select count(*) from trips where       | 33
          select count(*) from t where x = = 1   | 34
          select count(*, from trips             | 13
          select count(*)) from trips            | 16
          select a, from trips                   | 11
          select a b c from trips                | 12
          select 'abc                            | 8
          select "abc                            | 8
          select /* abc                          | 8
          select a from t where b = ?            | 27
          select a from t where b = :name        | 27
          select a from t where b = $1           | 27
          select $$x$$                           | 8
          select a[1] from t                     | 9
          from trips                             | 1
          select a && b from t                   | 10
          select interval 'soon'                 | 17
          select 12abc from t                    | 10
          select case when 1 then 2 from t       | 27
          select "" from t                       | 10
          select /*! 1 */ 2                      | 8
          hello                                  | 1
          select ::int from t                    | 8
          select a:: , b from t                  | 9
          """)
  void malformedTextIsShownWhereItGoesWrong(String sql, int column) {
    rejects(sql, RejectionCode.SYNTAX, 1, column);
  }

  @Test
  void misspeltClausesAreNamed() {
    assertEquals("Did you mean SELECT?", rejected("SELCT 1").hint());
    assertEquals("Did you mean FROM instead of form?", rejected("select 1 form t").hint());
    assertEquals(
        "Did you mean WHERE instead of wher?", rejected("select 1 from t wher x = 1").hint());
  }

  @Test
  void positionsCountLinesAndCharactersOfTheOriginal() {
    rejects("select 1\n  from t\r\n where x = = 1", RejectionCode.SYNTAX, 3, 12);
    rejects("select '\uD83D\uDE00' , from t", RejectionCode.SYNTAX, 1, 14);
    rejects("select interval '1 day 2 hours' + + from t", RejectionCode.SYNTAX, 1, 37);
    rejects("select /* a\nb */ 1 2", RejectionCode.SYNTAX, 2, 8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", ";", "-- only a comment", "/* x */"})
  void anEmptyTextIsNoQuery(String sql) {
    assertEquals(RejectionCode.SYNTAX, rejected(sql).code());
  }

  @Test
  void severalStatementsAreRefused() {
    rejects("select 1; select 2", RejectionCode.MULTIPLE_STATEMENTS, 1, 9);
    rejects("select 1 /* ; */; drop table t --", RejectionCode.MULTIPLE_STATEMENTS, 1, 17);
    SqlFrontEnd.parse("select ';' ;; -- ;");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "insert into t values (1)",
        "update t set a = 1",
        "delete from t",
        "drop table t",
        "create table t (a int)",
        "set x = 1",
        "explain select 1",
        "call f()",
        "copy t to 'x'",
        "show tables",
        "truncate t",
        "grant all on t to u",
        "begin",
        "merge into t using u on a",
        "with x as (delete from t returning *) select * from x",
        "select * into u from t",
        "with x as (select 1) insert into t select * from x",
        "attach 'x.db'",
        "pragma x",
        "describe t",
        "(delete from t)",
        "execute p",
        "vacuum",
        "use db"
      })
  void whatIsNoQueryIsRefused(String sql) {
    assertEquals(RejectionCode.NOT_A_SELECT, rejected(sql).code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select distinct on (a) a from t", "select a at time zone 'UTC' from t",
        "select 1 from t tablesample system (10)", "select 1 from t for update",
        "select top 5 percent a from t", "select top 5 a from t union select b from u",
        "select d + interval (a) day from t", "select 1 from t where a ~ b",
        "select 1 from t where a !~* b"
      })
  void constructsWithoutARuleAreRefusedByName(String sql) {
    assertEquals(RejectionCode.UNSUPPORTED, rejected(sql).code());
  }

  @Test
  void nulCharactersAreRefused() {
    assertEquals(RejectionCode.SYNTAX, rejected("select 'a\0b'").code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(", "(select ", "f(", "case when ", "not (", "(select * from ", "a in ("})
  void nestingTenThousandDeepIsTooComplex(String opening) {
    assertEquals(
        RejectionCode.TOO_COMPLEX, rejected("select " + opening.repeat(10_000) + "1").code());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a or ", "a and b or ", "a + ", "not ", "- ", "a || ", "a = ", "a::int + b like "})
  void chainsOfFiftyThousandOperatorsAreTooComplex(String link) {
    assertEquals(RejectionCode.TOO_COMPLEX, rejected("select " + link.repeat(50_000) + "1").code());
    assertEquals(RejectionCode.TOO_COMPLEX, rejected("select " + link.repeat(10_000) + "1").code());
  }

  @ParameterizedTest
  @ValueSource(strings = {" join t on true", ", t", " union all select 1", " natural join u"})
  void thousandsOfTablesAreTooComplex(String link) {
    assertEquals(
        RejectionCode.TOO_COMPLEX, rejected("select 1 from t" + link.repeat(10_000)).code());
  }

  @Test
  void aMegabyteOfTextIsTooComplex() {
    assertEquals(RejectionCode.TOO_COMPLEX, rejected("select 1 -- " + "x".repeat(1 << 20)).code());
  }

  @Test
  void longConditionsWithinTheLimitsBecomeShallow() {
    String text =
        "select 1 from t where " + "a = 1 or ".repeat(900) + "b = 2 and ".repeat(90) + "c";
    SqlFrontEnd.parse(text);
    assertTrue(depth(SqlFrontEnd.parse(text)) < 40);
  }

  @Test
  void deepButAllowedNestingIsRead() {
    SqlFrontEnd.parse("select " + "(".repeat(190) + "1" + ")".repeat(190));
    SqlFrontEnd.parse("select 1 from " + "(select * from ".repeat(190) + "t" + ") x".repeat(190));
  }

  private static int depth(org.apache.calcite.sql.SqlNode node) {
    Iterable<? extends org.apache.calcite.sql.SqlNode> children =
        node instanceof org.apache.calcite.sql.SqlCall call
            ? call.getOperandList()
            : node instanceof org.apache.calcite.sql.SqlNodeList list ? list : java.util.List.of();
    int deepest = 0;
    for (org.apache.calcite.sql.SqlNode child : children) {
      deepest = child == null ? deepest : Math.max(deepest, depth(child));
    }
    return deepest + 1;
  }
}
