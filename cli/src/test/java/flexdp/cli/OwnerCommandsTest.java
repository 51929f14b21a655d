package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an owner does before the first question: propose, check, measure. */
class OwnerCommandsTest {
  @TempDir Path folder;
  private Path database;
  private Path policy;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void rides() throws Exception {
    database = folder.resolve("rides.duckdb");
    policy = folder.resolve("rides.yaml");
    new RideSharing(500, 1).create(database);
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + database));
  }

  @Test
  void collectWritesThePrivateFileBesideThePolicy() throws Exception {
    assertEquals(
        0, run("collect", "--policy", policy.toString(), "--columns", "trips.(city_id,status)"));
    String json = Files.readString(folder.resolve("rides.metrics.json"));
    assertTrue(json.contains("\"columns\" : [ \"city_id\", \"status\" ]"), json);
    assertTrue(out.toString().contains("trips: 500 rows"), out.toString());
    assertTrue(err.toString().contains("rows read, done in"), err.toString());
  }

  @Test
  void wantedMetricsComeFromAFileToo() throws Exception {
    Path wanted = folder.resolve("wanted.txt");
    Files.writeString(wanted, "# asked for yesterday\ntrips.payment\n\nusers.(active, role)\n");
    assertEquals(0, run("collect", "--policy", policy.toString(), "--wanted", wanted.toString()));
    assertTrue(out.toString().contains("  payment "), out.toString());
    assertTrue(out.toString().contains("  active, role "), out.toString());
  }

  @Test
  void slipsAreUsageErrorsWithAHint() {
    assertEquals(2, run("collect", "--policy", policy.toString(), "--columns", "trips.citi_id"));
    assertTrue(err.toString().contains("Did you mean 'city_id'?"), err.toString());
    assertFalse(Files.exists(folder.resolve("rides.metrics.json")));
    assertEquals(2, run("collect"));
    assertEquals(2, run("policy"));
    assertEquals(2, run("collect", "--policy", folder.resolve("none.yaml").toString()));
  }

  @Test
  void aDatabaseThatCannotBeReadIsExitFive() throws Exception {
    String missing = "jdbc:duckdb:" + folder.resolve("none.duckdb");
    assertEquals(5, run("collect", "--policy", policy.toString(), "--database", missing));
    assertTrue(err.toString().contains("There is no database file"), err.toString());
    assertFalse(Files.exists(folder.resolve("none.duckdb")));
    Path text = Files.writeString(folder.resolve("text.duckdb"), "this is not a database");
    assertEquals(5, run("policy", "init", "--database", "jdbc:duckdb:" + text));
    assertFalse(err.toString().contains("Exception"), err.toString());
  }

  @Test
  void aTableThatIsGoneIsNamed() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE user_tags");
    }
    assertEquals(2, run("collect", "--policy", policy.toString()));
    assertTrue(err.toString().contains("the database has no table 'user_tags'"), err.toString());
  }

  @Test
  void aProposedPolicyHoldsAndIsUnderstood() throws Exception {
    Path proposed = folder.resolve("proposed.yaml");
    String url = "jdbc:duckdb:" + database;
    assertEquals(0, run("policy", "init", "--database", url, "--output", proposed.toString()));
    assertEquals(0, run("policy", "check", "--policy", proposed.toString()));
    assertTrue(out.toString().contains("The data agree with every declaration."));
    assertEquals(0, run("policy", "show", "--policy", proposed.toString()));
    assertTrue(out.toString().contains("cities  (protected)"), out.toString());
    assertEquals(0, run("collect", "--policy", proposed.toString()));
    assertEquals(2, run("policy", "init", "--database", url, "--output", proposed.toString()));
  }

  @Test
  void aFalseKeyFailsTheCheckAndTheMeasurement() throws Exception {
    String text = Files.readString(policy);
    Files.writeString(
        policy,
        text.replace(
            "status:       {type: varchar, nullable: false,",
            "status:       {type: varchar, unique: true, nullable: false,"));
    assertEquals(2, run("policy", "check", "--policy", policy.toString()));
    assertTrue(out.toString().contains("FALSE: trips.status is declared unique"), out.toString());
    assertEquals(2, run("collect", "--policy", policy.toString()));
    assertFalse(Files.exists(folder.resolve("rides.metrics.json")));
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
