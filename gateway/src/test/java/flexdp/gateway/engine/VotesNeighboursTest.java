package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.noise.LabelVotes;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.LabelsByPeople;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import flexdp.release.LabelSupport;
import flexdp.release.NeighborDistance;
import flexdp.release.Reading;
import flexdp.sensitivity.RuleSet;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** By how much votes for labels move when one person, or a row beside her, comes or goes. */
class VotesNeighboursTest {
  private static final BigInteger ONE = BigInteger.ONE.shiftLeft(2 * LabelVotes.DIGITS);

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy:
                epsilon: 1
                thresholding: {delta: 1e-6}
                budget: {epsilon: 1000, delta: 1e-6, composition: zcdp}
              people: {user: {key: users.id}}
              tables:
                users:
                  owners: {user: id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                orders:
                  owners: {user: user_id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer, references: users.id}
                    seller: {type: integer}
                    a: {type: integer}
                sellers:
                  unit: row
                  columns:
                    id: {type: integer, unique: true, nullable: false, individual: true}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private static final String BESIDE =
      "SELECT CASE WHEN s.id IS NULL THEN o.seller ELSE o.seller + 100 END AS g, COUNT(*) FROM"
          + " orders o LEFT JOIN sellers s ON s.id = o.user_id GROUP BY 1";

  private static Plan plan(String sql) {
    return new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
        .plan(sql, AnalysisOptions.DEFAULT.concentrated(true));
  }

  private static LabelsByPeople labels(Plan plan) {
    CalibratedMechanism.Clipped noise =
        (CalibratedMechanism.Clipped) plan.measurements().getFirst().noise().orElseThrow();
    return noise.labels().orElseThrow();
  }

  private static LabelSupport votes(Plan plan, Shop data, UnaryOperator<NoisyAggregate> changed)
      throws SQLException {
    CalibratedMechanism.Clipped noise =
        (CalibratedMechanism.Clipped) plan.measurements().getFirst().noise().orElseThrow();
    NoisyAggregate read = plan.read(plan.query().releases().getFirst());
    LabelsByPeople labels = noise.labels().orElseThrow();
    NoisyAggregate counting = changed.apply(labels.counting(read, noise.owner()));
    LabelSupport votes = new LabelSupport(read, labels);
    try (Shop.Asked shop = new Shop.Asked(data)) {
      JdbcDatabase database = shop.under(POLICY);
      try (Session session = database.session()) {
        new DatabaseRows(new RenderedStatements(database), session, false)
            .cells(new Reading.Cells(counting, Reading.Cells.Use.LABELS), votes);
      }
    }
    return votes;
  }

  private static NeighborDistance moved(String sql, Shop one, Shop other) throws SQLException {
    Plan plan = plan(sql);
    return votes(plan, one, c -> c).moved(votes(plan, other, c -> c));
  }

  /** So many orders of a person, each with a seller of its own. */
  private static Shop shop(int person, int sellers) {
    List<Integer[]> orders = new ArrayList<>();
    for (int i = 0; i < sellers; i++) {
      orders.add(new Integer[] {i, person, i, 1});
    }
    orders.add(new Integer[] {sellers, person + 1, 0, 1});
    return new Shop(List.of(), orders, List.of(), List.of());
  }

  @Test
  void votesHaveLengthOneHoweverManyLabels() throws SQLException {
    String sql = "SELECT seller, COUNT(*) FROM orders GROUP BY seller";
    for (int sellers : new int[] {1, 2, 3, 7, 127, 128, 129, 300}) {
      Shop data = shop(0, sellers);
      NeighborDistance moved = moved(sql, data, data.without(0, false));
      assertFalse(moved.isTooFar(), moved.toString());
      int most = Math.min(sellers, 128);
      assertEquals(
          LabelVotes.vote(most).pow(2).multiply(BigInteger.valueOf(most)),
          moved.moved().toBigIntegerExact(),
          sellers + " sellers");
    }
  }

  @Test
  void aPersonMovesNoMoreThanTheNoiseIsMadeFor() throws SQLException {
    SplittableRandom random = new SplittableRandom(33);
    for (int i = 0; i < 6; i++) {
      Shop data = Shop.draw(random);
      for (String sql :
          List.of(
              "SELECT seller, COUNT(*) FROM orders GROUP BY seller",
              "SELECT seller, a, COUNT(DISTINCT user_id) FROM orders GROUP BY seller, a",
              "SELECT seller / 2 AS g, COUNT(*), COUNT(DISTINCT user_id) FROM orders GROUP BY 1",
              BESIDE)) {
        NeighborDistance moved = moved(sql, data, data.without(random.nextInt(3), false));
        assertFalse(moved.isTooFar(), sql + ": " + moved);
      }
    }
  }

  /** One row of another table may give a person other labels, all of hers. */
  @Test
  void rowsBesideHerChangeAllHerVotes() throws SQLException {
    Shop with =
        new Shop(List.of(), shop(0, 5).orders(), List.of(), List.<Integer[]>of(new Integer[] {0}));
    Shop without = new Shop(List.of(), with.orders(), List.of(), List.of());
    NeighborDistance moved = moved(BESIDE, with, without);
    assertEquals(ONE.shiftLeft(1), moved.most().toBigIntegerExact());
    assertFalse(moved.isTooFar(), moved.toString());
    assertTrue(moved.moved().toBigIntegerExact().compareTo(ONE) > 0, "noise for one is too little");
  }

  /** The wrong twin numbers her labels before the first of them are taken, or not at all. */
  @Test
  void whoCountsFewerLabelsThanSheVotesForIsNoticed() throws SQLException {
    String sql = "SELECT seller, COUNT(*) FROM orders GROUP BY seller";
    Plan plan = plan(sql);
    Shop data = shop(0, 9);
    UnaryOperator<NoisyAggregate> byLabel =
        counting -> {
          Relation.Window window = (Relation.Window) counting.input();
          return counting.over(
              new Relation.Window(
                  window.input(),
                  window.calls().stream()
                      .map(
                          c ->
                              new WindowCall(
                                  c.output(),
                                  c.aggregate(),
                                  c.rank(),
                                  c.arguments(),
                                  List.of(counting.keys().getFirst().ref()),
                                  c.order(),
                                  c.at()))
                      .toList()));
        };
    NeighborDistance moved =
        votes(plan, data, byLabel).moved(votes(plan, data.without(0, false), byLabel));
    assertTrue(moved.isTooFar(), moved.toString());
  }

  /** What the database tells apart may be one label: the wrong twin adds its votes up. */
  @Test
  void oneLabelInManySpellingsHasOneVote() {
    Plan plan = plan("SELECT seller, COUNT(*) FROM orders GROUP BY seller");
    NoisyAggregate point = plan.query().releases().getFirst();
    LabelSupport none = new LabelSupport(point, labels(plan));
    LabelSupport votes = new LabelSupport(point, labels(plan));
    for (int spelling = 0; spelling < 64; spelling++) {
      BigDecimal seven = new BigDecimal("7").setScale(spelling);
      votes.add(0, List.of(seven, BigDecimal.valueOf(64)), 0, BigInteger.ONE);
    }
    NeighborDistance moved = votes.moved(none);
    assertEquals(LabelVotes.vote(64).pow(2), moved.moved().toBigIntegerExact());
    BigInteger added = LabelVotes.vote(64).multiply(BigInteger.valueOf(64));
    assertTrue(added.pow(2).compareTo(moved.most().toBigIntegerExact()) > 0);
  }

  @Test
  void votesTakeAQuarterOfRho() {
    Plan plan =
        plan("SELECT seller, COUNT(*), COUNT(DISTINCT user_id) FROM orders GROUP BY seller");
    BigDecimal votes = labels(plan).votes().orElseThrow().noise().rho().orElseThrow();
    BigDecimal all =
        plan.measurements().stream()
            .map(p -> p.noise().orElseThrow().mechanism().rho().orElseThrow())
            .reduce(votes, BigDecimal::add);
    // ε²/2 for ε = 1, of which shares are rounded down.
    assertTrue(all.compareTo(new BigDecimal("0.5")) <= 0, all.toString());
    assertTrue(all.compareTo(new BigDecimal("0.4999999")) > 0, all.toString());
    assertEquals(0.125, votes.doubleValue(), 1e-9);
  }

  /** Where no δ is given, or one beyond what noise is made for, people are counted. */
  @Test
  void withoutDeltaThereAreNoVotes() {
    for (String delta : List.of("0", "1e-200")) {
      AnalysisOptions options =
          new AnalysisOptions(
                  RuleSet.FLEXDP,
                  MechanismChoice.AUTO,
                  Optional.empty(),
                  Optional.of(new BigDecimal(delta)),
                  List.of(0L),
                  Optional.empty())
              .concentrated(true);
      Plan plan =
          new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
              .plan("SELECT seller, COUNT(*) FROM orders GROUP BY seller", options);
      assertTrue(labels(plan).votes().isEmpty(), delta);
      assertEquals("clip", plan.measurements().getFirst().noise().orElseThrow().mechanism().name());
    }
  }

  /** Elsewhere people are counted, as ever. */
  @Test
  void withoutRhoPeopleAreCounted() {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
            .plan(
                "SELECT seller, COUNT(*) FROM orders GROUP BY seller",
                AnalysisOptions.DEFAULT.bySquares(true));
    assertTrue(labels(plan).votes().isEmpty());
    assertEquals(4, labels(plan).perPerson());
  }
}
