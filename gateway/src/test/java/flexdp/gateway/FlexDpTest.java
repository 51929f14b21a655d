package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.TextFiles;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that belongs to a policy, opened at once. */
class FlexDpTest {
  private static final String COUNT = "SELECT COUNT(*) FROM trips";

  @TempDir Path folder;
  private Path policy;

  @BeforeEach
  void aPolicyAndItsDatabase() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(200, 7).create(file);
    policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + file));
  }

  private void measure() throws Exception {
    Policy read = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      MetricsFile.write(
          MetricsFile.beside(policy),
          read,
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC())
              .collect(connection),
          Map.of());
    }
  }

  private static BigDecimal spent(FlexDp flexdp) {
    return flexdp.ledger().standing(new Account.Table("trips")).spent().epsilon();
  }

  @Test
  void chargesStayWithThePolicyAndAnAnswerIsGivenAgainForFree() throws Exception {
    measure();
    List<List<Object>> rows;
    BigDecimal spent;
    try (FlexDp flexdp = FlexDp.open(policy)) {
      AnalystView answer = flexdp.ask(COUNT);
      assertFalse(answer.repeat());
      rows = answer.rows();
      spent = spent(flexdp);
      assertEquals(0, spent.compareTo(answer.epsilon()));
    }
    try (FlexDp flexdp = FlexDp.open(policy)) {
      AnalystView again = flexdp.ask(COUNT);
      assertTrue(again.repeat());
      assertEquals(rows, again.rows());
      assertEquals(spent, spent(flexdp));
    }
  }

  /** Nothing says that unmeasured data are still the same. */
  @Test
  void nothingIsGivenAgainOfDataThatNobodyMeasured() {
    try (FlexDp flexdp = FlexDp.open(policy)) {
      assertFalse(flexdp.ask(COUNT).repeat());
      assertFalse(flexdp.ask(COUNT).repeat());
    }
  }

  @Test
  void anotherDatabaseHasAnswersOfItsOwn() throws Exception {
    measure();
    Path copy = folder.resolve("copy.duckdb");
    Files.copy(folder.resolve("rides.duckdb"), copy);
    try (FlexDp flexdp = FlexDp.open(policy)) {
      flexdp.ask(COUNT);
    }
    try (FlexDp flexdp = Setup.of(policy).database("jdbc:duckdb:" + copy).open()) {
      assertFalse(flexdp.ask(COUNT).repeat());
    }
  }

  @Test
  void theClockIsTheQuestions() throws Exception {
    Clock then = Clock.fixed(Instant.parse("1999-01-01T00:00:00Z"), ZoneOffset.UTC);
    String sql = "SELECT YEAR(CURRENT_DATE) AS y, COUNT(*) FROM trips";
    try (FlexDp flexdp = Setup.of(policy).clock(then).open()) {
      assertEquals("1999", flexdp.ask(sql).rows().getFirst().getFirst().toString());
    }
  }

  @Test
  void metricsThatAreNamedHaveToBeThere() {
    Setup setup = Setup.of(policy).metrics(folder.resolve("other.json"));
    assertThrows(ConfigurationError.class, setup::open);
  }

  @Test
  void aDatabaseNeedsTimeToAnswer() {
    Setup setup = Setup.of(policy);
    assertThrows(ConfigurationError.class, () -> setup.timeout(Duration.ofMillis(10)));
  }

  @Test
  void thePolicyOrTheSetupNamesADatabase() throws Exception {
    Files.writeString(policy, Files.readString(policy).replaceAll("(?m)^database:.*\\R", ""));
    ConfigurationError e = assertThrows(ConfigurationError.class, () -> FlexDp.open(policy));
    assertEquals("the policy names no database", e.message());
  }
}
