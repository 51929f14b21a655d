package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.gateway.answer.Gateway;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Ask;
import flexdp.gateway.ask.AskOptions;
import flexdp.gateway.ask.Explanation;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.Opening;
import flexdp.gateway.ledger.OwnerAdoption;
import flexdp.gateway.ledger.Repair;
import flexdp.gateway.live.LiveMetrics;
import flexdp.gateway.text.YamlText;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patients with their visits and prescriptions, asked end to end; then doctors, too. */
class HospitalTest {
  private static final String TABLES =
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

  private static final String PRIVACY = "privacy: {epsilon: 1, budget: {epsilon: 1000000}}\n";

  private static final String ONE_KIND =
      PRIVACY
          + "people: {patient: {key: patients.id}}\n"
          + String.format(java.util.Locale.ROOT, TABLES, "", "", "unit: row");

  private static final String TWO_KINDS =
      PRIVACY
          + "people: {patient: {key: patients.id}, doctor: {key: doctors.id}}\n"
          + String.format(
              java.util.Locale.ROOT,
              TABLES,
              ", doctor: doctor_id",
              ", doctor: visit_id.doctor_id",
              "owners: {doctor: id}");

  @TempDir Path folder;

  private Connection connection;

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

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private BigDecimal exact(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getBigDecimal(1);
    }
  }

  private final class Asked implements AutoCloseable {
    private final JdbcDatabase database;
    private final Ledger ledger;
    private final Gateway gateway;

    Asked(String yaml, String ledgerName) throws SQLException {
      Policy policy = PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      database = JdbcDatabase.over(own, policy, Duration.ofSeconds(20), (what, cause) -> {});
      ledger = Opening.file(folder.resolve(ledgerName), Allowances.of(policy), false);
      gateway =
          new Gateway(
              policy,
              LiveMetrics.vouched(policy, new Metrics(Map.of(), Map.of())),
              "test",
              database,
              ledger,
              (what, cause) -> {},
              Clock.systemUTC());
    }

    AnalystView ask(String sql, String epsilon) {
      AskOptions options =
          new AskOptions(
              MechanismChoice.AUTO,
              Optional.of(new BigDecimal(epsilon)),
              Optional.empty(),
              Optional.empty());
      return gateway.ask(new Ask(sql, options, "ann", Set.of()));
    }

    Explanation explain(String sql) {
      AskOptions options =
          new AskOptions(
              MechanismChoice.AUTO,
              Optional.of(BigDecimal.ONE),
              Optional.empty(),
              Optional.empty());
      return gateway.explain(new Ask(sql, options, "ann", Set.of()));
    }

    double number(String sql, String epsilon) {
      return ((Number) ask(sql, epsilon).rows().getFirst().getFirst()).doubleValue();
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

  private void near(Asked asked, String sql, double part) throws SQLException {
    double truth = exact(sql).doubleValue();
    assertEquals(truth, asked.number(sql, "2"), Math.abs(truth) * part, sql);
  }

  @Test
  void questionsByPeopleAreAnsweredUsefully() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "one.ledger")) {
      near(asked, "SELECT COUNT(*) FROM visits", 0.02);
      near(asked, "SELECT SUM(minutes) FROM visits", 0.05);
      near(asked, "SELECT COUNT(*) FROM patients", 0.02);
      near(asked, "SELECT COUNT(*) FROM prescriptions", 0.02);
      near(asked, "SELECT SUM(cost) FROM prescriptions", 0.05);
      near(asked, "SELECT AVG(minutes) FROM visits", 0.05);
      near(asked, "SELECT COUNT(DISTINCT patient_id) FROM visits WHERE minutes > 60", 0.02);
      near(
          asked,
          "SELECT COUNT(*) FROM visits v JOIN prescriptions p ON p.visit_id = v.id"
              + " WHERE v.minutes > 20",
          0.05);
      near(
          asked,
          "SELECT COUNT(*) FROM (SELECT patient_id, COUNT(*) n FROM visits GROUP BY patient_id) v"
              + " WHERE n > 4",
          0.05);
    }
  }

  @Test
  void histogramsByPeople() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "histogram.ledger")) {
      AnalystView view =
          asked.ask("SELECT ward, COUNT(*) FROM visits GROUP BY ward ORDER BY 1", "2");
      assertEquals(3, view.rows().size());
      for (List<Object> row : view.rows()) {
        assertEquals(6667, ((BigDecimal) row.get(1)).doubleValue(), 400);
      }
      assertEquals("clip", view.mechanism());
    }
  }

  @Test
  void theAnswerSaysWhatOnePersonCounts() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "note.ledger")) {
      String note = asked.ask("SELECT COUNT(*) FROM visits", "2").derived().orElseThrow();
      assertTrue(note.startsWith("each person counts for at most "), note);
      assertTrue(note.contains("noise of COUNT"), note);
    }
  }

  @Test
  void explainSaysWhatOnePersonCanChange() throws SQLException {
    try (Asked asked = new Asked(TWO_KINDS, "explain.ledger")) {
      Explanation clipped = asked.explain("SELECT SUM(born) FROM patients");
      assertEquals(Set.of("people:patient"), clipped.tables());
      assertTrue(clipped.operators().getFirst().startsWith("P-CLIP"), clipped.toString());
      assertTrue(clipped.noise().getFirst().formula().contains("at most τ"), clipped.toString());
      assertTrue(clipped.errors().getFirst().words().contains("bias"), clipped.toString());
      Explanation shared = asked.explain("SELECT COUNT(*) FROM visits");
      assertEquals(Set.of("people:doctor", "people:patient"), shared.tables());
      assertTrue(shared.operators().getFirst().startsWith("P-DESCENT"), shared.toString());
      assertEquals(Optional.of("descent"), shared.noise().getFirst().mechanism());
    }
  }

  @Test
  void peopleHaveTheAccountAndTheirTablesHaveNone() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "account.ledger")) {
      asked.ask("SELECT COUNT(*) FROM visits", "2");
      asked.ask("SELECT COUNT(*) FROM prescriptions", "3");
      asked.ask("SELECT COUNT(*) FROM doctors", "1");
      assertEquals(0, new BigDecimal(5).compareTo(asked.spent(new Account.People("patient"))));
      assertEquals(0, BigDecimal.ONE.compareTo(asked.spent(new Account.Table("doctors"))));
      assertEquals(0, BigDecimal.ZERO.compareTo(asked.spent(new Account.Table("visits"))));
    }
    try (Asked again = new Asked(ONE_KIND, "account.ledger")) {
      assertEquals(0, new BigDecimal(5).compareTo(again.spent(new Account.People("patient"))));
    }
  }

  @Test
  void visitsOfPatientsAndDoctorsAreCountedByBoth() throws SQLException {
    try (Asked asked = new Asked(TWO_KINDS, "two.ledger")) {
      double count = asked.number("SELECT COUNT(*) FROM visits", "4");
      assertEquals(20000, count, 5000);
      double minutes = asked.number("SELECT SUM(minutes) FROM visits WHERE ward = 'a'", "4");
      assertEquals(
          exact("SELECT SUM(minutes) FROM visits WHERE ward = 'a'").doubleValue(), minutes, 150000);
      assertEquals(0, new BigDecimal(8).compareTo(asked.spent(new Account.People("patient"))));
      assertEquals(0, new BigDecimal(8).compareTo(asked.spent(new Account.People("doctor"))));
      Rejection refused =
          assertThrows(Rejection.class, () -> asked.ask("SELECT AVG(minutes) FROM visits", "1"));
      assertEquals("PEOPLE_UNSUPPORTED", refused.codeName());
    }
  }

  @Test
  void whatNoRuleProtectsIsRefused() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "refused.ledger")) {
      for (String sql :
          List.of(
              "SELECT COUNT(*) FROM visits a JOIN visits b ON a.ward = b.ward",
              "SELECT COUNT(DISTINCT minutes) FROM visits",
              "SELECT COUNT(*) FROM (SELECT minutes, COUNT(*) n FROM visits GROUP BY minutes) v"
                  + " WHERE n > 10",
              "SELECT ward, COUNT(*) FROM visits GROUP BY ROLLUP(ward)",
              "SELECT COUNT(DISTINCT patient_id), COUNT(*) FROM visits")) {
        Rejection refused = assertThrows(Rejection.class, () -> asked.ask(sql, "1"), sql);
        assertEquals("PEOPLE_UNSUPPORTED", refused.codeName(), sql);
      }
      assertEquals(0, BigDecimal.ZERO.compareTo(asked.spent(new Account.People("patient"))));
    }
  }

  @Test
  void movingATableBetweenRowsAndPeopleForgetsNothing() throws SQLException {
    String rows = ONE_KIND.replace("owners: {patient: visit_id.patient_id}", "unit: row");
    try (Asked asked = new Asked(rows, "moved.ledger")) {
      asked.ask("SELECT COUNT(*) FROM prescriptions", "1");
    }
    LedgerError moved =
        assertThrows(LedgerError.class, () -> new Asked(ONE_KIND, "moved.ledger").close());
    assertEquals(LedgerError.Code.LEDGER_POLICY, moved.code());
    try (Asked asked = new Asked(TWO_KINDS, "kinds.ledger")) {
      asked.ask("SELECT COUNT(*) FROM doctors", "1");
    }
    LedgerError gone =
        assertThrows(LedgerError.class, () -> new Asked(ONE_KIND, "kinds.ledger").close());
    assertEquals(LedgerError.Code.LEDGER_POLICY, gone.code());
  }

  @Test
  void rowsThatBecomeSomebodyElsesForgetNothing() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "owners.ledger")) {
      asked.ask("SELECT COUNT(*) FROM visits", "1");
    }
    String prescribed = "owners: {patient: visit_id.patient_id}";
    for (String changed :
        List.of(
            ONE_KIND.replace("key: patients.id", "key: patients.id, nobody: [7]"),
            ONE_KIND.replace(prescribed, "unit: row"),
            ONE_KIND.replace(prescribed, "unit: row").replace("patient: patient_id", "patient: id"),
            TWO_KINDS)) {
      LedgerError refused =
          assertThrows(LedgerError.class, () -> new Asked(changed, "owners.ledger").close());
      assertEquals(LedgerError.Code.LEDGER_POLICY, refused.code());
    }
    String more = ONE_KIND.replace("unit: row", "owners: {patient: id}");
    new Asked(more, "owners.ledger").close();
    new Asked(ONE_KIND, "owners.ledger").close();
  }

  private static Policy policy(String yaml) {
    return PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
  }

  private OwnerAdoption adopt(String yaml, String ledgerName) {
    Repair repair = Repair.of(folder.resolve(ledgerName));
    OwnerAdoption shown = repair.adoptOwners(policy(yaml), Optional.empty(), "eve", "why", false);
    assertThrows(LedgerError.class, () -> new Asked(yaml, ledgerName).close());
    assertEquals(shown, repair.adoptOwners(policy(yaml), Optional.empty(), "eve", "why", true));
    assertFalse(repair.adoptOwners(policy(yaml), Optional.empty(), "eve", "", false).isNeeded());
    return shown;
  }

  private void assertSpent(Asked asked, Account account, String epsilon) {
    assertEquals(0, new BigDecimal(epsilon).compareTo(asked.spent(account)), account::toString);
  }

  private static final String PRESCRIBED = "owners: {patient: visit_id.patient_id}";

  @Test
  void theOwnerMayLetAnswersByRowsCountForPeople() throws SQLException {
    String rows = ONE_KIND.replace(PRESCRIBED, "unit: row");
    try (Asked asked = new Asked(rows, "adopted.ledger")) {
      asked.ask("SELECT COUNT(*) FROM prescriptions", "1");
      asked.ask("SELECT COUNT(*) FROM visits", "4");
    }
    OwnerAdoption adoption = adopt(ONE_KIND, "adopted.ledger");
    assertEquals(1, adoption.carried().get("people:patient").size(), adoption::toString);
    try (Asked asked = new Asked(ONE_KIND, "adopted.ledger")) {
      assertSpent(asked, new Account.People("patient"), "5");
      asked.ask("SELECT SUM(cost) FROM prescriptions", "2");
      assertSpent(asked, new Account.People("patient"), "7");
    }
  }

  /** To a row of hers, two steps away, an answer that protects a person costs twice. */
  @Test
  void whatPeopleSpentCountsTwiceForRows() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "rows.ledger")) {
      asked.ask("SELECT COUNT(*) FROM prescriptions", "1");
    }
    String rows = ONE_KIND.replace(PRESCRIBED, "unit: row");
    adopt(rows, "rows.ledger");
    try (Asked asked = new Asked(rows, "rows.ledger")) {
      assertSpent(asked, new Account.People("patient"), "1");
      assertSpent(asked, new Account.Table("prescriptions"), "2");
      assertSpent(asked, new Account.Table("doctors"), "0");
      asked.ask("SELECT COUNT(*) FROM prescriptions", "3");
    }
    adopt(ONE_KIND, "rows.ledger");
    try (Asked asked = new Asked(ONE_KIND, "rows.ledger")) {
      assertSpent(asked, new Account.People("patient"), "6");
    }
  }

  @Test
  void aKindThatComesOrGoesForgetsNothing() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "kinds.ledger")) {
      asked.ask("SELECT COUNT(*) FROM visits", "2");
    }
    adopt(TWO_KINDS, "kinds.ledger");
    try (Asked asked = new Asked(TWO_KINDS, "kinds.ledger")) {
      assertSpent(asked, new Account.People("patient"), "2");
      assertSpent(asked, new Account.People("doctor"), "2");
      asked.ask("SELECT COUNT(*) FROM visits", "1");
      assertSpent(asked, new Account.People("doctor"), "3");
    }
    adopt(ONE_KIND, "kinds.ledger");
    try (Asked asked = new Asked(ONE_KIND, "kinds.ledger")) {
      assertTrue(new BigDecimal(3).compareTo(asked.spent(new Account.People("patient"))) <= 0);
      assertTrue(new BigDecimal(6).compareTo(asked.spent(new Account.Table("doctors"))) <= 0);
    }
    new Asked(ONE_KIND, "kinds.ledger").close();
    adopt(TWO_KINDS, "kinds.ledger");
  }

  /** A table that was left out for a while had owners all the same. */
  @Test
  void ownersAreRememberedWhileATableIsLeftOut() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "left.ledger")) {
      asked.ask("SELECT COUNT(*) FROM prescriptions", "1");
    }
    int begin = ONE_KIND.indexOf("  prescriptions:");
    int end = ONE_KIND.indexOf("  doctors:");
    adopt(ONE_KIND.substring(0, begin) + ONE_KIND.substring(end), "left.ledger");
    String rows = ONE_KIND.replace(PRESCRIBED, "unit: row");
    adopt(rows, "left.ledger");
    try (Asked asked = new Asked(rows, "left.ledger")) {
      assertSpent(asked, new Account.Table("prescriptions"), "2");
    }
  }

  @Test
  void nobodiesAreAdoptedWithoutAnyCost() throws SQLException {
    try (Asked asked = new Asked(ONE_KIND, "nobody.ledger")) {
      asked.ask("SELECT COUNT(*) FROM visits", "1");
    }
    String nobody = ONE_KIND.replace("key: patients.id", "key: patients.id, nobody: [7]");
    adopt(nobody, "nobody.ledger");
    try (Asked asked = new Asked(nobody, "nobody.ledger")) {
      assertSpent(asked, new Account.People("patient"), "1");
      assertEquals(Set.of("people:patient"), asked.explain("SELECT COUNT(*) FROM visits").tables());
    }
  }
}
