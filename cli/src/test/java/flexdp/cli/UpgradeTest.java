package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A policy, its metrics and its ledger that version 0.1.0 wrote (people, parts, roles, windows, a
 * grant; {@code upgrade-0.1.0}), as docs/install.md has them upgraded.
 */
class UpgradeTest {
  private static final String HEAD =
      "dae1173335f84ea4ee1fee5b3fc7975e8ec0befc76bc1ed6e3dcef51b2938683";

  @TempDir Path folder;
  private Path policy;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void unpack() throws Exception {
    Path kept = Path.of("src/test/resources/upgrade-0.1.0");
    for (String name : List.of("shop.metrics.json", "shop.ledger.anchor")) {
      Files.copy(kept.resolve(name), folder.resolve(name));
    }
    policy = folder.resolve("shop.yaml");
    Files.writeString(
        policy,
        Files.readString(kept.resolve("shop.yaml"))
            .replace("jdbc:sqlite:shop.db", "jdbc:sqlite:" + folder.resolve("shop.db")));
    write("shop.db", kept.resolve("shop.sql"));
    write("shop.ledger", kept.resolve("ledger.sql"));
  }

  private void write(String name, Path statements) throws Exception {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(name));
        Statement statement = connection.createStatement()) {
      for (String line : Files.readAllLines(statements, StandardCharsets.UTF_8)) {
        statement.execute(line);
      }
    }
  }

  private String run(String... words) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words);
    assertEquals(0, code, () -> out + "\n" + err);
    return out.toString();
  }

  private void whatWasSpentIsSpent(String policy) {
    String shown = run("budget", "show", "--policy", policy);
    for (String line :
        List.of(
            "table:sale .* ε 22.7915 of 25 left",
            "    1  ε 0.353553 in 1 answer",
            "people:patient .* ε 17.2289 of 20 left",
            "role:research .* ε 4.18516 of 8 left",
            "analyst:ann .* ε 2.18516 of 6 left")) {
      assertTrue(shown.lines().anyMatch(l -> l.matches(line + ".*")), () -> line + "\n" + shown);
    }
  }

  @Test
  void aLedgerOfTheLastVersionGoesOn() throws Exception {
    String checked = run("policy", "check", "--policy", policy.toString());
    assertTrue(checked.contains("The data agree with every declaration."), checked);
    String audit = run("budget", "audit", "--policy", policy.toString());
    assertTrue(audit.contains("The chain of 16 entries is whole."), audit);
    assertTrue(audit.contains("charges    6 (6 released, 0 never settled)"), audit);
    assertTrue(audit.contains("last hash  " + HEAD), audit);
    whatWasSpentIsSpent(policy.toString());

    String question = "SELECT sex, COUNT(*) FROM patient GROUP BY sex";
    run("ask", "--policy", policy.toString(), "--analyst", "ann", question);
    assertTrue(err.toString().contains("a released answer given again"), err.toString());
    whatWasSpentIsSpent(policy.toString());

    Path copy = folder.resolve("copy.ledger");
    run("ledger", "backup", "--policy", policy.toString(), "--to", copy.toString());
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere")).resolve("shop.yaml");
    Files.copy(policy, elsewhere);
    run("ledger", "restore", "--policy", elsewhere.toString(), "--from", copy.toString());
    whatWasSpentIsSpent(elsewhere.toString());

    run("collect", "--policy", policy.toString());
    run("ask", "--policy", policy.toString(), "--analyst", "ann", question);
    String after = run("budget", "show", "--policy", policy.toString());
    assertTrue(after.contains("table:sale") && after.contains("ε 22.7915 of 25"), after);
    assertTrue(!after.contains("ε 2.18516 of 6"), after);
    String export = run("budget", "export", "--policy", policy.toString());
    assertTrue(export.lines().toList().get(15).contains(HEAD), "no entry is changed");
    run("budget", "audit", "--policy", policy.toString());
  }
}
