package flexdp.gateway;

import static flexdp.gateway.PeopleReading.cells;
import static flexdp.gateway.PeopleReading.labels;
import static flexdp.gateway.PeopleReading.owned;
import static flexdp.gateway.PeopleReading.people;
import static flexdp.gateway.PeopleReading.where;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.PersonCell;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.trino.Trino;
import flexdp.people.clipping.Contributions;
import flexdp.plan.ClippingPlan;
import flexdp.plan.JointClipping;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Lengths of people with thousands of cells, with sums beyond where they are cut before they are
 * squared, of either sign, and in ranges whose ends hardly fit what databases compute with.
 */
class LengthExtremesTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, thresholding: {delta: 1e-6}, budget: {epsilon: 1000000}}
              tables:
                visits:
                  columns:
                    id: {type: bigint, unique: true, nullable: false}
                    person: {type: integer, individual: false}
                    page: {type: integer}
                    city: {type: integer, domain: [1, 2, 3, 4, 5]}
                    amount: {type: "decimal(14,2)", range: [-2000000000, 2000000000]}
                    fee: {type: "decimal(14,2)", range: [0, 500000000.01]}
                    wide: {type: bigint, range: [0, 1000000000000]}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT page, SUM(amount) FROM visits GROUP BY page",
          "SELECT page, COUNT(*), AVG(fee) FROM visits GROUP BY page",
          "SELECT page, city, COUNT(*), SUM(fee) FROM visits GROUP BY page, city",
          "SELECT city, SUM(amount), COUNT(*) FROM visits GROUP BY city",
          "SELECT city, AVG(fee), COUNT(*) FROM visits GROUP BY city",
          "SELECT page, COUNT(DISTINCT person) FROM visits GROUP BY page");

  /** Numbers from 0, by a cross join that every database has. */
  private static String rows(int count, String select) {
    String digits = "(SELECT 0 AS d UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3)";
    StringBuilder number = new StringBuilder("0");
    StringBuilder from = new StringBuilder();
    for (int i = 0; i < 8; i++) {
      number.append(" + ").append(1 << (2 * i)).append(" * t").append(i).append(".d");
      from.append(i == 0 ? "" : ", ").append(digits).append(" AS t").append(i);
    }
    return "INSERT INTO visits SELECT n, "
        + select
        + " FROM (SELECT "
        + number
        + " AS n FROM "
        + from
        + ") AS m WHERE n < "
        + count;
  }

  private static final List<String> ROWS =
      List.of(
          // Thousands of cells at the end of the range, of one sign and of both.
          rows(400, "1, n, 1 + n % 5, 2000000000, 500000000.01, 1"),
          rows(
              300,
              "2, n, 1 + n % 5, CASE WHEN n % 2 = 0 THEN 2000000000 ELSE -1999999999.99 END,"
                  + " n * 100000.01, 1"),
          // One cell beyond 2^25 units, beside some small ones.
          rows(33_000, "3, CASE WHEN n < 32990 THEN 0 ELSE n END, 1, 2000000000, 500000000.01, 1"),
          rows(1, "4, 0, 2, -2000000000, 0, 1"),
          // Many cells of one step each, which are rounded up to units.
          rows(500, "5, n, 1 + n % 5, 0.01, 0.01, 1"),
          rows(40, "6, n % 7, CASE WHEN n % 3 = 0 THEN NULL ELSE 2 END, NULL, 9000000000, 1"));

  private Contributions<PersonCell> read(
      PeopleReading reading,
      NoisyAggregate point,
      ClippingPlan clipping,
      int without,
      boolean beside) {
    PeopleReading.Owned owned = owned(point.input());
    return reading.read(
        point, where(owned, "<>", without), owned.owner(), clipping, labels(point, beside));
  }

  private double tightest;
  private int checks;

  private void check(PeopleReading reading, String sql) {
    NoisyAggregate whole = PeopleReading.point(sql, POLICY);
    for (List<Integer> part : JointClipping.of(whole)) {
      NoisyAggregate point = JointClipping.some(whole, part);
      ClippingPlan clipping =
          ClippingPlan.of(point, Optional.empty(), List.of()).inSquares(point).orElseThrow();
      boolean beside = sql.startsWith("SELECT city");
      Contributions<PersonCell> all = read(reading, point, clipping, 0, beside);
      for (int person = 1; person <= 6; person++) {
        Contributions<PersonCell> less = read(reading, point, clipping, person, beside);
        assertEquals(1, people(all, less), sql);
        for (int level = 0; level <= clipping.levels().last(); level += 3) {
          for (int m = 0; m < part.size(); m++) {
            BigInteger moved = BigInteger.ZERO;
            for (PersonCell cell : cells(all, less)) {
              BigInteger by = all.clipped(cell, level).subtract(less.clipped(cell, level));
              moved = moved.add(cell.measurement() == m ? by.pow(2) : BigInteger.ZERO);
            }
            BigInteger most = clipping.movedSquared(point.measurements().get(m), level);
            assertTrue(
                moved.compareTo(most) <= 0, sql + " without " + person + " at level " + level);
            tightest = Math.max(tightest, moved.doubleValue() / most.doubleValue());
            checks++;
          }
        }
      }
    }
  }

  private void check(TestDatabase under) throws Exception {
    try (under) {
      under.start();
      try (Connection writer = under.writer();
          Statement statement = writer.createStatement()) {
        Table table = POLICY.tables().values().iterator().next();
        List<String> columns = new ArrayList<>();
        table.columns().forEach(c -> columns.add(c.name() + " " + under.columnType(c.type())));
        statement.execute("CREATE TABLE visits (" + String.join(", ", columns) + ")");
        for (String rows : ROWS) {
          statement.execute(under.insert(table, rows));
        }
      }
      try (JdbcDatabase database =
          JdbcDatabase.open(under.url(), POLICY, Duration.ofMinutes(10), (what, cause) -> {})) {
        QUESTIONS.forEach(sql -> check(new PeopleReading(database), sql));
      }
    }
    assertTrue(checks > 500, checks + " checks");
    assertTrue(tightest > 0.99, "the largest moved by " + tightest + " of what it may");
  }

  @Test
  void extremePeopleMoveByNoMoreThanTheirLengthOnDuckDb() throws Exception {
    check(new DuckDbSuiteTest.File());
  }

  @Test
  void extremePeopleMoveByNoMoreThanTheirLengthOnSqlite() throws Exception {
    check(new SqliteSuiteTest.File());
  }

  /** Where ends are no numbers of 64 bits, cells are clipped in L1. */
  @Test
  void rangesThatAreTooWideHaveNoLength() {
    NoisyAggregate wide =
        PeopleReading.point("SELECT page, AVG(wide) FROM visits GROUP BY page", POLICY);
    assertTrue(ClippingPlan.of(wide, Optional.empty(), List.of()).inSquares(wide).isEmpty());
    NoisyAggregate sum =
        PeopleReading.point("SELECT page, SUM(wide) FROM visits GROUP BY page", POLICY);
    assertTrue(ClippingPlan.of(sum, Optional.empty(), List.of()).inSquares(sum).isPresent());
  }

  /** Of values of 37 bits, shares of 57: a hundred people add up to more than 64 bits. */
  @Test
  void sharesAreAddedUpInNumbersWideEnough() {
    String share = new Trino().rootShare("x", "weight", 1 << 20);
    assertTrue(share.contains("AS DECIMAL(38, 0))"), share);
  }
}
