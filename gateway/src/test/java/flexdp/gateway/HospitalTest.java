package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Adoption.OwnerAdoption;
import flexdp.gateway.ledger.LedgerRepair;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Patients with their visits and prescriptions, asked end to end; then doctors, too. */
class HospitalTest extends Hospital {
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
                  + " WHERE n > 10")) {
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
    LedgerRepair repair = LedgerRepair.of(folder.resolve(ledgerName));
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
