package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.PersonCell;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.people.clipping.Contributions;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.Reading;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sessions: rows that share a value of a column are one person's, as the policy says. Where it says
 * the truth answers are those of the question; where it does not nobody is less protected, for the
 * owner is added to every group and every join.
 */
class SameOwnerTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 1, thresholding: {delta: 1e-6}, budget: {epsilon: 1000000}}
      people: {user: {key: users.id}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
        orders:
          owners: {user: user_id}
          EXTRA
          columns:
            id: {type: integer, unique: true, nullable: false}
            user_id: {type: integer, references: users.id}
            seller: {type: integer, nullable: NULLABLE}
            a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
      """;

  private static final Policy SESSIONS = policy("sameOwner: [seller]", false);

  private static Policy policy(String extra, boolean nullable) {
    return PolicyReader.read(
        YamlText.tree(
            POLICY.replace("EXTRA", extra).replace("NULLABLE", String.valueOf(nullable)),
            ConfigurationError.Code.BAD_POLICY));
  }

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM (SELECT seller, COUNT(*) n FROM orders GROUP BY seller) s WHERE n >"
              + " 1",
          "SELECT SUM(n) FROM (SELECT seller, LEAST(COUNT(*), 5) n FROM orders GROUP BY seller) s",
          "SELECT AVG(n) FROM (SELECT seller, MAX(a) - MIN(a) n FROM orders GROUP BY seller) s",
          "SELECT COUNT(*) FROM (SELECT DISTINCT seller, a FROM orders) d",
          "SELECT COUNT(DISTINCT seller) FROM orders",
          "SELECT COUNT(DISTINCT seller), COUNT(*), SUM(a) FROM orders",
          "SELECT a, COUNT(DISTINCT seller) FROM orders GROUP BY a",
          "SELECT a, COUNT(DISTINCT seller), COUNT(*) FROM orders GROUP BY a",
          "SELECT COUNT(*) FROM (SELECT LAG(a) OVER (PARTITION BY seller ORDER BY id) b FROM orders)"
              + " x WHERE b = 1",
          "SELECT COUNT(*) FROM (SELECT a, ROW_NUMBER() OVER (PARTITION BY seller ORDER BY id) b"
              + " FROM orders) x WHERE b <= 2",
          "SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY seller) b FROM orders) x WHERE b"
              + " > 2",
          "SELECT COUNT(*) FROM orders o JOIN orders p ON p.seller = o.seller",
          "SELECT COUNT(p.id) FROM orders o LEFT JOIN orders p ON p.seller = o.seller AND p.a = 2",
          "SELECT COUNT(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM orders p WHERE p.seller ="
              + " o.seller AND p.a = 1)",
          "SELECT a, COUNT(*) FROM orders o WHERE a > (SELECT MIN(p.a) FROM orders p WHERE p.seller"
              + " = o.seller) GROUP BY a");

  private static Plan plan(Policy policy, String sql) {
    return new Analyzer(policy, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT);
  }

  @Test
  void oneOfSeveralInASessionMovesNothingByMore() throws SQLException {
    run(6, 1);
  }

  @Test
  @Tag("soak")
  void oneOfSeveralInASessionMovesNothingByMoreAtLength() throws SQLException {
    run(400, 2);
  }

  private void run(int cases, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed);
    MovedByOne moved = new MovedByOne();
    for (int i = 0; i < cases; i++) {
      Shop data = Shop.draw(random);
      try (Shop.Asked x = new Shop.Asked(data);
          Shop.Asked y = new Shop.Asked(data.without(random.nextInt(3), false))) {
        JdbcDatabase all = x.under(SESSIONS);
        JdbcDatabase less = y.under(SESSIONS);
        for (String sql : QUESTIONS) {
          moved.compare(plan(SESSIONS, sql), all, less, sql);
        }
      }
    }
    assertTrue(moved.clipped() + moved.few() >= cases * QUESTIONS.size());
  }

  /** Wrong twin: a session of many, grouped as if it were one person's, and she leaves. */
  @Test
  void withoutTheOwnerOnePersonMovesEverybody() throws SQLException {
    List<Integer[]> orders = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      orders.add(new Integer[] {i, 1 + i, i, 0});
      orders.add(new Integer[] {1000 + i, 0, i, 0});
    }
    Shop data = new Shop(List.of(), orders, List.of(), List.of());
    String sql = QUESTIONS.getFirst();
    Plan plan = plan(SESSIONS, sql);
    MovedByOne moved = new MovedByOne();
    try (Shop.Asked x = new Shop.Asked(data);
        Shop.Asked y = new Shop.Asked(data.without(0, false))) {
      assertEquals(1000, x.number(sql) - y.number(sql));
      moved.compare(plan, x.under(SESSIONS), y.under(SESSIONS), sql);
    }
  }

  /** Everybody has sessions of her own: what is measured is what was asked for. */
  @Test
  void whereThePolicySaysTheTruthAnswersAreThoseOfTheQuestion() throws SQLException {
    List<Integer[]> orders = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 60; i++) {
      int user = random.nextInt(5);
      orders.add(new Integer[] {i, user, 10 * user + random.nextInt(4), random.nextInt(3)});
    }
    Shop data = new Shop(List.of(), orders, List.of(), List.of());
    try (Shop.Asked shop = new Shop.Asked(data)) {
      JdbcDatabase database = shop.under(SESSIONS);
      for (String sql : QUESTIONS) {
        boolean alone = !sql.substring(0, sql.indexOf(" FROM")).contains(",");
        if (!alone || !sql.startsWith("SELECT COUNT") && !sql.startsWith("SELECT SUM")) {
          continue;
        }
        Plan plan = plan(SESSIONS, sql);
        NoisyAggregate read = plan.read(plan.query().releases().getFirst());
        CalibratedMechanism.Clipped noise =
            (CalibratedMechanism.Clipped) plan.measurements().getFirst().noise().orElseThrow();
        Contributions<PersonCell> all =
            new Contributions<>(noise.clipping().levels(), noise.clipping().digits());
        try (Session session = database.session()) {
          new DatabaseRows(new RenderedStatements(database), session, false)
              .people(
                  new Reading.People(read, noise.owner(), noise.clipping(), Optional.empty()), all);
        }
        BigInteger sum =
            all.cells().stream().map(all::whole).reduce(BigInteger.ZERO, BigInteger::add);
        assertEquals(
            shop.number(sql), sum.shiftRight(noise.clipping().digits()).longValueExact(), sql);
      }
    }
  }

  @Test
  void whatIsNotSaidIsRefused() {
    String counted = "SELECT COUNT(DISTINCT seller) FROM orders";
    assertEquals(
        "PEOPLE_UNSUPPORTED",
        assertThrows(Rejection.class, () -> plan(policy("", false), counted)).codeName());
    for (String mixed : List.of(counted, QUESTIONS.getFirst(), QUESTIONS.get(6))) {
      Rejection refused = assertThrows(Rejection.class, () -> plan(policy("", false), mixed));
      assertEquals(
          "Group by user_id as well as by seller. If each seller stands in rows of one person, the"
              + " owner of the data may say so, and nothing has to be added: sameOwner: [seller] of"
              + " orders. Or the policy says how many rows of a person are read: rowsPerPerson.",
          refused.hint(),
          mixed);
    }
    String grouped = QUESTIONS.getFirst();
    for (Policy other : List.of(policy("", false), policy("sameOwner: [seller]", true))) {
      assertEquals(
          "PEOPLE_UNSUPPORTED",
          assertThrows(Rejection.class, () -> plan(other, grouped)).codeName());
    }
    for (String sql :
        List.of(
            "SELECT COUNT(*) FROM (SELECT seller FROM orders WHERE a = 1 INTERSECT SELECT seller"
                + " FROM orders WHERE a = 2) d",
            "SELECT COUNT(*) FROM (SELECT seller + 0 AS s, COUNT(*) n FROM orders GROUP BY 1) s"
                + " WHERE n > 1",
            "SELECT COUNT(*) FROM (SELECT p.seller s, COUNT(*) n FROM orders o LEFT JOIN orders p ON"
                + " p.user_id = o.user_id AND p.a = 1 GROUP BY 1) x WHERE n > 1")) {
      assertEquals(
          "PEOPLE_UNSUPPORTED",
          assertThrows(Rejection.class, () -> plan(SESSIONS, sql)).codeName(),
          sql);
    }
  }

  @Test
  void policiesThatCannotMeanItAreRefused() {
    for (String extra :
        List.of(
            "sameOwner: [nothing]",
            "unowned: keep\n    sameOwner: [seller]",
            "unowned: keep\n    sameOwner: [id]")) {
      assertThrows(ConfigurationError.class, () -> policy(extra, false), extra);
    }
  }
}
