package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.hostile.HostileSql.Aim;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random questions over hostile values, asked of neighbours through the whole path: both end alike,
 * and what they differ by is within the bound. How many are asked is said by {@code
 * flexdp.hostile.questions} and {@code flexdp.hostile.soak}; {@code flexdp.hostile.seed} is where
 * they begin.
 */
class AttackTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.questions", 750);
  private static final int MANY = Integer.getInteger("flexdp.hostile.soak", 20_000);
  static final long SEED = Long.getLong("flexdp.hostile.seed", 1L);
  private static final int LEAST_ACCEPTED = 45;
  private static final int ENOUGH = Integer.getInteger("flexdp.hostile.enough", 20);

  /** How a ground is made. */
  interface Opening {
    TestBed open() throws Exception;
  }

  static void attack(Opening opening, long seed, int questions, TestReporter reporter)
      throws Exception {
    attack(opening, Optional.empty(), seed, questions, reporter);
  }

  private static void attack(
      Opening opening, Optional<Aim> only, long seed, int questions, TestReporter reporter)
      throws Exception {
    try (TestBed ground = opening.open()) {
      Attack attack = new Attack(ground, only);
      attack.run(seed, questions, ENOUGH);
      reporter.publishEntry("hostile", attack.summary());
      System.out.println("hostile: " + attack.summary());
      assertEquals(
          "",
          attack.leaks().stream().map(Attack.Leak::toString).collect(Collectors.joining("\n\n")),
          attack.summary());
      assertTrue(
          attack.percentAccepted() >= LEAST_ACCEPTED,
          () -> "most questions are refused: " + attack.summary());
    }
  }

  @Test
  void duckdbGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, SEED, QUESTIONS / 3, reporter);
  }

  /** Statistics, MODE, ALL and ANY: of all questions they are few. */
  @Test
  void duckdbGivesNoRowAwayToStatistics(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, Optional.of(Aim.STATISTIC), SEED + 500_000, QUESTIONS / 5, reporter);
  }

  @Test
  void postgresqlGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, SEED, QUESTIONS / 3, reporter);
  }

  @Test
  @Tag("nightly")
  void duckdbGivesNoRowAwayInTwiceAsMany(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, SEED, 2 * QUESTIONS, reporter);
  }

  @Test
  @Tag("nightly")
  void duckdbGivesNoRowAwayToTwiceAsManyStatistics(TestReporter reporter) throws Exception {
    Optional<Aim> statistics = Optional.of(Aim.STATISTIC);
    attack(DuckDbTestBed::new, statistics, SEED + 500_000, 2 * QUESTIONS / 5, reporter);
  }

  @Test
  @Tag("nightly")
  void postgresqlGivesNoRowAwayInTwiceAsMany(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, SEED, 2 * QUESTIONS, reporter);
  }

  @Test
  @Tag("soak")
  void duckdbGivesNoRowAwayInManyMore(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, SEED + 1_000_000, MANY, reporter);
  }

  @Test
  @Tag("soak")
  void postgresqlGivesNoRowAwayInManyMore(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, SEED + 1_000_000, MANY, reporter);
  }

  @Test
  @Tag("soak")
  void sqliteGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(SqliteTestBed::new, SEED, MANY, reporter);
  }

  @Test
  @Tag("soak")
  void mariadbGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(MariaDbTestBed::new, SEED, MANY, reporter);
  }
}
