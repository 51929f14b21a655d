package flexdp.gateway.sqlite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.OneForm;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A column of SQLite holds anything; whatever it is, equal values are the same value. */
class SqliteOneFormTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              tables:
                h:
                  columns:
                    id:   {type: bigint, unique: true}
                    r:    {type: double}
                    a:    {type: double}
                    n:    {type: double}
                    i:    {type: bigint}
                    j:    {type: bigint}
                    s:    {type: integer}
                    c:    {type: "decimal(9,2)"}
                    e:    {type: "decimal(9,2)"}
                    t:    {type: varchar}
                    u:    {type: varchar}
                    d:    {type: date}
                    f:    {type: date}
                    at:   {type: timestamp}
                    bt:   {type: timestamp}
                    ok:   {type: boolean}
                    o:    {type: opaque}
              """,
              Code.BAD_POLICY));

  /** Each goes into every column, whatever its type. */
  private static final List<String> VALUES =
      List.of(
          "NULL",
          "0",
          "0.0",
          "-0.0",
          "0.0 * -1",
          "1",
          "1.0",
          "-1",
          "0.5",
          "-0.5",
          "-0.001",
          "9e999",
          "-9e999",
          "1.7976931348623157e308",
          "-1.7976931348623157e308",
          "4.9e-324",
          "9007199254740993",
          "9007199254740992.0",
          "9223372036854775807",
          "-9223372036854775807 - 1",
          "9.3e18",
          "999999999999999.0",
          "'a'",
          "'A'",
          "'a '",
          "''",
          "'inf'",
          "'-0'",
          "'-0.0'",
          "'1e99'",
          "'0000-01-01'",
          "'0001-01-01'",
          "'9999-12-31'",
          "'2024-02-29'",
          "'2024-02-30'",
          "'0000-12-31 23:59:59'",
          "'9999-12-31 23:59:59.999999'",
          "'2024-02-29 24:00:00'",
          "'2024-02-29T12:00'",
          "'2024-02-29 12:00:00.0'",
          "2460000.5",
          "CAST(x'ff' AS TEXT)",
          "CAST(x'fe' AS TEXT)",
          "CAST(x'6100' AS TEXT)",
          "CAST(x'610062' AS TEXT)",
          "x'61'",
          "'ΐİﬃ'",
          "printf('%.*c', 300, 'a') || 'b'");

  @TempDir Path folder;
  private final List<String> log = new ArrayList<>();
  private JdbcDatabase database;

  @BeforeEach
  void open() throws Exception {
    String url = "jdbc:sqlite:" + folder.resolve("h.db");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE h(id INTEGER PRIMARY KEY, r REAL, a, n NUMERIC, i INTEGER, j, s INTEGER, c"
              + " NUMERIC(9,2), e, t TEXT COLLATE NOCASE, u, d DATE, f TEXT, at DATETIME, bt TEXT,"
              + " ok BOOLEAN, o)");
      for (int i = 0; i < VALUES.size(); i++) {
        String rest = (", " + VALUES.get(i)).repeat(16);
        statement.execute("INSERT INTO h VALUES (" + i + rest + ")");
      }
    }
    database =
        JdbcDatabase.open(
            url, POLICY, Duration.ofMinutes(10), (what, cause) -> log.add(what + ": " + cause));
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void equalValuesAreTheSameAndNoneFails() {
    OneForm form = new OneForm(database, POLICY, log);
    form.check("h");
    assertEquals(List.of(), form.faults());
    assertTrue(form.tried() > 300, () -> "only " + form.tried());
  }

  @Test
  void whatIsNoValueOfItsTypeIsNull() {
    OneForm form = new OneForm(database, POLICY, log);
    assertEquals("20", form.one("SELECT COUNT(a) FROM h WHERE a <= 1.7976931348623157e308"));
    assertEquals("20", form.one("SELECT COUNT(a) FROM h"));
    assertEquals("3", form.one("SELECT COUNT(d) FROM h"));
    assertEquals("3", form.one("SELECT COUNT(f) FROM h"));
    assertEquals("6", form.one("SELECT COUNT(at) FROM h"));
    assertEquals("6", form.one("SELECT COUNT(bt) FROM h"));
    String text = "SELECT COUNT(*) FROM h WHERE ";
    String texts = form.one(text + "u IS NOT NULL");
    assertEquals(texts, form.one(text + "u >= ''"), "UTF-8 is looked for where it matters");
    assertEquals(texts, form.one(text + "u = '' OR u > ''"));
    assertEquals("22", texts);
    assertEquals("2", form.one("SELECT COUNT(ADD_MONTHS(f, -1)) FROM h"));
    assertEquals("45", form.one("SELECT COUNT(DISTINCT o) FROM h"), "1 and 1.0 are two values");
    assertEquals("0", form.one("SELECT COUNT(*) FROM h WHERE EXTRACT(year FROM bt) < 1"));
  }

  /** Nine thousand such numbers are beyond 64 bits, where SUM raises. */
  @Test
  void noSumOfFloatsFails() {
    OneForm form = new OneForm(database, POLICY, log);
    String sum =
        "SELECT COUNT(*) FROM (SELECT %s(x) AS s FROM (SELECT CAST(999999999999999 + a.id * 0 AS"
            + " double) AS x FROM h a CROSS JOIN h b CROSS JOIN (VALUES (1), (2), (3),"
            + " (4), (5)) c(n)) q) r WHERE s > 0";
    for (String function : List.of("SUM", "AVG")) {
      assertEquals("1", form.one(sum.formatted(function)));
    }
  }
}
