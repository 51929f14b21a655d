package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.CollectedMetrics;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.LedgerEvent;
import flexdp.metrics.ContributionProfile;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Profiles of people: one person moves each by one, they cost what they share, and foretell. */
class ProfilesTest {
  /** Noise of a histogram at a fifth of this is zero but with probability 2·e^(−8000). */
  private static final String WITHOUT_NOISE = "40000";

  private static final String POLICY =
      """
      flexdp: 1
      database: "DATABASE"
      privacy:
        epsilon: 1
        delta: 1e-9
        thresholding: {delta: 1e-8}
        budget: {epsilon: BUDGET, delta: 1e-6, composition: COMPOSITION}
      people:
        patient: {key: patient.id, nobody: [0]}
      tables:
        patient:
          owners: {patient: id}
          columns:
            id: {type: integer, nullable: false, unique: true}
            sex: {type: varchar, domain: [f, m]}
        visit:
          owners: {patient: patient_id}
          columns:
            id: {type: integer, nullable: false, unique: true}
            patient_id: {type: integer, references: patient.id}
            minutes: {type: integer, range: [0, 120]}
            ward: {type: varchar, domain: [a, b, c]}
            day: {type: date, nullable: false, range: ["2024-01-01", "2024-12-31"]}
        payment:
          owners: {patient: visit_id.patient_id}
          columns:
            visit_id: {type: integer, references: visit.id}
            amount: {type: "decimal(9,2)", range: [-500, 500]}
        shared:
          owners: {patient: patient_id, doctor: doctor_id}
          columns:
            patient_id: {type: integer}
            doctor_id: {type: integer}
        weather:
          unit: row
          columns:
            celsius: {type: integer, range: [-50, 60]}
      """
          .replace("nobody: [0]}", "nobody: [0]}\n  doctor: {}");

  @TempDir Path folder;

