package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
  void aPolicyIsShownWithWindowsRolesAndAnalysts() throws Exception {
    Files.writeString(
        policy,
        """
        flexdp: 1
        database: "jdbc:duckdb:%s"
        privacy:
          budget: {epsilon: 10, window: {calendar: month, guarantee: per-window}}
          roles: {desk: {budget: {epsilon: 4}}}
          analysts:
            ann: {roles: [desk], budget: {epsilon: 1, window: {days: 30, guarantee: per-window}}}
            "*": {roles: [desk]}
        tables: {users: {columns: {id: {type: bigint, unique: true}}}}
        """
            .formatted(database));
    assertEquals(0, run("policy", "show", "--policy", policy.toString()), err.toString());
    for (String line :
        List.of(
            "epsilon 10, delta 0 for each protected table, composition basic, per calendar month",
            "desk: epsilon 4, delta 0, composition basic",
            "everybody else as desk",
            "ann as desk: epsilon 1, delta 0, composition basic, per 30 days")) {
      assertTrue(out.toString().contains(line + "\n"), () -> line + " in " + out);
    }
  }

  @Test
  void whatTheDatabaseEnforcesAndThePolicyOmitsIsSuggested() throws Exception {
    assertEquals(0, run("collect", "--policy", policy.toString()));
    assertFalse(err.toString().contains("could say"), err.toString());
    String text = Files.readString(policy);
    Files.writeString(
        policy,
        text.replace(
                "id:           {type: bigint, nullable: false, unique: true}", "id: {type: bigint}")
            .replace("{type: \"decimal(9,2)\", range: [0, 500]}", "{type: \"decimal(9,2)\"}"));
    assertEquals(0, run("collect", "--policy", policy.toString()));
    assertTrue(err.toString().contains("could say: trips.id: {unique: true}"), err.toString());
    assertTrue(err.toString().contains("could say: trips.id: {nullable: false}"), err.toString());
    assertTrue(err.toString().contains("could say: trips.fare: {range: [0, 500]}"));
  }

  /** Nobody has to remember it but the metrics file; values need not repeat yet. */
  @Test
  void aKeyWhoseConstraintWasDroppedIsMissedByEveryCommand() throws Exception {
    Path keyed = folder.resolve("keyed.duckdb");
    String url = "jdbc:duckdb:" + keyed;
    write(url, "CREATE TABLE t(id INTEGER NOT NULL UNIQUE)", "INSERT INTO t VALUES (1)");
    Path proposed = folder.resolve("keyed.yaml");
    assertEquals(0, run("policy", "init", "--database", url, "--output", proposed.toString()));
    assertEquals(0, run("collect", "--policy", proposed.toString()));
    String count = "SELECT COUNT(*) FROM t";
    assertEquals(0, run("ask", "--policy", proposed.toString(), count));
    write(url, "CREATE TABLE x AS FROM t", "DROP TABLE t", "ALTER TABLE x RENAME TO t");
    write(url, "ALTER TABLE t ALTER id SET NOT NULL");
    assertEquals(2, run("ask", "--policy", proposed.toString(), count));
    assertTrue(err.toString().contains("its constraint is gone"), err.toString());
    assertEquals(2, run("policy", "check", "--policy", proposed.toString()));
    assertTrue(out.toString().contains("FALSE: t.(id) is declared unique"), out.toString());
    assertTrue(out.toString().contains("flexdp policy close --policy"), out.toString());
    assertEquals(2, run("collect", "--policy", proposed.toString()));
    assertEquals(2, run("ask", "--policy", proposed.toString(), count));
    Files.writeString(proposed, Files.readString(proposed).replace(", unique: true", ""));
    assertEquals(0, run("collect", "--policy", proposed.toString()), err.toString());
    assertEquals(0, run("ask", "--policy", proposed.toString(), count));
    assertEquals(0, run("policy", "close", "--policy", proposed.toString(), "t"), err.toString());
    assertEquals(2, run("ask", "--fresh", "--policy", proposed.toString(), count));
    assertTrue(err.toString().contains("'t' is closed by its owner"), err.toString());
  }

  /** Whoever measures is told which keys nobody keeps, and whether they count. */
  @Test
  void keysThatNobodyKeepsAreNamed() throws Exception {
    Path loose = folder.resolve("loose.duckdb");
    String url = "jdbc:duckdb:" + loose;
    write(url, "CREATE TABLE t(id INTEGER NOT NULL)", "INSERT INTO t VALUES (1)");
    Path proposed = folder.resolve("loose.yaml");
    Files.writeString(
        proposed,
        "database: "
            + url
            + "\nprivacy: {epsilon: 1, budget: {epsilon: 9}}\n"
            + "tables: {t: {columns: {id: {type: integer, nullable: false, unique: true}}}}\n");
    assertEquals(0, run("collect", "--policy", proposed.toString()), err.toString());
    assertTrue(err.toString().contains("t.(id) is declared unique and the database does not"));
    assertEquals(0, run("policy", "check", "--policy", proposed.toString()));
    assertTrue(out.toString().contains("it does not count as a key"), out.toString());
    String count = "SELECT COUNT(*) FROM t";
    assertEquals(0, run("explain", "--owner", "--policy", proposed.toString(), count));
    assertTrue(out.toString().contains("it does not count as a key"), out.toString());
  }

  private static void write(String url, String... statements) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
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

  @Test
  void aReleaseIsChargedAndStandsApart() throws Exception {
    assertEquals(
        0,
        run(
            "collect",
            "--policy",
            policy.toString(),
            "--release",
            "--release-epsilon",
            "0.5",
            "--release-delta",
            "1e-9",
            "--only",
            "trips.driver_id, trips.rider_id"));
    MetricsFile.Content all = MetricsFile.read(folder.resolve("rides.metrics.json"), read());
    MetricsFile.Content open = MetricsFile.read(folder.resolve("rides.released.json"), read());
    assertEquals(all.metrics().released(), open.metrics().released());
    assertEquals(Set.of("trips"), open.metrics().released().keySet());
    assertEquals(Set.of("cities", "trips"), open.metrics().tables().keySet());
    assertEquals(TableMetrics.UNKNOWN, open.metrics().table("trips"));
    var exact = all.metrics().table("trips").frequencies();
    var noisy = open.metrics().released("trips").orElseThrow().values().frequencies();
    assertEquals(Set.of(Set.of("driver_id"), Set.of("rider_id")), noisy.keySet());
    noisy.forEach(
        (columns, f) -> assertTrue(f.max().get().compareTo(exact.get(columns).max().get()) >= 0));
    assertEquals("0.5", spent("trips"));
    assertEquals("0", spent("drivers"));
    assertFalse(out.toString().contains("500 rows"), "the exact count is not shown");
  }

  /** Proposed privately, for every measured key that is not unique, and charged. */
  @Test
  void capsAreAdvisedAtAPrice() throws Exception {
    assertEquals(2, run("collect", "--policy", policy.toString(), "--advise-epsilon", "0.2"));
    String[] advised = {
      "collect",
      "--policy",
      policy.toString(),
      "--columns",
      "trips.(driver_id,status)",
      "--advise-caps",
      "--advise-epsilon",
      "0.2"
    };
    assertEquals(0, run(advised), err.toString());
    String said = out.toString();
    assertTrue(said.contains("advice: trips.driver_id: {maxFrequencyAtMost: "), said + err);
    assertTrue(
        said.contains("advice: trips.maxFrequencyAtMost: [{columns: [driver_id, status]"), said);
    assertFalse(said.contains("advice: trips.id"), said);
    long keys = said.lines().filter(line -> line.startsWith("advice: trips.")).count();
    assertEquals(
        0,
        new BigDecimal(spent("trips"))
            .compareTo(new BigDecimal("0.2").multiply(BigDecimal.valueOf(keys))));
    assertTrue(err.toString().contains("a key needs about 15000 different values"), err.toString());
    for (String line : said.lines().filter(line -> line.startsWith("advice: ")).toList()) {
      assertFalse(line.contains("maxFrequencyAtMost: 0,"), line);
    }
  }

  private void withoutRanges() throws Exception {
    String text = Files.readString(policy);
    String without = text.replaceAll(", range: \\[0, [0-9.]+]", "");
    assertFalse(without.equals(text), text);
    Files.writeString(policy, without);
  }

  /** All columns of a table share what it pays. */
  @Test
  void rangesAreAdvisedAtAPrice() throws Exception {
    withoutRanges();
    String[] advised = {
      "collect", "--policy", policy.toString(), "--advise-ranges", "--advise-epsilon", "4"
    };
    assertEquals(0, run(advised), err.toString());
    List<String> lines =
        out.toString().lines().filter(line -> line.startsWith("advice: ")).toList();
    assertTrue(
        lines.stream().anyMatch(line -> line.startsWith("advice: trips.fare: {range: [")),
        lines + err.toString());
    assertTrue(lines.stream().noneMatch(line -> line.contains("trips.id")), lines.toString());
    BigDecimal paid = new BigDecimal(spent("trips"));
    assertTrue(paid.compareTo(new BigDecimal("4")) <= 0, paid.toString());
    assertTrue(paid.compareTo(new BigDecimal("3.99")) > 0, paid.toString());
    String[] none = {
      "collect", "--policy", policy.toString(), "--ranges", "trips.fare", "--advise-caps"
    };
    assertEquals(2, run(none));
  }

  @Test
  void aReleasedRangeIsKeptAndClamps() throws Exception {
    withoutRanges();
    String name = policy.toString();
    String question = "SELECT SUM(fare) FROM trips";
    assertEquals(0, run("collect", "--policy", name));
    String[] ask = {"ask", "--policy", name, "--ranges", "declared", "--epsilon", "1", question};
    assertEquals(3, run(ask), "no range is known");
    String[] release = {
      "collect", "--policy", name, "--release", "--ranges", "trips.fare", "--release-epsilon", "2"
    };
    assertEquals(0, run(release), err.toString());
    assertTrue(out.toString().contains("trips.fare: values are clamped to "), out.toString());
    assertEquals("2", spent("trips"));
    for (String file : List.of("rides.metrics.json", "rides.released.json")) {
      Map<String, Metrics.FoundRange> found =
          MetricsFile.read(folder.resolve(file), read()).metrics().found().get("trips");
      assertEquals(Set.of("fare"), found.keySet());
      assertEquals(0, new BigDecimal("2").compareTo(found.get("fare").epsilon()));
    }
    assertEquals(0, run("collect", "--policy", name), "keeps what was found");
    assertTrue(Files.readString(folder.resolve("rides.released.json")).contains("\"foundRanges\""));
    assertEquals(0, run(ask), err.toString());
    assertEquals("3", spent("trips"));
    assertEquals(2, run("collect", "--policy", name, "--release", "--ranges", "trips.status"));
    assertEquals("3", spent("trips"));
  }

  @Test
  void byDefaultWhatDeclarationsDoNotBoundIsReleased() throws Exception {
    assertEquals(0, run("collect", "--policy", policy.toString(), "--release"));
    var released =
        MetricsFile.read(folder.resolve("rides.released.json"), read()).metrics().released();
    assertEquals(Set.of("trips", "drivers", "users"), released.keySet());
    assertEquals(
        Set.of(Set.of("driver_id"), Set.of("rider_id"), Set.of("city_id")),
        released.get("trips").values().frequencies().keySet());
    assertEquals("1", spent("trips"));
  }

  @Test
  void aReleaseBeyondTheBudgetWritesNothing() throws Exception {
    String[] release = {
      "collect", "--policy", policy.toString(), "--release", "--release-epsilon", "7"
    };
    assertEquals(0, run(release));
    String before = Files.readString(folder.resolve("rides.metrics.json"));
    assertEquals(4, run(release));
    assertEquals(before, Files.readString(folder.resolve("rides.metrics.json")));
    assertEquals("7", spent("trips"));
  }

  @Test
  void slipsOfAReleaseCostNothing() throws Exception {
    String name = policy.toString();
    assertEquals(2, run("collect", "--policy", name, "--only", "trips.driver_id"));
    assertTrue(err.toString().contains("nothing is released without --release"), err.toString());
    assertEquals(2, run("collect", "--policy", name, "--release", "--only", "cities.id"));
    assertEquals(2, run("collect", "--policy", name, "--release", "--release-delta", "0"));
    assertEquals(2, run("collect", "--policy", name, "--release", "--release-epsilon", "-1"));
    assertEquals(2, run("collect", "--policy", name, "--release", "--release-rows", "nowhere"));
    assertEquals("0", spent("trips"));
  }

  @Test
  void measuringAgainDropsWhatWasReleasedUnlessTheOwnerVouches() throws Exception {
    String name = policy.toString();
    Path publicFile = folder.resolve("rides.released.json");
    assertEquals(0, run("collect", "--policy", name, "--release", "--only", "trips.driver_id"));
    var first = MetricsFile.read(publicFile, read()).released();
    assertEquals(0, run("collect", "--policy", name, "--keep-released"));
    assertEquals(first, MetricsFile.read(publicFile, read()).released());
    assertEquals(0, run("collect", "--policy", name));
    assertTrue(err.toString().contains("vouch with --keep-released"), err.toString());
    assertFalse(Files.exists(publicFile));
    assertEquals(
        Map.of(),
        MetricsFile.read(folder.resolve("rides.metrics.json"), read()).metrics().released());
  }

  /** Two tables of a database that cannot prove that it did not change. */
  private Path clinic() throws Exception {
    Path file = folder.resolve("clinic.db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE patient (id INTEGER PRIMARY KEY, born INTEGER)");
      statement.execute("CREATE TABLE stay (patient_id INTEGER REFERENCES patient, ward TEXT)");
      statement.execute("INSERT INTO patient VALUES (1, 1950), (2, 1960)");
      statement.execute("INSERT INTO stay VALUES (1, 'a'), (1, 'b'), (2, 'a')");
    }
    Path yaml = folder.resolve("clinic.yaml");
    assertEquals(
        0, run("policy", "init", "--database", "jdbc:sqlite:" + file, "--output", yaml.toString()));
    return yaml;
  }

  @Test
  void aReleaseThatNothingVouchesForStopsBeforeMeasuring() throws Exception {
    Path clinic = clinic();
    assertEquals(2, run("collect", "--policy", clinic.toString(), "--release"));
    assertTrue(err.toString().contains("nothing says that 'stay' stays as it is"), err.toString());
    assertTrue(err.toString().contains("static: true"), err.toString());
    assertFalse(Files.exists(folder.resolve("clinic.metrics.json")));
    assertFalse(err.toString().contains("rows read"), err.toString());
    Files.writeString(
        clinic, Files.readString(clinic).replace("# static: true ", "static: true # "));
    assertEquals(0, run("collect", "--policy", clinic.toString(), "--release"), err.toString());
  }

  @Test
  void aMissingMetricNamesTheCommandThatMeasuresIt() throws Exception {
    Path clinic = clinic();
    String text =
        Files.readString(clinic)
            .replace("# static: true ", "static: true # ")
            .replace(", references: patient.id", "");
    Files.writeString(clinic, text);
    String question = "SELECT COUNT(*) FROM stay a JOIN stay b ON a.ward = b.ward";
    assertEquals(0, run("collect", "--policy", clinic.toString()), err.toString());
    assertEquals(3, run("ask", "--policy", clinic.toString(), question));
    String wanted = "flexdp collect --policy FILE --columns 'stay.ward'";
    assertTrue(err.toString().contains(wanted), err.toString());
    assertEquals(
        0, run("collect", "--policy", clinic.toString(), "--columns", "stay.ward"), "as told");
    assertEquals(0, run("ask", "--policy", clinic.toString(), question), err.toString());
  }

  private String spent(String table) {
    LedgerPlace place = LedgerPlace.of(policy, Optional.empty());
    try (Ledger ledger = place.open(Allowances.of(read()), false)) {
      return ledger.standing(new Account.Table(table)).spent().epsilon().toPlainString();
    }
  }

  private Policy read() {
    return PolicyReader.read(TextFiles.tree(policy, ConfigurationError.Code.BAD_POLICY));
  }

  private int run(String... args) {
    return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
