package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.cells.ExactHistogram;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.ownership.HashedRowOrder;
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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** For which of her labels each person vouches, where labels come from the data. */
class VouchedLabelsTest {
  private static final int PEOPLE = 60;
  private static final int LABELS = 12;

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
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
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer, references: users.id}
                    seller: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  /** Everybody has every label. */
  private static Shop shop() {
    List<Integer[]> orders = new ArrayList<>();
    for (int i = 0; i < PEOPLE * LABELS; i++) {
      orders.add(new Integer[] {i, i / LABELS, i % LABELS, 1});
    }
    return new Shop(List.of(), orders, List.of(), List.of());
  }

  private interface Change {
    NoisyAggregate of(NoisyAggregate counting, Column owner);
  }

  private static List<BigInteger> people(Change change) throws SQLException {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
            .plan("SELECT seller, COUNT(*) FROM orders GROUP BY seller", AnalysisOptions.DEFAULT);
    NoisyAggregate point = plan.query().releases().getFirst();
    CalibratedMechanism.Clipped noise =
        (CalibratedMechanism.Clipped) plan.measurements().getFirst().noise().orElseThrow();
    NoisyAggregate counting =
        change.of(
            noise.labels().orElseThrow().counting(plan.read(point), noise.owner()), noise.owner());
    ExactHistogram people = ExactHistogram.open(counting);
    try (Shop.Asked shop = new Shop.Asked(shop())) {
      JdbcDatabase database = shop.under(POLICY);
      try (Session session = database.session()) {
        new DatabaseRows(new RenderedStatements(database), session, false)
            .cells(new Reading.Cells(counting, Reading.Cells.Use.LABELS), people);
      }
    }
    return people.numbers(0);
  }

  @Test
  void everyLabelThatEverybodyHasIsVouchedForBySome() throws SQLException {
    List<BigInteger> people = people((counting, owner) -> counting);
    assertEquals(LABELS, people.size());
    assertEquals(
        BigInteger.valueOf(4 * PEOPLE), people.stream().reduce(BigInteger.ZERO, BigInteger::add));
    assertTrue(Collections.min(people).intValueExact() >= PEOPLE / 6, people.toString());
  }

  /** The order of labels by their own hash is everybody's: eight of twelve are never shown. */
  @Test
  void oneOrderForEverybodyIsNoticed() throws SQLException {
    List<BigInteger> people =
        people(
            (counting, owner) -> {
              Relation.TopRows some = (Relation.TopRows) counting.input();
              return counting.over(
                  new Relation.TopRows(
                      some.input(),
                      some.partition(),
                      HashedRowOrder.of(counting.keys()),
                      some.count(),
                      some.also(),
                      some.nullsStay(),
                      some.at()));
            });
    assertEquals(Collections.nCopies(4, BigInteger.valueOf(PEOPLE)), people);
  }
}
