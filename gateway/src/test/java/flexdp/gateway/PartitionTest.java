package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.BudgetExhausted;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables in parts, from the policy to the ledger, on a real database. */
class PartitionTest {
  static final String PARTED =
      SmallRides.POLICY.replace("  trips:\n", "  trips:\n    partition: {by: day, each: month}\n");

  @TempDir Path folder;

  static QueryRequest ask(String sql, String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        sql,
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins()),
        "ann",
        Set.of(),
        false,
        true,
        Optional.empty());
  }

  private SmallRides rides(String policy) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(5);
    Path own = Files.createTempDirectory(folder, "rides");
    return new SmallRides(own, () -> source, policy);
  }

  private static List<String> cases() throws IOException {
    try (InputStream text = PartitionTest.class.getResourceAsStream("parts.txt")) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.startsWith("#"))
          .toList();
    }
  }

  private static String month(int year, int month) {
    return String.format(
        java.util.Locale.ROOT,
        "SELECT status, COUNT(*) FROM trips WHERE day >= DATE '%d-%02d-01'"
            + " AND day < DATE '%d-%02d-01' GROUP BY status",
        year,
        month,
        month == 12 ? year + 1 : year,
        month == 12 ? 1 : month + 1);
  }

  @Test
  void twentyFourMonthlyReportsCostOne() throws Exception {
    String half =
        PARTED.replace(
            "budget: {epsilon: 1000000, delta: 0.1", "budget: {epsilon: 0.5, delta: 0.1");
    try (SmallRides rides = rides(half)) {
      for (int i = 0; i < 24; i++) {
        AnalystView view = rides.gateway.ask(ask(month(2023 + i / 12, 1 + i % 12), "0.5"));
        assertEquals(0, new BigDecimal("0.5").compareTo(view.epsilon()));
      }
      var balance = rides.ledger.standing(new Account.Table("trips"));
      assertEquals(0, new BigDecimal("0.5").compareTo(balance.spent().epsilon()));
      assertEquals(24, balance.charges());
      BudgetExhausted again =
          assertThrows(
              BudgetExhausted.class,
              () ->
                  rides.gateway.ask(
                      ask("SELECT COUNT(*) FROM trips WHERE day = DATE '2023-05-05'", "0.1")));
      assertTrue(again.getMessage().contains("part 2023-05"), again.getMessage());
      assertThrows(
          BudgetExhausted.class, () -> rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", "0.1")));
      // A repeat is free, and so is what follows from it.
      assertTrue(rides.gateway.ask(ask(month(2023, 1), "0.5")).repeat());
    }
  }

  @Test
  void footprintsFollowTheRules() throws Exception {
    List<String> wrong = new ArrayList<>();
    try (SmallRides rides = rides(PARTED)) {
      for (String line : cases()) {
        int arrow = line.indexOf(" => ");
        String sql = line.substring(arrow + 4);
        var parts = rides.gateway.explain(ask(sql, "1")).parts().get("trips");
        String found = parts == null ? "all" : String.join(" ", parts.names());
        if (!line.substring(0, arrow).equals(found)) {
          wrong.add(found + " => " + sql);
        }
      }
      assertEquals(List.of(), wrong);
    }
  }

  /** With so large an ε that there is no noise, and a row more of another part: the same answer. */
  @Test
  void answersDoNotDependOnOtherParts() throws Exception {
    List<String> rows =
        List.of(
            "(7, 1, 1, 77.00, 3, 'completed', '2023-07-07')",
            "(7, 2, 2, 499.00, 3, 'cancelled', '2025-01-31')",
            "(7, 3, NULL, NULL, NULL, NULL, NULL)",
            "(7, NULL, 1, 1, 1, 'flying', '2024-01-01')",
            "(7, 1, 3, 1, 1, 'requested', '2024-03-31')");
    List<String> parts = List.of("2023-07", "2025-01", "NULL", "2024-01", "2024-03");
    for (int r = 0; r < rows.size(); r++) {
      try (SmallRides here = rides(PARTED);
          SmallRides there = rides(PARTED)) {
        there.execute("INSERT INTO trips VALUES " + rows.get(r));
        for (String line : cases()) {
          String names = line.substring(0, line.indexOf(" => "));
          String sql = line.substring(line.indexOf(" => ") + 4);
          if (names.equals("all") || List.of(names.split(" ")).contains(parts.get(r))) {
            continue;
          }
          AnalystView one = here.gateway.ask(ask(sql, "9000"));
          AnalystView other = there.gateway.ask(ask(sql, "9000"));
          // Labels of public tables come in any order.
          assertEquals(Set.copyOf(shown(one)), Set.copyOf(shown(other)), sql);
          assertEquals(one.mechanism(), other.mechanism(), sql);
          assertEquals(
              here.gateway.explain(ask(sql, "1")).errors(),
              there.gateway.explain(ask(sql, "1")).errors(),
              sql);
        }
      }
    }
  }

  private static List<String> shown(AnalystView view) {
    return view.rows().stream().map(Object::toString).toList();
  }

  @Test
  void aWorkloadChargesTheUnionOfItsParts() throws Exception {
    try (SmallRides rides = rides(PARTED)) {
      rides.gateway.ask(
          Workload.parse(
              "SELECT COUNT(*) FROM trips WHERE day BETWEEN DATE '2024-01-01' AND DATE '2024-01-31'"
                  + " AND status = 'completed';\n"
                  + "SELECT AVG(distance) FROM drivers d JOIN trips t ON t.id = d.id"
                  + " WHERE day = DATE '2024-03-01';"),
          ask("", "1"));
      var parts = rides.ledger.standing(new Account.Table("trips")).parts();
      assertEquals(Set.of("2024-01", "2024-03"), parts.values().iterator().next().keySet());
    }
  }

  private static final String JOIN =
      "SELECT COUNT(*) FROM drivers d JOIN trips t ON t.driver_id = d.id"
          + " WHERE t.day = DATE '2024-01-15'";

  /** A row of another month can push one of this month out. */
  @Test
  void enforcedCapsReadAllParts() throws Exception {
    String capped =
        PARTED.replace(
            "driver_id: {type: integer}",
            "driver_id: {type: integer, maxFrequencyAtMost: 2, enforce: true}");
    try (SmallRides rides = rides(capped)) {
      assertEquals(java.util.Map.of(), rides.gateway.explain(ask(JOIN, "1")).parts());
      var plain =
          rides.gateway.explain(
              ask("SELECT COUNT(*) FROM trips WHERE day = DATE '2024-01-15'", "1"));
      assertEquals(Set.of("trips"), plain.parts().keySet());
    }
  }

  @Test
  void adaptiveAndConcentratedBudgetsCountByParts() throws Exception {
    for (String composition : List.of("adaptive", "zcdp")) {
      String policy =
          PARTED.replace(
              "budget: {epsilon: 1000000, delta: 0.1, composition: basic}",
              "budget: {epsilon: 2, delta: 1e-6, composition: " + composition + "}");
      try (SmallRides rides = rides(policy)) {
        for (int i = 0; i < 12; i++) {
          rides.gateway.ask(ask(month(2024, i + 1), "0.3"));
        }
        var trips = rides.ledger.standing(new Account.Table("trips"));
        assertEquals(0, new BigDecimal("0.045").compareTo(trips.spent().rho()), composition);
      }
    }
  }

  @Test
  void tablesWithOwnersAreChargedAsAWhole() {
    String owned =
        """
        flexdp: 1
        people:
          patient: {key: patients.id}
        tables:
          patients: {owners: {patient: id}, columns: {id: {type: bigint, unique: true, nullable: false}}}
          visits:
            owners: {patient: patient_id}
            partition: {by: admitted_at, each: month}
            columns: {patient_id: {type: bigint}, admitted_at: {type: timestamp}}
        """;
    var table =
        PolicyReader.read(YamlText.tree(owned, ConfigurationError.Code.BAD_POLICY))
            .table("visits")
            .orElseThrow();
    assertTrue(table.partition().isPresent());
    assertTrue(table.charged().isEmpty());
  }

  @Test
  void analystsPayForEverythingTheyLearn() throws Exception {
    try (SmallRides rides = rides(PARTED)) {
      rides.gateway.ask(ask(month(2024, 1), "0.5"));
      rides.gateway.ask(ask(month(2024, 2), "0.5"));
      assertEquals(
          0,
          BigDecimal.ONE.compareTo(
              rides.ledger.standing(new Account.Analyst("ann")).spent().epsilon()));
    }
  }

  @Test
  void badPartitionsAreRefused() {
    refused("BAD_POLICY", "{by: dya, each: month}", "no column 'dya'");
    refused("BAD_POLICY", "{by: day, each: fortnight}", "fortnight");
    refused("BAD_POLICY", "{by: fare}", "cannot be parts");
    refused("BAD_POLICY", "{by: distance}", "cannot be parts");
    refused("BAD_POLICY", "{by: city_id, each: month}", "each is for dates");
    refused("BAD_POLICY", "{each: month}", "by");
    refused("BAD_POLICY", "{by: day, eech: month}", "eech");
    String replaced = PARTED.replace("neighbors: add-remove-one", "neighbors: replace-one");
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> PolicyReader.read(YamlText.tree(replaced, ConfigurationError.Code.BAD_POLICY)));
    assertEquals("PARTITION_NEIGHBORS", error.codeName());
    assertEquals(2, error.exitCode());
  }

  private static void refused(String code, String partition, String words) {
    String policy =
        SmallRides.POLICY.replace("  trips:\n", "  trips:\n    partition: " + partition + "\n");
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> PolicyReader.read(YamlText.tree(policy, ConfigurationError.Code.BAD_POLICY)));
    assertEquals(code, error.codeName());
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }
}