  private Path create(String name, String composition, String budget, List<String> rows)
      throws SQLException, IOException {
    String url = "jdbc:duckdb:" + folder.resolve(name + ".duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE patient(id INTEGER NOT NULL UNIQUE, sex VARCHAR)");
      statement.execute(
          "CREATE TABLE visit(id INTEGER NOT NULL UNIQUE, patient_id INTEGER, minutes INTEGER,"
              + " ward VARCHAR, day DATE NOT NULL)");
      statement.execute("CREATE TABLE payment(visit_id INTEGER, amount DECIMAL(9,2))");
      statement.execute("CREATE TABLE shared(patient_id INTEGER, doctor_id INTEGER)");
      statement.execute("CREATE TABLE weather(celsius INTEGER)");
      for (String row : rows) {
        statement.execute("INSERT INTO " + row);
      }
    }
    Path file = folder.resolve(name + ".yaml");
    String yaml =
        POLICY
            .replace("DATABASE", url)
            .replace("BUDGET", budget)
            .replace("COMPOSITION", composition);
    Files.writeString(file, yaml);
    Policy policy = PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY));
    try (Connection connection = Databases.readOnly(url)) {
      CollectedMetrics collected =
          new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      MetricsFile.write(MetricsFile.beside(file), policy, collected, Map.of());
    }
    return file;
  }

  private static QueryRequest at(String epsilon) {
    return new QueryRequest("", QueryOptions.DEFAULT, "owner", Set.of())
        .at(new BigDecimal(epsilon));
  }

  private static List<ContributionProfile> release(Path policy, String epsilon) {
    try (FlexDp flexdp = FlexDp.open(policy)) {
      return flexdp.releaseProfiles(at(epsilon));
    }
  }

  /** Rows of people 1 … n, with some that nobody owns. */
  private static List<List<String>> people(Random random, int n) {
    List<List<String>> people = new ArrayList<>();
    int visit = 0;
    for (int person = 0; person <= n; person++) {
      List<String> rows = new ArrayList<>();
      rows.add("patient VALUES (" + person + ", '" + (random.nextBoolean() ? "f" : "m") + "')");
      int visits = random.nextInt(4) == 0 ? 20 : random.nextInt(4);
      for (int i = 0; i < visits; i++) {
        visit++;
        String owner = random.nextInt(8) == 0 ? "NULL" : String.valueOf(person);
        rows.add(
            "visit VALUES ("
                + visit
                + ", "
                + owner
                + ", "
                + random.nextInt(200)
                + ", 'a',"
                + " DATE '2024-02-02')");
        for (int j = random.nextInt(3); j > 0; j--) {
          rows.add("payment VALUES (" + visit + ", " + (random.nextInt(1400) - 700) + ".25)");
        }
      }
      rows.add("shared VALUES (" + person + ", 7)");
      people.add(rows);
    }
    return people;
  }

  private static List<String> without(List<List<String>> people, int person) {
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < people.size(); i++) {
      if (i != person) {
        rows.addAll(people.get(i));
      }
    }
    return rows;
  }

  private static BigInteger apart(List<BigInteger> one, List<BigInteger> two) {
    BigInteger sum = BigInteger.ZERO;
    for (int i = 0; i < one.size(); i++) {
      sum = sum.add(one.get(i).subtract(two.get(i)).abs());
    }
    return sum;
  }

  @Test
  void onePersonMovesEveryHistogramByOneAtMost() throws SQLException, IOException {
    Random random = new Random(11);
    int moved = 0;
    for (int world = 0; world < 3; world++) {
      List<List<String>> people = people(random, 7);
      List<ContributionProfile> all =
          release(create("w" + world, "basic", "1000000", without(people, -1)), WITHOUT_NOISE);
      assertEquals(
          List.of("patient", "visit", "visit.minutes", "payment", "payment.amount"),
          all.stream().map(p -> p.table() + p.column().map(c -> "." + c).orElse("")).toList());
      for (int person = 0; person < people.size(); person += 2) {
        List<ContributionProfile> fewer =
            release(
                create("w" + world + "-" + person, "basic", "1000000", without(people, person)),
                WITHOUT_NOISE);
        for (int i = 0; i < all.size(); i++) {
          BigInteger apart = apart(all.get(i).people(), fewer.get(i).people());
          assertTrue(apart.compareTo(BigInteger.ONE) <= 0, all.get(i) + " / " + fewer.get(i));
          moved += apart.intValueExact();
        }
      }
    }
    assertTrue(moved > 20, "a histogram that nobody moves tells nothing: " + moved);
  }

  @Test
  void whatIsReleasedIsWhatPeopleHave() throws SQLException, IOException {
    List<String> rows = new ArrayList<>();
    for (int person = 1; person <= 10; person++) {
      rows.add("patient VALUES (" + person + ", 'f')");
    }
    for (int i = 1; i <= 9; i++) {
      rows.add("visit VALUES (" + i + ", " + (i <= 5 ? 1 : 2) + ", 1000, 'a', DATE '2024-01-01')");
    }
    rows.add("visit VALUES (10, 0, 5, 'a', DATE '2024-01-01')");
    rows.add("visit VALUES (11, NULL, 5, 'a', DATE '2024-01-01')");
    List<ContributionProfile> all = release(create("one", "basic", "1000000", rows), WITHOUT_NOISE);
    assertEquals(10, all.get(0).count());
    // Five rows and four; nobody's rows are nobody's.
    ContributionProfile visits = all.get(1);
    assertEquals(2, visits.people().stream().mapToInt(BigInteger::intValueExact).sum());
    assertEquals(0, visits.people().get(0).signum());
    // 600 and 480 minutes, each value cut at 120.
    ContributionProfile minutes = all.get(2);
    for (int i = 0; i < minutes.upTo().size(); i++) {
      boolean below = minutes.upTo().get(i).compareTo(new BigDecimal(480)) < 0;
      assertTrue(!below || minutes.people().get(i).signum() == 0, minutes.toString());
    }
    assertEquals(2, minutes.people().stream().mapToInt(BigInteger::intValueExact).sum());
  }

  private static List<ChargeRequest> charges(FlexDp flexdp) {
    List<ChargeRequest> charges = new ArrayList<>();
    flexdp
        .ledger()
        .read(
            entry -> {
              if (entry.event() instanceof LedgerEvent.Reserved reserved) {
                charges.add(reserved.request());
              }
            });
    return charges;
  }

  @Test
  void whatTheyShareIsChargedToThePeople() throws SQLException, IOException {
    for (String composition : List.of("basic", "zcdp")) {
      Path policy = create(composition, composition, "10", without(people(new Random(5), 6), -1));
      try (FlexDp flexdp = FlexDp.open(policy)) {
        List<ContributionProfile> all = flexdp.releaseProfiles(at("1"));
        ChargeRequest charge = charges(flexdp).getFirst();
        assertEquals(1, charges(flexdp).size());
        assertEquals(Set.of("people:patient"), charge.tables());
        double parts = composition.equals("basic") ? 5 : Math.sqrt(5);
        assertEquals(parts, all.getFirst().scale().doubleValue(), 1e-6);
        assertEquals(5 / parts, charge.cost().epsilon().doubleValue(), 1e-6);
        assertEquals(
            composition.equals("basic") ? 0.2 : 1, charge.cost().squares().doubleValue(), 1e-6);
        assertThrows(BudgetError.class, () -> flexdp.releaseProfiles(at("50")));
        assertEquals(1, charges(flexdp).size());
      }
    }
  }

  @Test
  void theyStandInBothFilesAndStayWhenMeasuredAgain() throws SQLException, IOException {
    Path policy = create("kept", "basic", "1000000", without(people(new Random(5), 6), -1));
    List<ContributionProfile> all = release(policy, "1");
    Path metrics = MetricsFile.beside(policy);
    Policy read =
        PolicyReader.read(
            YamlText.tree(Files.readString(policy), ConfigurationError.Code.BAD_POLICY));
    assertEquals(all, MetricsFile.read(metrics, read).metrics().profiles());
    assertEquals(
        all, MetricsFile.read(MetricsFile.releasedBeside(metrics), read).metrics().profiles());
    assertFalse(Files.readString(MetricsFile.releasedBeside(metrics)).contains("maxFrequency"));
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      CollectedMetrics collected =
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection);
      MetricsFile.write(metrics, read, collected, Map.of());
    }
    assertEquals(all, MetricsFile.read(metrics, read).metrics().profiles());
    List<ContributionProfile> newer = release(policy, "2");
    assertEquals(newer, MetricsFile.read(metrics, read).metrics().profiles());
  }

  /** 2,000 people with 1 to 8 visits each, about 30 minutes long. */
  private Path clinic(String composition) throws SQLException, IOException {
    return create(
        "clinic-" + composition,
        composition,
        "1000",
        List.of(
            "patient SELECT i, 'f' FROM range(1, 2001) r(i)",
            "visit SELECT p * 10 + v, p, 20 + (p + v) % 20, ['a', 'b', 'c'][1 + p % 3],"
                + " DATE '2024-01-01' + CAST((p * 7 + v * 31) % 366 AS INTEGER)"
                + " FROM range(1, 2001) r(p), range(0, 8) s(v) WHERE v <= p % 8"));
  }

  private static Explanation explained(FlexDp flexdp, String sql, String epsilon) {
    return flexdp.explain(
        new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of()).at(new BigDecimal(epsilon)));
  }

  @Test
  void theyForetellTauAndTheNoise() throws SQLException, IOException {
    Path policy = clinic("basic");
    String byDay = "SELECT day, COUNT(*) AS n FROM visit GROUP BY day";
    String all = "SELECT COUNT(*) AS n FROM visit";
    try (FlexDp flexdp = FlexDp.open(policy)) {
      assertTrue(explained(flexdp, byDay, "1").warnings().isEmpty());
    }
    // At this ε the histograms are exact but for a chance of 10^-15.
    release(policy, "200");
    try (FlexDp flexdp = FlexDp.open(policy)) {
      Explanation.ColumnError told = explained(flexdp, all, "1").errors().getFirst();
      assertTrue(told.words().contains("τ about 8;"), told.words());
      Explanation.Foretold foretold = told.foretold().orElseThrow();
      assertEquals(9000, foretold.value().doubleValue(), 1500);
      assertEquals("", foretold.warning());
      // One answer in a hundred takes noise for people far up; three of five do so once in 10^5.
      QueryRequest fresh = new QueryRequest(all, QueryOptions.DEFAULT, "ann", Set.of(), true);
      List<Double> widths = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        AnalystView.Bar bar =
            flexdp.ask(fresh.at(BigDecimal.ONE).withIntervals(true)).interval(0, 0).orElseThrow();
        widths.add(bar.high().subtract(bar.low()).doubleValue() / 2);
      }
      double width = widths.stream().sorted().toList().get(2);
      assertTrue(width < 3 * foretold.noise().doubleValue(), width + " / " + foretold);
      List<String> noisy = explained(flexdp, byDay, "1").warnings();
      assertTrue(
          noisy.getFirst().contains("it will be noise: the noise in each of 366 cells"),
          noisy.toString());
      assertTrue(
          explained(flexdp, "SELECT ward, AVG(minutes) AS m FROM visit GROUP BY ward", "2")
              .warnings()
              .isEmpty());
      QueryRequest limited =
          new QueryRequest(
                  byDay,
                  QueryOptions.DEFAULT.limited(Optional.of(NoiseLimit.parse("100%"))),
                  "ann",
                  Set.of())
              .at(BigDecimal.ONE);
      int before = charges(flexdp).size();
      assertEquals(
          RejectionCode.TOO_NOISY, assertThrows(Rejection.class, () -> flexdp.ask(limited)).code());
      assertEquals(before, charges(flexdp).size());
    }
  }

  /** What a cap for many cells cuts off is said before it is paid for, and is what is missing. */
  @Test
  void whatTheCapCutsOffIsForetold() throws SQLException, IOException {
    String byMonth = "SELECT EXTRACT(MONTH FROM day) AS month, COUNT(*) AS n FROM visit GROUP BY 1";
    String average =
        "SELECT EXTRACT(MONTH FROM day) AS month, AVG(minutes) AS a FROM visit GROUP BY 1";
    // 2,000 people with two visits each, and 60 with 120.
    Path policy =
        create(
            "tail",
            "zcdp",
            "1000000",
            List.of(
                "patient SELECT i, 'f' FROM range(1, 2061) r(i)",
                "visit SELECT p * 1000 + v, p, 20 + (p + v) % 20, 'a',"
                    + " DATE '2024-01-01' + CAST((p * 7 + v * 31) % 366 AS INTEGER)"
                    + " FROM range(1, 2061) r(p), range(0, 120) s(v) WHERE v < 2 OR p > 2000"));
    release(policy, "200");
    try (FlexDp flexdp = FlexDp.open(policy)) {
      // The noise in the histogram of people hides the 60 at this ε, but for a chance of 10^-5.
      Explanation told = explained(flexdp, byMonth, "0.04");
      Explanation.ColumnError column = told.errors().getFirst();
      double cut = column.foretold().orElseThrow().cut().doubleValue();
      assertTrue(cut > 0.5 && cut < 0.7, column.toString());
      assertTrue(column.words().contains(", about 63 % cut off;"), column.words());
      assertTrue(
          told.warnings().getFirst().startsWith("n: about 63 % of it will be cut off: what people"),
          told.warnings().toString());
      QueryRequest asked =
          new QueryRequest(byMonth, QueryOptions.DEFAULT, "ann", Set.of())
              .at(new BigDecimal("0.04"));
      int before = charges(flexdp).size();
      QueryRequest limited =
          new QueryRequest(
                  byMonth,
                  QueryOptions.DEFAULT.limited(Optional.of(NoiseLimit.parse("60%"))),
                  "ann",
                  Set.of())
              .at(new BigDecimal("0.04"));
      Rejection refused = assertThrows(Rejection.class, () -> flexdp.ask(limited));
      assertEquals(RejectionCode.TOO_NOISY, refused.code());
      assertTrue(refused.getMessage().contains("to be cut off"), refused.getMessage());
      assertEquals(before, charges(flexdp).size());
      var answer = flexdp.ask(asked);
      double sum = answer.rows().stream().mapToDouble(ProfilesTest::second).sum();
      // 2,000 people with two visits and 60 with 120 have 11,200.
      assertEquals(1 - cut, sum / 11_200, 0.12);
      assertEquals(cut, answer.notes().getFirst().numbers().get("cut").doubleValue());
      // What is missing above and below a quotient leaves it as it was, and enough ε everything.
      Explanation ofBoth = explained(flexdp, average, "0.2");
      assertEquals(0, ofBoth.errors().getFirst().foretold().orElseThrow().cut().signum());
      assertEquals(List.of(), explained(flexdp, byMonth, "5").warnings());
      assertFalse(explained(flexdp, byMonth, "5").errors().getFirst().words().contains("cut off"));
    }
  }

  private static double second(List<Object> row) {
    return ((Number) row.get(1)).doubleValue();
  }

  /** Far from the end of a long tail it is not the largest value that is shown. */
  @Test
  void theLargestValueIsSaidToBeFarFromTheEnd() throws SQLException, IOException {
    Path policy = clinic("basic");
    release(policy, "200");
    try (FlexDp flexdp = FlexDp.open(policy)) {
      for (String end : List.of("MAX", "MIN")) {
        String sql = "SELECT " + end + "(minutes) AS m FROM visit";
        assertTrue(
            explained(flexdp, sql, "1")
                .warnings()
                .getFirst()
                .contains("rows away from the last one"));
        assertTrue(explained(flexdp, sql, "100").warnings().isEmpty());
      }
      assertTrue(
          explained(flexdp, "SELECT MEDIAN(minutes) AS m FROM visit", "1").warnings().isEmpty());
    }
  }

  @Test
  void labelsThatTooFewPeopleHaveAreSaidToBeMissing() throws SQLException, IOException {
    Path policy = clinic("basic");
    String byWard = "SELECT ward, COUNT(*) AS n FROM visit GROUP BY ward";
    release(policy, "200");
    try (FlexDp flexdp = FlexDp.open(policy)) {
      assertTrue(explained(flexdp, byWard, "1").warnings().isEmpty());
    }
    Files.writeString(policy, Files.readString(policy).replace(", domain: [a, b, c]", ""));
    try (FlexDp flexdp = FlexDp.open(policy)) {
      List<String> few = explained(flexdp, byWard, "1").warnings();
      assertEquals(1, few.size());
      assertTrue(few.getFirst().startsWith("n: labels will be missing: only"), few.toString());
      assertTrue(few.getFirst().contains("of the about 2000 people"), few.toString());
      assertTrue(explained(flexdp, byWard, "20").warnings().isEmpty());
    }
  }

  @Test
  void anErrorMayBeNamedWhereTheyForetellIt() throws SQLException, IOException {
    Path policy = clinic("basic");
    QueryRequest within =
        new QueryRequest("SELECT COUNT(*) AS n FROM visit", QueryOptions.DEFAULT, "ann", Set.of())
            .within(ErrorTarget.parse("300"))
            .withIntervals(true);
    try (FlexDp flexdp = FlexDp.open(policy)) {
      Rejection refused = assertThrows(Rejection.class, () -> flexdp.ask(within));
      assertEquals(RejectionCode.ACCURACY_UNKNOWN, refused.code());
      assertFalse(refused.getMessage().contains("max frequencies"), refused.getMessage());
      assertTrue(refused.hint().contains("profiles of people"), refused.hint());
    }
    release(policy, "200");
    try (FlexDp flexdp = FlexDp.open(policy)) {
      BigDecimal epsilon = flexdp.ask(within).epsilon();
      assertTrue(epsilon.doubleValue() > 0.05 && epsilon.doubleValue() < 1, epsilon.toString());
      BigDecimal tighter = flexdp.explain(within.within(ErrorTarget.parse("1%"))).epsilon();
      assertTrue(tighter.compareTo(epsilon) > 0, tighter + " / " + epsilon);
    }
  }

  @Test
  void aPolicyOfRowsHasNone() throws SQLException, IOException {
    Path policy = create("none", "basic", "10", List.of());
    String yaml = Files.readString(policy);
    int people = yaml.indexOf("people:");
    String rows =
        yaml.substring(0, people)
            + "tables:\n  weather:\n    columns:\n      celsius: {type: integer}\n";
    Files.writeString(policy, rows);
    Files.delete(MetricsFile.beside(policy));
    ConfigurationError refused = assertThrows(ConfigurationError.class, () -> release(policy, "1"));
    assertTrue(refused.getMessage().contains("one owner each"), refused.getMessage());
  }
}
