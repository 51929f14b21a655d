package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.engine.SeededGateways;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Patients with their visits and prescriptions, to be asked end to end; then doctors, too. */
abstract class Hospital {
  static final String TABLES =
      """
      tables:
        patients:
          owners: {patient: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
            born: {type: integer, range: [1900, 2020]}
            sex: {type: varchar, domain: [f, m]}
        visits:
          owners: {patient: patient_id%s}
          columns:
            id: {type: integer, unique: true, nullable: false}
            patient_id: {type: integer, references: patients.id}
            doctor_id: {type: integer}
            minutes: {type: integer, range: [0, 120]}
            ward: {type: varchar, domain: [a, b, c]}
        prescriptions:
          owners: {patient: visit_id.patient_id%s}
          columns:
            visit_id: {type: integer, references: visits.id}
            cost: {type: "decimal(9,2)", range: [0, 1000]}
        doctors:
          %s
          columns:
            id: {type: integer, unique: true, nullable: false}
      """;

  static final String PRIVACY =
      "privacy: {epsilon: 1, thresholding: {delta: 1e-6}, budget: {epsilon: 1000000, delta:"
          + " 0.01}}\n";

  static final String ONE_KIND =
      PRIVACY
          + "people: {patient: {key: patients.id}}\n"
          + String.format(java.util.Locale.ROOT, TABLES, "", "", "unit: row");

  static final String TWO_KINDS =
      PRIVACY
          + "people: {patient: {key: patients.id}, doctor: {key: doctors.id}}\n"
          + String.format(
              java.util.Locale.ROOT,
              TABLES,
              ", doctor: doctor_id",
              ", doctor: visit_id.doctor_id",
              "owners: {doctor: id}");

  @TempDir Path folder;

  Connection connection;

  @BeforeEach
  void create() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    execute("CREATE TABLE doctors(id INTEGER PRIMARY KEY)");
    execute("CREATE TABLE patients(id INTEGER PRIMARY KEY, born INTEGER, sex VARCHAR)");
    execute(
        "CREATE TABLE visits(id INTEGER PRIMARY KEY, patient_id INTEGER, doctor_id INTEGER,"
            + " minutes INTEGER, ward VARCHAR)");
    execute("CREATE TABLE prescriptions(visit_id INTEGER, cost DECIMAL(9,2))");
    execute("INSERT INTO doctors SELECT range::INTEGER FROM range(100)");
    execute(
        "INSERT INTO patients SELECT range::INTEGER, 1900 + (range * 7 % 120)::INTEGER,"
            + " CASE WHEN range % 3 = 0 THEN 'f' ELSE 'm' END FROM range(4000)");
    execute(
        "INSERT INTO visits SELECT range::INTEGER, (range * 7919 % 4000)::INTEGER,"
            + " (range % 100)::INTEGER, (range * 31 % 120)::INTEGER,"
            + " ['a', 'b', 'c'][(1 + range % 3)::INTEGER] FROM range(20000)");
    execute(
        "INSERT INTO prescriptions SELECT (range * 13 % 20000)::INTEGER,"
            + " (range * 17 % 300)::DECIMAL(9,2) FROM range(30000)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  BigDecimal exact(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getBigDecimal(1);
    }
  }

  final class Asked implements AutoCloseable {
    private final JdbcDatabase database;
    private final Ledger ledger;
    private final QueryEngine engine;

    Asked(String yaml, String ledgerName) throws SQLException {
      this(yaml, ledgerName, new Metrics(Map.of(), Map.of()));
    }

    Asked(String yaml, String ledgerName, Metrics metrics) throws SQLException {
      Policy policy = PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      database = JdbcDatabase.over(own, policy, Duration.ofMinutes(10), (what, cause) -> {});
      ledger = LedgerOpening.file(folder.resolve(ledgerName), Allowances.of(policy), false);
      engine =
          SeededGateways.gateway(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "test",
              database,
              ledger,
              (what, cause) -> {},
              Clock.systemUTC(),
              SmallRides.noise(ledgerName.hashCode()));
    }

    AnalystView ask(String sql, String epsilon) {
      QueryOptions options =
          new QueryOptions(
              MechanismChoice.AUTO,
              Optional.of(new BigDecimal(epsilon)),
              Optional.empty(),
              Optional.empty());
      return engine.ask(new QueryRequest(sql, options, "ann", Set.of()));
    }

    AnalystView intervals(String sql, String epsilon) {
      QueryOptions options =
          new QueryOptions(
              MechanismChoice.AUTO,
              Optional.of(new BigDecimal(epsilon)),
              Optional.empty(),
              Optional.empty());
      return engine.ask(
          new QueryRequest(sql, options, "ann", Set.of(), false, true, Optional.empty()));
    }

    Explanation explain(String sql) {
      QueryOptions options =
          new QueryOptions(
              MechanismChoice.AUTO,
              Optional.of(BigDecimal.ONE),
              Optional.empty(),
              Optional.empty());
      return engine.explain(new QueryRequest(sql, options, "ann", Set.of()));
    }

    double number(String sql, String epsilon) {
      return ((Number) ask(sql, epsilon).rows().getFirst().getFirst()).doubleValue();
    }

    BigDecimal rho(Account account) {
      return ledger.standing(account).spent().rho();
    }

    BigDecimal spent(Account account) {
      return ledger.standing(account).spent().epsilon();
    }

    @Override
    public void close() {
      ledger.close();
      database.close();
    }
  }

  void near(Asked asked, String sql, double part) throws SQLException {
    double truth = exact(sql).doubleValue();
    assertEquals(truth, asked.number(sql, "2"), Math.abs(truth) * part, sql);
  }
}
