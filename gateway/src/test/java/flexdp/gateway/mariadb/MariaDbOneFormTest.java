package flexdp.gateway.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.OneForm;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** However MariaDB stores and writes a value, equal values are the same value. */
class MariaDbOneFormTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              tables:
                numbers:
                  columns:
                    id: {type: integer, unique: true}
                    ti: {type: smallint}
                    si: {type: smallint}
                    y:  {type: smallint}
                    mi: {type: integer}
                    z:  {type: bigint}
                    i:  {type: bigint}
                    b:  {type: "decimal(20,0)"}
                    b2: {type: "decimal(20,0)"}
                    x:  {type: double}
                    f:  {type: double}
                    dd: {type: double}
                    c:  {type: "decimal(9,2)"}
                    e:  {type: "decimal(9,2)"}
                texts:
                  columns:
                    id: {type: integer, unique: true}
                    s:  {type: varchar}
                    t:  {type: varchar}
                    l:  {type: varchar}
                    w:  {type: varchar}
                    en: {type: varchar}
                    se: {type: varchar}
                moments:
                  columns:
                    id: {type: integer, unique: true}
                    d:  {type: date}
                    e:  {type: date}
                    at: {type: timestamp}
                    bt: {type: timestamp}
                    ct: {type: timestamp}
                    tm: {type: time}
                    un: {type: time}
              """,
              Code.BAD_POLICY));

  private static final List<String> TEXTS =
      List.of(
          "'a'",
          "'A'",
          "'a '",
          "''",
          "'á'",
          "'-0'",
          "'-0.0'",
          "'1e99'",
          "'0000-00-00'",
          "'2024-02-29'",
          "'24:00:00'",
          "'ΐİﬃ'",
          "X'6100'",
          "X'610062'",
          "X'EDA080'",
          "X'EDA081'",
          "REPEAT('a', 300)",
          "NULL");

  private final List<String> log = new ArrayList<>();
  private JdbcDatabase database;

  @BeforeEach
  void open() throws Exception {
    MariaDbServer.create("oneform");
    try (Connection connection = MariaDbServer.writer("oneform");
        Statement statement = connection.createStatement()) {
      statement.execute("SET SESSION sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'");
      statement.execute(
          "CREATE TABLE numbers(id INT, ti TINYINT UNSIGNED, si SMALLINT, y YEAR, mi MEDIUMINT"
              + " UNSIGNED, z INT(5) UNSIGNED ZEROFILL, i BIGINT, b BIGINT UNSIGNED, b2"
              + " DECIMAL(20,0), x DOUBLE, f FLOAT, dd DOUBLE(20,2) ZEROFILL, c DECIMAL(9,2), e"
              + " DECIMAL(9,2) ZEROFILL)");
      statement.execute(
          "INSERT INTO numbers VALUES (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (2, 3, 3, 2024,"
              + " 3, 3, 3, 3, 3, -0e0, -0e0, 3, 1.5, 1.5), (3, 255, 255, 1901, 16777215,"
              + " 4294967295, 4294967295, 18446744073709551615,  18446744073709551615,"
              + " 1.7976931348623157e308, 3.4e38, 99, 9999999.99, 9999999.99), (4, 7, 2024, 2155,"
              + " 7, 7, -9223372036854775808, 9223372036854775808,  9223372036854775808,"
              + " -1.7976931348623157e308, 4e-46, 0.5, -0.01, 0.01), (5, 1, -32768, 1970, 1, 1,"
              + " 9223372036854775807, 1, -99999999999999999999, 4.9e-324,  1, 1, 1, 1), (6, 2, 2,"
              + " 2000, 2, 2, 2, 2, 2, 0.5, 0.5, 1, -1, 2), (7, 2, 2, 2000, 2, 2, 2, 2, 2, -0.001,"
              + " 3, 2.5, 0, 2), (8, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
              + " NULL, NULL, NULL)");
      statement.execute(
          "CREATE TABLE texts(id INT, s VARCHAR(400) COLLATE "
              + MariaDb.EXACT
              + ", t TEXT COLLATE utf8mb4_unicode_ci, l VARCHAR(400) CHARACTER SET latin1, w"
              + " LONGTEXT, en ENUM('', 'a', 'b', '-0'), se SET('a', 'b', '-0') COLLATE "
              + MariaDb.EXACT
              + ")");
      for (int i = 0; i < TEXTS.size(); i++) {
        String value = TEXTS.get(i);
        statement.execute("INSERT IGNORE INTO texts VALUES (" + i + (", " + value).repeat(6) + ")");
      }
      statement.execute(
          "CREATE TABLE moments(id INT, d DATE, e DATE, at DATETIME, bt DATETIME(6), ct"
              + " TIMESTAMP(3) NULL, tm TIME, un TIME(6))");
      List<String> days =
          List.of(
              "'0000-00-00'",
              "'0000-01-01'",
              "'2024-00-10'",
              "'2024-02-31'",
              "'0001-01-01'",
              "'9999-12-31'",
              "'2024-02-29'",
              "'1970-01-01'",
              "'2038-01-19'",
              "NULL");
      List<String> times =
          List.of(
              "'-838:59:59'",
              "'838:59:59'",
              "'24:00:00'",
              "'-00:00:01'",
              "'00:00:00'",
              "'23:59:59'",
              "'12:00:00'",
              "'12:30:00.5'",
              "'23:59:59.999999'",
              "NULL");
      for (int i = 0; i < days.size(); i++) {
        String day = days.get(i);
        String at = day.equals("NULL") ? day : day.replaceFirst("'$", " 03:14:07'");
        statement.execute(
            "INSERT IGNORE INTO moments VALUES ("
                + String.join(", ", "" + i, day, day, at, at, at, times.get(i), times.get(i))
                + ")");
      }
    }
    database =
        JdbcDatabase.open(
            MariaDbServer.url("oneform") + "?user=root",
            POLICY,
            Duration.ofMinutes(10),
            (what, cause) -> log.add(what + ": " + cause));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void equalValuesAreTheSameAndNoneFails() {
    OneForm form = new OneForm(database, POLICY, log);
    for (String table : List.of("numbers", "texts", "moments")) {
      form.check(table);
    }
    assertEquals(List.of(), form.faults());
    assertTrue(form.tried() > 800, () -> "only " + form.tried());
  }

  @Test
  void whatIsNoValueOfItsTypeIsNull() {
    OneForm form = new OneForm(database, POLICY, log);
    assertEquals("5", form.one("SELECT COUNT(d) FROM moments"));
    assertEquals("5", form.one("SELECT COUNT(tm) FROM moments"));
    assertEquals(
        "0", form.one("SELECT COUNT(*) FROM moments WHERE ADD_MONTHS(d, -12) < DATE '0001-01-01'"));
    assertEquals("2", form.one("SELECT COUNT(*) FROM numbers WHERE b + b2 > 18446744073709551615"));
    assertEquals("1", form.one("SELECT COUNT(*) FROM numbers WHERE CAST(z AS varchar) = '3'"));
  }

  /** The server writes as many digits as an expression happens to have. */
  @Test
  void aDecimalIsWrittenByItsType() {
    OneForm form = new OneForm(database, POLICY, log);
    for (String same :
        List.of("ROUND(c, 1)", "ROUND(c)", "ABS(c)", "FLOOR(c)", "c % 100", "GREATEST(c, 0.5)")) {
      String typed = "CAST(" + same + " AS decimal(9,2))";
      assertEquals(
          "0",
          form.one(
              "SELECT COUNT(*) FROM numbers WHERE %s = c AND CAST(%s AS varchar) <> CAST(c AS varchar)"
                  .formatted(typed, typed)),
          same);
    }
  }

  /** Windows compare the first 262,144 bytes only: nothing that differs may begin alike so far. */
  @Test
  void textsAreComparedToTheirEnd() throws Exception {
    try (Connection connection = MariaDbServer.writer("oneform");
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM texts");
      statement.execute(
          "INSERT INTO texts(id, s, w) SELECT seq, seq, CONCAT(REPEAT('😀', 65534), seq % 5) FROM"
              + " seq_1_to_20");
    }
    OneForm form = new OneForm(database, POLICY, log);
    String most = "x".repeat(65_534);
    // What is left of each text after the cut, and how many of those there are.
    Map<String, String> texts =
        Map.of("w", "5", "w || s", "5", "s || w", "20", "'" + most + "' || s", "9");
    for (String text : texts.keySet()) {
      String groups =
          form.one("SELECT COUNT(*) FROM (SELECT %s AS y FROM texts GROUP BY 1) q".formatted(text));
      assertEquals(texts.get(text), groups, text.substring(0, 1));
      for (String window :
          List.of("ROW_NUMBER() OVER (PARTITION BY %s ORDER BY id)", "RANK() OVER (ORDER BY %s)")) {
        String firsts =
            window.startsWith("RANK")
                ? "SELECT COUNT(*) FROM (SELECT DISTINCT %s AS r FROM texts) q"
                : "SELECT COUNT(*) FROM (SELECT %s AS r FROM texts) q WHERE r = 1";
        assertEquals(groups, form.one(firsts.formatted(window.formatted(text))), window);
      }
    }
  }
}
