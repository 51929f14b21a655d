package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of people that come into a policy and leave it, while it is asked. */
class ComingTablesTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("p.ledger");
  }

  /**
   * @param visits who owns them: patient_id or referrer_id; "row" if each stands for itself; "" if
   *     the table is not there
   */
  private static Policy policy(String visits, String letters) {
    return PolicyReader.read(
        YamlText.tree(
            """
            privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 1000, delta: 1e-6}}
            people: {patient: {key: patients.id}}
            tables:
              patients:
                owners: {patient: id}
                columns: {id: {type: bigint, unique: true, nullable: false}}
            """
                + table("visits", visits)
                + table("letters", letters),
            Code.BAD_POLICY));
  }

  private static String table(String name, String owner) {
    return owner.isEmpty()
        ? ""
        : """
          %s:
            %s
            columns:
              patient_id: {type: bigint, references: patients.id}
              referrer_id: {type: bigint, references: patients.id}
        """
            .formatted(name, owner.equals("row") ? "unit: row" : "owners: {patient: " + owner + "}")
            .indent(0);
  }

  private List<String> moved(Policy policy) {
    try (Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      return ledger.moved(policy);
    }
  }

  private void charge(Policy policy) {
    try (Ledger ledger = LedgerOpening.file(file, Allowances.of(policy), false)) {
      assertEquals(List.of(), ledger.moved(policy));
      ChargeRequest request =
          new ChargeRequest(
              "ann",
              Set.of(),
              "SELECT 1",
              Set.of("people:patient"),
              "laplace",
              Cost.pure(BigDecimal.ONE),
              "s");
      ledger.settle(ledger.reserve(request), ChargeOutcome.RELEASED);
    }
  }

  @Test
  void aTableThatCameNeedsNothingThenOrLater() {
    charge(policy("patient_id", ""));
    Policy more = policy("patient_id", "patient_id");
    charge(more);
    assertEquals(List.of(), moved(more), "what was accepted can be started with");
    charge(more);
    assertFalse(moved(policy("patient_id", "")).isEmpty(), "what leaves may come by another name");
  }

  @Test
  void aTableThatComesBackWithOthersOwnersIsNoticed() {
    charge(policy("patient_id", ""));
    assertFalse(moved(policy("referrer_id", "")).isEmpty());
    adopt(policy("", ""));
    charge(policy("", ""));
    charge(policy("", "patient_id"));
    assertFalse(moved(policy("referrer_id", "patient_id")).isEmpty(), "left out in between");
    assertFalse(moved(policy("row", "patient_id")).isEmpty());
    charge(policy("patient_id", "patient_id"));
    adopt(policy("referrer_id", "patient_id"));
    charge(policy("referrer_id", "patient_id"));
    assertFalse(moved(policy("patient_id", "patient_id")).isEmpty());
  }

  private void adopt(Policy policy) {
    LedgerRepair.of(file).adoptOwners(policy, Optional.empty(), "eve", "", true);
  }

  /** Whatever was accepted is accepted again, and owners never change without a word. */
  @Test
  void acceptedPoliciesStayAcceptedWhateverTheOrder() {
    SplittableRandom random = new SplittableRandom(34);
    List<String> owners = List.of("", "patient_id", "referrer_id", "row");
    for (int run = 0; run < 8; run++) {
      file = folder.resolve("run" + run + ".ledger");
      String[] now = {"", ""};
      String[] owned = {"", ""};
      for (int step = 0; step < 8; step++) {
        String[] next = {owners.get(random.nextInt(4)), owners.get(random.nextInt(4))};
        Policy policy = policy(next[0], next[1]);
        boolean accepted = moved(policy).isEmpty();
        boolean calm = true;
        for (int t = 0; t < 2; t++) {
          calm &= next[t].equals(now[t]) || now[t].isEmpty() && owned[t].isEmpty();
          boolean other = !next[t].isEmpty() && !owned[t].isEmpty() && !next[t].equals(owned[t]);
          assertFalse(accepted && other && !next[t].equals(now[t]), "owners changed");
        }
        assertTrue(accepted || !calm, "a table that came");
        if (!accepted) {
          adopt(policy);
        }
        charge(policy);
        charge(policy);
        now = next;
        for (int t = 0; t < 2; t++) {
          owned[t] = next[t].endsWith("_id") ? next[t] : owned[t];
        }
      }
    }
  }
}
