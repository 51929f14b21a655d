package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.metrics.Metrics;
import flexdp.people.packing.PackingSolver;
import flexdp.people.packing.PackingValues;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.ExactValues;
import flexdp.release.ReleasePlan;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A key that is declared NOT NULL and is NULL: no row counts as nobody's for that. */
class FalselyNamedRowsTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1}
              people: {user: {key: users.id}}
              tables:
                users:
                  owners: {user: id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                orders:
                  owners: {user: [buyer, seller]}
                  columns:
                    buyer: {type: integer}
                    seller: {type: integer}
                    a: {type: integer}
                notes:
                  unit: row
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    k: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  private static final String SQL = "SELECT COUNT(*) FROM orders o JOIN notes n ON n.k = o.a";

  @Test
  void oneRowMovesTheCountByNoMoreThanTheLevel() throws SQLException {
    Plan plan =
        new Analyzer(POLICY, new Metrics(Map.of(), Map.of()), LocalDateTime.of(2024, 7, 1, 0, 0))
            .plan(SQL, AnalysisOptions.DEFAULT);
    CalibratedMechanism.Packed noise =
        (CalibratedMechanism.Packed) plan.measurements().getFirst().noise().orElseThrow();
    PackingValues with = values(plan, "(NULL, 1)");
    PackingValues without = values(plan, "(5, 2)");
    BigInteger moved = with.moved(without, 0);
    BigInteger tau = noise.packing().levels().at(0).shiftLeft(40);
    assertTrue(moved.abs().compareTo(tau.add(tau.shiftRight(6))) <= 0, moved + " by one row");
  }

  private static PackingValues values(Plan plan, String note) throws SQLException {
    PackingSolver none =
        packing -> {
          throw new IllegalStateException("these fall apart by owner");
        };
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE users(id INTEGER)");
        statement.execute("CREATE TABLE orders(buyer INTEGER, seller INTEGER, a INTEGER)");
        statement.execute("INSERT INTO orders SELECT range, NULL, 1 FROM range(100)");
        statement.execute("CREATE TABLE notes(id INTEGER, k INTEGER)");
        statement.execute("INSERT INTO notes VALUES " + note);
      }
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      try (JdbcDatabase database =
              JdbcDatabase.over(own, POLICY, Duration.ofMinutes(10), (what, cause) -> {});
          Session session = database.session()) {
        ReleasePlan release =
            ReleasePlan.of(
                plan,
                plan.query().releases().getFirst(),
                new ReleasePlan.Means(Optional.empty(), none));
        return ExactValues.packed(
                release.read(
                    new DatabaseRows(new RenderedStatements(database), session, false),
                    Optional.of(List.of(List.of()))))
            .getFirst()
            .getFirst();
      }
    }
  }
}
