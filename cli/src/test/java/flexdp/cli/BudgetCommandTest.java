package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.ledger.entry.ChargeRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BudgetCommandTest {
  private static final String POLICY =
      """
      privacy:
        epsilon: 0.1
        budget: {epsilon: 10, delta: 1e-8}
        roles: {research: {budget: {epsilon: 2, window: {days: 7, guarantee: per-window}}}}
      tables:
        trips: {columns: {id: {type: bigint}}}
        cities: {public: true, columns: {id: {type: bigint}}}
      """;

  @TempDir Path folder;
  private Path policy;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void write() throws Exception {
    policy = folder.resolve("rides.yaml");
    Files.writeString(policy, POLICY);
  }

  private int run(String... args) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    String[] all = new String[args.length + 3];
    all[0] = "budget";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--policy";
    all[args.length + 2] = policy.toString();
    return Main.run(new PrintWriter(out), new PrintWriter(err), all);
  }

  private void charge(String... epsilons) {
    Allowances allowances = Allowances.eachTable(Allowance.basic("10", "1e-8"));
    try (Ledger ledger = LedgerPlace.of(policy, Optional.empty()).open(allowances, false)) {
      for (String epsilon : epsilons) {
        ChargeRequest request =
            new ChargeRequest(
                "ann",
                Set.of("research"),
                "SELECT count(*) FROM trips",
                Set.of("trips"),
                "laplace",
                Cost.pure(new BigDecimal(epsilon)),
                "s1");
        ledger.settle(ledger.reserve(request), ChargeOutcome.RELEASED);
      }
    }
  }

  @Test
  void showsAFreshBudgetWithoutMakingAFile() {
    assertEquals(0, run("show"));
    assertEquals(
        List.of(
            "table:trips    ████████████████████ ε 10 of 10 left, δ 1E-8 of 1E-8, about 100 more"
                + " answers at ε 0.1 (basic)",
            "role:research  ████████████████████ ε 2 of 2 left, about 20 more answers at ε 0.1"
                + " (basic, per 7 days)"),
        out.toString().lines().toList());
    assertFalse(Files.exists(folder.resolve("rides.ledger")));
  }

  @Test
  void showsWhatIsLeft() {
    charge("0.5", "1");
    assertEquals(0, run("show"));
    assertTrue(
        out.toString()
            .contains("█████████████████░░░ ε 8.5 of 10 left, δ 1E-8 of 1E-8, about 85 more"),
        out::toString);
    assertTrue(out.toString().contains("analyst:ann    no limit; spent ε 1.5"), out::toString);
    assertTrue(out.toString().contains("█████░"), out::toString);
    assertEquals(0, run("show", "--format", "json"));
    assertTrue(out.toString().contains("\"answersLeft\":85"), out::toString);
  }

  @Test
  void grantsMoreAndRecordsIt() {
    charge("10");
    assertEquals(0, run("grant", "table:trips", "--epsilon", "2.5", "--note", "pilot"));
    assertTrue(out.toString().contains("ε 2.5 of 12.5 left"), out::toString);
    assertEquals(0, run("export"));
    assertEquals(6, out.toString().lines().count());
    assertTrue(out.toString().contains("\"note\":\"pilot\""), out::toString);
    assertEquals(0, run("audit"));
    assertTrue(out.toString().startsWith("The chain of 6 entries is whole."), out::toString);
  }

  @Test
  void refusesGrantsThatMakeNoSense() {
    for (String[] args :
        new String[][] {
          {"grant", "table:nothing", "--epsilon", "1"},
          {"grant", "trips", "--epsilon", "1"},
          {"grant", "table:trips", "--epsilon", "0"},
          {"grant", "table:trips", "--epsilon", "-1"},
          {"grant", "table:trips", "--epsilon", "1", "--delta", "1"},
          {"grant", "analyst:ann", "--epsilon", "1"},
          {"grant", "table:trips", "--epsilon", "much"},
          {"grant", "table:trips"},
          {"frobnicate"},
          {}
        }) {
      assertEquals(2, run(args), String.join(" ", args) + err);
      assertEquals("", out.toString());
      assertFalse(err.toString().contains("internal error"), err::toString);
    }
  }

  @Test
  void aGrantToSomebodyWithoutALimitSaysHowToMakeOne() {
    assertEquals(2, run("grant", "analyst:ann", "--epsilon", "1"));
    assertTrue(err.toString().contains("analysts: {ann: {budget: {epsilon: 1}}}"), err::toString);
    assertEquals(2, run("grant", "role:guests", "--epsilon", "1"));
    assertTrue(err.toString().contains("roles: {guests: {budget: {epsilon: 1}}}"), err::toString);
  }

  @Test
  void grantsDeltaAlone() {
    assertEquals(0, run("grant", "table:trips", "--delta", "1e-8"), err::toString);
    assertTrue(out.toString().contains("δ 2E-8 of 2E-8"), out::toString);
  }

  @Test
  void failuresAreShownAndCleared() {
    Allowances allowances = Allowances.eachTable(Allowance.basic("10", "1e-8"));
    try (Ledger ledger = LedgerPlace.of(policy, Optional.empty()).open(allowances, false)) {
      for (String meaning : List.of("a", "b", "c")) {
        ChargeRequest request =
            new ChargeRequest(
                    "ann",
                    Set.of(),
                    "SELECT count(*)\nFROM trips",
                    Set.of("trips"),
                    "laplace",
                    Cost.pure(BigDecimal.ONE),
                    "s1")
                .measuring(Set.of(meaning));
        ledger.fail(ledger.reserve(request), ChargeOutcome.TIMED_OUT, Set.of(meaning));
      }
    }
    assertEquals(0, run("show"));
    assertTrue(out.toString().contains("failures   analyst ann: 3 lately, stopped"), out::toString);
    assertEquals(0, run("show", "--format", "json"));
    assertTrue(
        out.toString()
            .contains("\"failures\":{\"ann\":{\"recent\":3,\"atMost\":3,\"stopped\":true}}"),
        out::toString);
    assertEquals(0, run("audit"));
    assertTrue(out.toString().contains("3 timed out"), out::toString);
    assertTrue(out.toString().contains("analyst ann: 3 lately, stopped"), out::toString);
    assertEquals(0, run("clear-failures", "--dry-run"));
    assertTrue(
        out.toString().contains("ann  timed out  SELECT count(*) FROM trips"), out::toString);
    assertTrue(out.toString().contains("nothing was cleared"), out::toString);
    assertEquals(0, run("clear-failures", "--analyst", "bob"));
    assertTrue(out.toString().contains("0 failures cleared"), out::toString);
    assertEquals(0, run("clear-failures", "--analyst", "ann", "--note", "the disk was slow"));
    assertTrue(out.toString().contains("3 failures cleared"), out::toString);
    assertEquals(0, run("show"));
    assertFalse(out.toString().contains("failures"), out::toString);
    assertEquals(0, run("export"));
    assertTrue(out.toString().contains("\"kind\":\"failures-cleared\""), out::toString);
    assertTrue(out.toString().contains("the disk was slow"), out::toString);
  }

  @Test
  void aLostLedgerIsRefusedUntilTheOwnerAcceptsIt() throws Exception {
    charge("1");
    Files.delete(folder.resolve("rides.ledger"));
    for (String command : List.of("show", "audit", "export")) {
      assertEquals(2, run(command));
      assertTrue(err.toString().contains("LEDGER_MISSING"), err::toString);
      assertTrue(err.toString().contains("budget repair --accept-loss"), err::toString);
    }
    assertEquals(2, run("repair"));
    assertEquals(0, run("repair", "--accept-loss", "--note", "disk failure"), err::toString);
    assertEquals(0, run("audit"));
    assertTrue(out.toString().startsWith("The chain of 3 entries is whole."), out::toString);
  }

  /** The full budget of a ledger that is not there would be a false comfort. */
  @Test
  void metricsThatCameWithoutTheirLedgerAreShownNoBudget() throws Exception {
    charge("1");
    assertEquals(0, run("audit"));
    String id =
        out.toString().lines().filter(l -> l.startsWith("ledger ")).findFirst().orElseThrow();
    policy = Files.copy(policy, folder.resolve("renamed.yaml"));
    Files.writeString(
        folder.resolve("renamed.metrics.json"),
        "{\"trips\": {\"ledger\": \"" + id.substring(7).strip() + "\"}}");
    for (String command : List.of("show", "audit", "export")) {
      assertEquals(2, run(command), command);
      assertTrue(err.toString().contains("LEDGER_MISSING"), err::toString);
    }
    assertEquals(2, run("grant", "table:trips", "--epsilon", "1"));
    assertFalse(Files.exists(folder.resolve("renamed.ledger")));
    assertEquals(0, run("show", "--ledger", folder.resolve("rides.ledger").toString()));
    assertTrue(out.toString().contains("9 of 10 left"), out::toString);
  }

  @Test
  void auditFindsAnEntryThatWasChanged() throws Exception {
    charge("1", "1", "1");
    try (var connection =
            java.sql.DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("rides.ledger"));
        var statement = connection.createStatement()) {
      statement.execute("DROP TRIGGER no_UPDATE");
      statement.execute("UPDATE entry SET analyst = 'bob' WHERE seq = 4");
    }
    assertEquals(2, run("audit"));
    assertTrue(err.toString().contains("entry 4 is not what was written"), err::toString);
  }

  @Test
  void saysThatThereIsNoLedgerYet() {
    assertEquals(0, run("audit"));
    assertEquals(0, run("export"));
    assertEquals("", out.toString());
  }
}
