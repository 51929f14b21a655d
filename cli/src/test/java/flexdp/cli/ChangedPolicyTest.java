package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An owner edits the policy; what was spent stays spent. */
class ChangedPolicyTest {
  @TempDir Path folder;
  private Path policy;
  private Path database;
  private String out;
  private String err;

  @BeforeEach
  void make() throws Exception {
    database = folder.resolve("d.duckdb");
    policy = folder.resolve("p.yaml");
    sql("CREATE TABLE t (id BIGINT NOT NULL)", "INSERT INTO t SELECT * FROM range(100)");
  }

  private void sql(String... statements) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      for (String text : statements) {
        statement.execute(text);
      }
    }
  }

  private void policy(String privacy, String table) throws Exception {
    Files.writeString(
        policy,
        "database: jdbc:duckdb:"
            + database
            + "\nprivacy: {"
            + privacy
            + "}\ntables:\n  "
            + table
            + ": {columns: {id: {type: bigint, nullable: false}}}\n");
  }

  private int run(String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--policy";
    all[arguments.length + 1] = policy.toString();
    int code = Main.run(new PrintWriter(output), new PrintWriter(errors), all);
    out = output.toString();
    err = errors.toString();
    return code;
  }

  private int ask(String table, String epsilon) {
    return run("ask", "--fresh", "--epsilon", epsilon, "SELECT COUNT(*) FROM " + table);
  }

  private void assertRefused(String words) {
    assertEquals(2, ask("t", "0.1"), err);
    assertTrue(err.contains("LEDGER_POLICY"), err);
    assertTrue(err.contains(words), err);
    assertTrue(err.contains("budget adopt"), err);
  }

  private void rename(String to) throws Exception {
    for (String ending : List.of(".yaml", ".metrics.json")) {
      String name = policy.getFileName().toString().replace(".yaml", "");
      Files.move(folder.resolve(name + ending), folder.resolve(to + ending));
    }
    policy = folder.resolve(to + ".yaml");
  }

  @Test
  void aRenamedPolicyWithItsMetricsHasNoNewBudget() throws Exception {
    policy("budget: {epsilon: 1}", "t");
    assertEquals(0, run("collect"), err);
    assertEquals(0, ask("t", "1"), err);
    rename("q");
    assertEquals(2, ask("t", "1"), out);
    assertTrue(err.contains("LEDGER_MISSING"), err);
    assertTrue(err.contains("q.ledger") && err.contains("--ledger"), err);
    assertFalse(Files.exists(folder.resolve("q.ledger")), "nothing is begun");
    assertEquals(0, run("collect"), err);
    assertEquals(2, ask("t", "1"), "measuring again is no way around it");
    String was = folder.resolve("p.ledger").toString();
    assertEquals(
        4, run("ask", "--ledger", was, "--fresh", "--epsilon", "1", "SELECT COUNT(*) FROM t"), err);
    assertEquals(0, run("budget", "repair", "--accept-loss"), err);
    assertEquals(0, ask("t", "1"), err);
    assertEquals(4, ask("t", "1"), out);
    assertEquals(0, run("collect"), err);
    assertEquals(4, ask("t", "1"), out);
  }

  @Test
  void aCheckSaysWhatAStartWouldRefuseOfTheLedgerItself() throws Exception {
    String before = System.getProperty("flexdp.state", "");
    System.setProperty("flexdp.state", folder.resolve("state").toString());
    try {
      policy("budget: {epsilon: 9}", "t");
      assertEquals(0, run("collect"), err);
      assertEquals(0, ask("t", "1"), err);
      Path kept = folder.resolve("kept.ledger");
      assertEquals(0, run("ledger", "backup", "--to", kept.toString()), err);
      assertEquals(0, run("policy", "check"), out);
      assertEquals(0, ask("t", "1"), err);
      Path ledger = folder.resolve("p.ledger");
      for (String ending : List.of("", ".anchor")) {
        Files.copy(
            Path.of(kept + ending), Path.of(ledger + ending), StandardCopyOption.REPLACE_EXISTING);
      }
      assertEquals(2, run("policy", "check"), out);
      assertTrue(out.contains("START: LEDGER_ROLLED_BACK: The ledger " + ledger), out);
    } finally {
      System.setProperty("flexdp.state", before);
    }
  }

  private void copy(Path from, Path to) throws Exception {
    Files.createDirectories(to);
    for (String name : List.of("p.ledger", "p.ledger.anchor")) {
      Files.copy(from.resolve(name), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void assertOlder(String... words) {
    assertEquals(2, run(words), out);
    assertTrue((out + err).contains("LEDGER_ROLLED_BACK: The ledger "), out + err);
    assertTrue((out + err).contains("the metrics were measured beside: it lacks "), out + err);
    assertTrue((out + err).contains(", of which "), out + err);
    assertTrue((out + err).contains("ledger restore") && (out + err).contains("--accept-loss"));
  }

  @Test
  void metricsKnowHowFarTheirLedgerHadGot() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    assertEquals(0, run("collect"), err);
    assertEquals(0, ask("t", "1"), err);
    Path old = folder.resolve("old");
    copy(folder, old);
    Path kept = folder.resolve("kept.ledger");
    assertEquals(0, run("ledger", "backup", "--to", kept.toString()), err);
    assertEquals(0, ask("t", "1"), err);
    assertEquals(0, ask("t", "1"), err);
    assertEquals(0, run("collect"), err);
    assertEquals(0, ask("t", "1"), "a newer one is fine");
    copy(old, folder);
    assertOlder("ask", "--fresh", "SELECT COUNT(*) FROM t");
    assertOlder("policy", "check");
    assertOlder("budget", "show");
    assertOlder("collect");
    for (String name : List.of("p.ledger", "p.ledger.anchor")) {
      Files.delete(folder.resolve(name));
    }
    assertEquals(2, run("ledger", "restore", "--from", kept.toString()), out);
    assertTrue(err.contains("of which 2 are charges"), err);
    assertEquals(0, run("ledger", "restore", "--from", kept.toString(), "--charge", "2"), err);
    assertEquals(0, ask("t", "1"), err);
    copy(old, folder);
    assertOlder("budget", "show");
    assertEquals(0, run("budget", "repair", "--accept-loss"), err);
    assertTrue(out.contains("of which 2 are charges"), out);
    assertEquals(0, run("budget", "show"), err);
    copy(folder, old); // it has a loss that was accepted, but not the ones after
    assertEquals(0, ask("t", "1"), err);
    assertEquals(0, run("collect"), err);
    assertEquals(0, ask("t", "1"), err);
    copy(old, folder);
    assertOlder("budget", "show");
  }

  @Test
  void aReleaseIsKnownToTheMetricsThatHoldItAndToNobodyElse() throws Exception {
    policy("budget: {epsilon: 9, delta: 1e-6}", "t");
    assertEquals(0, run("collect"), err);
    Path old = folder.resolve("old");
    copy(folder, old);
    assertEquals(0, run("collect", "--release", "--release-rows", "t"), err);
    assertTrue(Files.readString(folder.resolve("p.metrics.json")).contains("ledgerEntry"));
    assertFalse(Files.readString(folder.resolve("p.released.json")).contains("ledger"));
    assertEquals(0, ask("t", "1"), err);
    copy(old, folder);
    assertEquals(2, run("collect"), out);
    assertTrue(err.contains("of which 1 is a charge"), err);
  }

  @Test
  void aLedgerThatMovedIsStillTheOneThatMetricsKnow() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    assertEquals(0, ask("t", "1"), err);
    assertEquals(0, run("collect"), err);
    String other = folder.resolve("other.ledger").toString();
    assertEquals(0, run("ledger", "move", "--to", other), err);
    assertEquals(0, run("policy", "check", "--ledger", other), out);
    assertEquals(0, run("budget", "show", "--ledger", other), err);
    String question = "SELECT COUNT(*) FROM t WHERE id > 5";
    assertEquals(0, run("ask", "--ledger", other, "--epsilon", "1", question), err);
    assertEquals(0, run("collect", "--ledger", other), err);
    assertEquals(0, run("collect"), "beside the place that it left, they keep what they know");
    assertEquals(0, run("budget", "show", "--ledger", other), err);
    assertEquals(0, run("ledger", "import", "--from", other), err);
    assertEquals(0, ask("t", "1"), err);
  }

  @Test
  void metricsThatDoNotSayHowFarTheirLedgerHadGotAreTaken() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    assertEquals(0, ask("t", "1"), err);
    assertEquals(0, run("collect"), err);
    Path metrics = folder.resolve("p.metrics.json");
    String with = Files.readString(metrics);
    String without = with.replaceFirst(",\\s*\"ledgerEntry\" : \"[^\"]*\"", "");
    assertFalse(without.contains("ledgerEntry"), without);
    Files.writeString(metrics, without);
    assertEquals(0, ask("t", "1"), err);
    Files.writeString(metrics, with.replaceFirst("(\"ledgerEntry\" : \")[0-9]+", "$1x"));
    assertEquals(2, ask("t", "1"), out);
    assertTrue(err.contains("BAD_METRICS") && err.contains("ledgerEntry"), err);
  }

  /** A start takes it along; a check leaves it where it is. */
  @Test
  void aCheckMovesNothing() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    assertEquals(0, run("collect"), err);
    Path other = folder.resolve("other.ledger");
    assertEquals(0, run("policy", "check", "--ledger", other.toString()), out);
    assertFalse(Files.exists(other));
    assertEquals(0, ask("t", "1"), err);
    assertEquals(2, run("policy", "check", "--ledger", other.toString()), out);
    assertTrue(out.contains("START: LEDGER_MISSING: There is no ledger " + other), out);
  }

  @Test
  void aCheckSaysThatTheLedgerIsGoneAndHowItComesBack() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    assertEquals(0, run("collect"), err);
    for (String name : List.of("p.ledger", "p.ledger.anchor")) {
      Files.delete(folder.resolve(name));
    }
    assertEquals(2, run("policy", "check"), out);
    Path ledger = folder.resolve("p.ledger");
    assertTrue(out.contains("START: LEDGER_MISSING: There is no ledger " + ledger), out);
    assertTrue(out.contains("flexdp ledger restore"), out);
    assertFalse(Files.exists(ledger));
  }

  @Test
  void aCheckLooksAtUsersAndCertificateAsAStartDoes() throws Exception {
    policy("budget: {epsilon: 9}", "t");
    Path users = folder.resolve("flexdp-users.json");
    assertEquals(0, run("policy", "check"), "nobody is served yet: " + out);
    assertEquals(2, run("policy", "check", "--users", users.toString()), out);
    assertTrue(out.contains("START: BAD_USAGE: there are no users in " + users), out);
    Files.writeString(users, "{}");
    Files.setPosixFilePermissions(users, PosixFilePermissions.fromString("rw-r--r--"));
    assertEquals(2, run("policy", "check"), out);
    assertTrue(out.contains("chmod 600 " + users), out);
    Files.delete(users);
    Path key = folder.resolve("none.key");
    assertEquals(2, run("policy", "check", "--tls-cert", users + "", "--tls-key", key + ""), out);
    assertTrue(out.contains("START: BAD_USAGE: the certificate " + users), out);
    assertEquals(2, run("policy", "check", "--tls-key", key + ""), out);
    assertTrue(out.contains("START: BAD_USAGE: --tls-cert and --tls-key belong together"), out);
  }

  @Test
  void anotherLedgerIsBegunOnlyWhereNothingWasCharged() throws Exception {
    policy("budget: {epsilon: 1}", "t");
    assertEquals(0, run("collect"), err);
    String question = "SELECT COUNT(*) FROM t";
    String other = folder.resolve("other.ledger").toString();
    String third = folder.resolve("third.ledger").toString();
    assertEquals(0, run("ask", "--ledger", other, "--fresh", "--epsilon", "0.5", question), err);
    assertEquals(2, run("ask", "--ledger", third, "--fresh", "--epsilon", "0.5", question), out);
    assertTrue(err.contains("LEDGER_MISSING"), err);
    assertFalse(Files.exists(folder.resolve("third.ledger")), "nothing is begun");
    assertEquals(2, ask("t", "0.5"), "it goes on elsewhere");
    assertTrue(err.contains("LEDGER_MISSING"), err);
    assertEquals(0, run("ask", "--ledger", other, "--fresh", "--epsilon", "0.5", question), err);
    assertEquals(4, run("ask", "--ledger", other, "--fresh", "--epsilon", "0.5", question), out);
    assertEquals(0, run("collect", "--ledger", other), err);
    Files.delete(folder.resolve("p.ledger"));
    Files.delete(folder.resolve("p.ledger.anchor"));
    assertEquals(2, ask("t", "0.5"), "it is no longer theirs");
    assertTrue(err.contains("LEDGER_MISSING"), err);
  }

  @Test
  void anotherSpellingOfTheTable() throws Exception {
    policy("budget: {epsilon: 1}", "t");
    assertEquals(0, ask("t", "1"), err);
    for (String spelling : new String[] {"T", "main.t", "MAIN.T"}) {
      policy("budget: {epsilon: 1}", spelling);
      assertEquals(4, ask(spelling, "0.1"), spelling + " " + err);
      assertEquals(0, run("budget", "show"), err);
      assertTrue(out.contains("table:" + spelling), out);
      assertTrue(out.contains("ε 0 of 1 left"), out);
      assertEquals(2, out.lines().count(), out);
    }
    assertEquals(0, run("budget", "audit"), err);
  }

  @Test
  void aDatabaseThatWasCopied() throws Exception {
    policy("budget: {epsilon: 1}", "t");
    assertEquals(0, ask("t", "1"), err);
    Path copy = folder.resolve("copy.duckdb");
    Files.copy(database, copy);
    database = copy;
    policy("budget: {epsilon: 1}", "t");
    assertEquals(4, ask("t", "0.1"), err);
  }

  @Test
  void otherNeighbours() throws Exception {
    policy("budget: {epsilon: 3}", "t");
    assertEquals(0, ask("t", "2"), err);
    policy("neighbors: replace-one, budget: {epsilon: 3}", "t");
    assertRefused("neighbors: replace-one instead of add-remove-one");
    assertEquals(2, run("budget", "show"));
    assertEquals(0, run("budget", "adopt", "--dry-run"), err);
    assertTrue(out.contains("table:t  ε 2 -> ε 4; left for one answer: ε 0"), out);
    assertTrue(out.contains("Nothing was written."), out);
    assertRefused("replace-one");
    assertEquals(0, run("budget", "adopt", "--note", "law"), err);
    assertEquals(4, ask("t", "1"), err);
    policy("neighbors: replace-one, budget: {epsilon: 5}", "t");
    assertEquals(0, ask("t", "1"), err);
    assertEquals(4, ask("t", "0.1"), err);
    assertEquals(0, run("budget", "export"), err);
    assertTrue(out.contains("\"kind\":\"adopted\""), out);
    assertTrue(out.contains("\"neighbors\":\"replace-one\""), out);
    assertTrue(out.contains("\"unit\":\"row\""), out);
    assertEquals(0, run("budget", "audit"), err);
    assertTrue(out.contains("adoptions  1"), out);
    // And back: what was made under replace-one costs as much.
    policy("budget: {epsilon: 5}", "t");
    assertRefused("neighbors: add-remove-one instead of replace-one");
    assertEquals(0, run("budget", "adopt"), err);
    assertTrue(out.contains("table:t  ε 5 -> ε 3"), out);
    assertEquals(0, ask("t", "2"), err);
    assertEquals(4, ask("t", "0.1"), err);
  }

  @Test
  void anotherCompositionWithAPolicyWithoutABudgetInBetween() throws Exception {
    policy("budget: {epsilon: 5, delta: 1e-6, composition: adaptive}", "t");
    assertEquals(0, ask("t", "0.5"), err);
    policy("epsilon: 0.1", "t");
    assertEquals(4, ask("t", "0.1"), err);
    policy("budget: {epsilon: 5, delta: 1e-6, composition: basic}", "t");
    assertRefused("tables: composition basic instead of adaptive");
    // Grants to a table without a budget are judged by the filter that it had.
    policy("epsilon: 0.1", "t");
    assertEquals(0, run("budget", "grant", "table:t", "--epsilon", "1", "--delta", "1e-6"), err);
    assertEquals(4, ask("t", "0.4"), err);
    policy("budget: {epsilon: 5, delta: 1e-6, composition: basic}", "t");
    assertRefused("tables: composition basic instead of adaptive");
    assertEquals(0, run("budget", "adopt"), err);
    // Half of 2e-6 is what the adaptive filter may have failed by.
    assertTrue(out.contains("δ 0.000001"), out);
    assertEquals(0, ask("t", "0.1"), err);
    assertFalse(run("budget", "repair", "--accept-policy") != 0, err);
  }

  @Test
  void analystsWhomThePolicyDoesNotList() throws Exception {
    String question = "SELECT COUNT(*) FROM t";
    policy("budget: {epsilon: 10}, analysts: {ann: {}, bob: {}}", "t");
    assertEquals(0, run("ask", "--epsilon", "1", "--analyst", "ann", question), err);
    assertEquals(2, run("ask", "--epsilon", "1", "--analyst", "anne", question), err);
    assertTrue(err.contains("does not list the analyst 'anne'; it lists ann, bob"), err);
    policy("budget: {epsilon: 10}, analysts: {ann: {}, '*': {budget: {epsilon: 1}}}", "t");
    assertEquals(0, run("ask", "--fresh", "--epsilon", "1", "--analyst", "anne", question), err);
    assertEquals(4, run("ask", "--fresh", "--epsilon", "1", "--analyst", "anne", question), err);
    assertEquals(0, run("ask", "--fresh", "--epsilon", "1", "--analyst", "eve", question), err);
    assertEquals(0, run("budget", "grant", "analyst:anne", "--epsilon", "1"), err);
    assertEquals(0, run("ask", "--fresh", "--epsilon", "1", "--analyst", "anne", question), err);
    assertEquals(0, run("budget", "show"), err);
    assertTrue(out.contains("analyst:anne"), out);
    assertFalse(out.contains("analyst:*"), out);
    policy("budget: {epsilon: 10}", "t");
    assertEquals(0, run("ask", "--fresh", "--epsilon", "1", "--analyst", "who", question), err);
  }

  @Test
  void whenDeltaIsShortTheHintSpeaksOfDelta() throws Exception {
    policy("budget: {epsilon: 10, delta: 1e-9}", "t");
    String[] flex = {
      "ask",
      "--fresh",
      "--mechanism",
      "flex",
      "--epsilon",
      "1",
      "--delta",
      "1e-6",
      "SELECT COUNT(*) FROM t"
    };
    assertEquals(4, run(flex), err);
    assertTrue(err.contains("It is delta that is short"), err);
    assertTrue(err.contains("a delta of at most 1E-9"), err);
    assertTrue(err.contains("budget grant table:t --delta D"), err);
    assertEquals(0, run("budget", "grant", "table:t", "--delta", "1e-6"), err);
    assertEquals(0, run(flex), err);
    assertEquals(4, ask("t", "10"), err);
    assertTrue(err.contains("Ask with an epsilon of at most 9"), err);
  }

  @Test
  void aRenamedTable() throws Exception {
    policy("budget: {epsilon: 1}", "t");
    assertEquals(0, ask("t", "1"), err);
    sql("ALTER TABLE t RENAME TO visits");
    policy("budget: {epsilon: 1}", "visits");
    assertEquals(2, ask("visits", "0.1"), err);
    assertTrue(err.contains("it may be the same under another name"), err);
    assertEquals(2, run("budget", "adopt", "--table", "visits=nothing"));
    assertEquals(2, run("budget", "adopt", "--new", "nothing"));
    assertEquals(0, run("budget", "adopt", "--table", "visits=t"), err);
    assertEquals(4, ask("visits", "0.1"), err);
    assertEquals(0, run("budget", "adopt"), err);
    assertTrue(out.contains("nothing to adopt"), out);
  }

  @Test
  void rowsThatBecomePeoples() throws Exception {
    policy("budget: {epsilon: 3}", "t");
    assertEquals(0, ask("t", "1"), err);
    String text =
        "database: jdbc:duckdb:"
            + database
            + "\nprivacy: {budget: {epsilon: 3}}\npeople: {person: {key: t.id}}\n"
            + "tables: {t: {owners: {person: id}, columns: {id: {type: bigint, nullable: false,"
            + " unique: true, trusted: true}}}}\n";
    Files.writeString(policy, text);
    assertRefused("was asked about by rows, and the policy now says whose its rows are");
    assertEquals(0, run("budget", "adopt", "--dry-run"), err);
    assertTrue(out.contains("people:person also counts what was spent by table:"), out);
    assertTrue(out.contains("people:person  ε 0 -> ε 1; left for one answer: ε 2"), out);
    assertTrue(out.contains("Nothing was written."), out);
    assertRefused("What was spent would be forgotten");
    assertEquals(0, run("budget", "adopt", "--note", "people own rows"), err);
    assertTrue(out.contains("Written into the ledger."), out);
    assertEquals(0, run("budget", "adopt"), err);
    assertTrue(out.contains("There is nothing to adopt"), out);
    assertEquals(0, ask("t", "2"), err);
    assertEquals(4, ask("t", "0.1"), err);
    assertEquals(0, run("budget", "audit"), err);
    assertEquals(0, run("budget", "export"), err);
    assertTrue(out.contains("owners-adopted"), out);
    assertEquals(0, run("explain", "--epsilon", "1", "SELECT COUNT(*) FROM t"), err);
    assertTrue(out.contains("people:person"), out);
  }
}
