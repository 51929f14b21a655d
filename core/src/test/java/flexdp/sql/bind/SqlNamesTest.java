package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.sql.parse.SqlFrontEnd;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlSelect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of the standard as names of columns, tables and aliases. */
class SqlNamesTest {
  private static SqlSelect select(String sql) {
    return (SqlSelect) SqlFrontEnd.parse(sql);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "year",
        "month",
        "day",
        "hour",
        "minute",
        "second",
        "user",
        "value",
        "values",
        "text",
        "cast",
        "date",
        "time",
        "timestamp",
        "count",
        "rank",
        "first",
        "last",
        "row",
        "rows",
        "range",
        "filter",
        "left",
        "right",
        "full",
        "end",
        "key",
        "type",
        "position",
        "extract",
        "trim",
        "interval",
        "order",
        "group",
        "over",
        "window",
        "partition",
        "offset",
        "top",
        "current",
        "only",
        "any",
        "some",
        "for",
        "to",
        "sets",
        "cube",
        "rollup",
        "escape",
        "asc",
        "desc",
        "qualify",
        "minus",
        "unknown",
        "sum",
        "min",
        "max",
        "avg",
        "state",
        "status",
        "name",
        "session",
        "domain",
        "level",
        "method",
        "module",
        "result",
        "language",
        "start",
        "table",
        "unnest",
        "array",
        "regexp",
        "into",
        "at",
        "set",
        "update",
        "delete",
        "end_time"
      })
  void aWordIsAColumnWhereItCanBeNothingElse(String word) {
    SqlSelect select = select("SELECT " + word + ", t." + word + " FROM t WHERE " + word + " = 1");
    assertEquals(word, ((SqlIdentifier) select.getSelectList().get(0)).getSimple());
    assertEquals(word, ((SqlIdentifier) select.getSelectList().get(1)).names.get(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"order", "group", "select", "from", "count", "year", "end", "value", "all"})
  void afterAsEveryWordIsAnAlias(String word) {
    assertEquals(
        "SELECT `x` AS `" + word + "` FROM `t`",
        select("SELECT x AS " + word + " FROM t").toString().replaceAll("\\s+", " "));
  }

  @Test
  void wordsServeAsTablesAndTheirAliases() {
    assertEquals(
        "SELECT `order`.`id` FROM `text` AS `order`, `value`",
        select("SELECT order.id FROM text order, value").toString().replaceAll("\\s+", " "));
  }

  @Test
  void sortingByAColumnCalledDescWorks() {
    assertEquals(
        "SELECT `desc` FROM `t` ORDER BY `desc` DESC",
        SqlFrontEnd.parse("SELECT desc FROM t ORDER BY desc DESC")
            .toString()
            .replaceAll("\\s+", " "));
  }

  @Test
  void itIsKnownWhetherANameWasQuoted() {
    SqlSelect select = select("SELECT a.\"B\" FROM t a");
    SqlIdentifier name = (SqlIdentifier) select.getSelectList().get(0);
    assertFalse(name.isComponentQuoted(0));
    assertTrue(name.isComponentQuoted(1));
  }
}
