package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.render.OneForm;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.trino.Cluster;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever a catalog holds, equal values are the same value, and none makes a question fail. */
class TrinoOneFormTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              tables:
                oneform:
                  columns:
                    id: {type: bigint}
                    x:  {type: double}
                    r:  {type: double}
                    d:  {type: date}
                    b:  {type: timestamp}
                    z:  {type: timestamp}
                    t:  {type: time}
                    u:  {type: time}
                    v:  {type: varchar}
                    c:  {type: varchar}
                    n:  {type: "decimal(38,10)"}
              """,
              Code.BAD_POLICY));

  private static final List<String> LOG = new ArrayList<>();
  private static JdbcDatabase database;

  @BeforeAll
  static void open() throws Exception {
    try (Connection connection = Cluster.writer(Cluster.singleUrl("memory/default"))) {
      Cluster.execute(
          connection,
          "CREATE TABLE oneform (id BIGINT, x DOUBLE, r REAL, d DATE, b"
              + " TIMESTAMP(12), z TIMESTAMP(3) WITH TIME ZONE, t TIME(3), u TIME(12), v VARCHAR, c"
              + " CHAR(8), n DECIMAL(38, 10))");
      Cluster.execute(
          connection,
          """
          INSERT INTO oneform
          SELECT id, CAST(x AS DOUBLE), CAST(CAST(x AS DOUBLE) AS REAL),
            date_add('day', days, DATE '1970-01-01'),
            CAST(date_add('day', days, DATE '1970-01-01') AS TIMESTAMP(12)),
            TRY(at_timezone(from_unixtime(days * 8.64e4), zone)),
            CAST(t AS TIME(3)), CAST(t AS TIME(12)), v, CAST(v AS CHAR(8)), CAST(n AS DECIMAL(38, 10))
          FROM (VALUES
            (1, '0', 0, 'UTC', '00:00:00', 'a', '0'),
            (2, '-0', 2147483647, 'UTC', '23:59:59.999999999999', 'a ', '-0.0000000001'),
            (3, 'NaN', -2147483648, 'Asia/Tokyo', '12:00:00', 'A', '9999999999999999999999999999.9999999999'),
            (4, 'Infinity', -719162, '+14:00', '12:00:00.5', '', '-9999999999999999999999999999.9999999999'),
            (5, '-Infinity', -719163, '-14:00', '12:00:00.0001', '-0', '0.5'),
            (6, '1.7976931348623157e308', 2932896, '-14:00', '12:00', 'NaN', '1'),
            (7, '-1.7976931348623157e308', 2932897, '+14:00', '12:00', 'Infinity', '1.5'),
            (8, '4.9e-324', 19000, 'UTC', '12:00', '9999-12-31', '-1'),
            (9, '-0.3', 106751991, 'UTC', '01:00', '10000-01-01', '2'),
            (10, '-4', -106751991, 'UTC', '01:00', '0000-12-31 00:00:00', '3'),
            (11, '1e-200', 1, 'UTC', '01:00', '9999-12-31 23:59:59.9999999', '4'),
            (12, '5', 26000000, 'UTC', '02:00', 'x', '5'),
            (13, NULL, NULL, 'UTC', NULL, NULL, NULL)) AS v(id, x, days, zone, t, v, n)
          """);
    }
    database =
        JdbcDatabase.open(
            Cluster.singleUrl("memory/default"),
            POLICY,
            Duration.ofMinutes(10),
            (what, cause) -> LOG.add(what + ": " + cause));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @Test
  void equalValuesAreTheSameAndNoneFails() {
    OneForm form = new OneForm(database, POLICY, LOG);
    form.check("oneform");
    assertEquals(List.of(), form.faults());
    assertTrue(form.tried() > 300, () -> "only " + form.tried());
  }

  @Test
  void whatHasNoFormIsNull() {
    OneForm form = new OneForm(database, POLICY, LOG);
    assertEquals("9", form.one("SELECT COUNT(x) FROM oneform"));
    assertEquals("5", form.one("SELECT COUNT(d) FROM oneform"));
    assertEquals("5", form.one("SELECT COUNT(b) FROM oneform"));
    String rows = "SELECT COUNT(*) FROM oneform WHERE ";
    assertEquals("9", form.one(rows + "x > 0 OR x <= 0"));
    assertEquals("5", form.one(rows + "d > DATE '1970-01-01' OR d <= DATE '1970-01-01'"));
    assertEquals("2", form.one(rows + "x = 0"));
    assertEquals("1", form.one(rows + "d IN (DATE '1970-01-01')"));
    assertEquals("0", form.one(rows + "CAST(v AS double) > 1"));
    assertEquals("1", form.one("SELECT COUNT(CAST(v AS timestamp)) FROM oneform"));
    assertEquals(
        "0", form.one("SELECT COUNT(*) FROM oneform WHERE CAST(x AS varchar) LIKE '-0.0'"));
  }
}
