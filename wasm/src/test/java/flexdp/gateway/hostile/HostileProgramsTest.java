package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.program.ProgramMachine;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs over hostile values, asked of neighbours: both end alike, as explaining them
 * said, and no row moves more than the noise is made for. How many are asked is said by {@code
 * flexdp.hostile.programs} and {@code flexdp.hostile.programs.soak}; {@code flexdp.hostile.seed} is
 * where they begin.
 */
class HostileProgramsTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.programs", 200);
  private static final int MANY = Integer.getInteger("flexdp.hostile.programs.soak", 10_000);
  private static final int UNTIL_NOTICED = 1_000;
  private static final int LEAST_ANSWERED = 40;
  private static final int ENOUGH = 20;

  private static void attack(
      AttackTest.Opening opening, long seed, int count, TestReporter reporter) throws Exception {
    try (TestBed ground = opening.open()) {
      ProgramAttack attack = new ProgramAttack(ground);
      attack.run(seed, count, ENOUGH);
      reporter.publishEntry("hostile", attack.summary());
      assertEquals("", String.join("\n\n", attack.leaks()), attack.summary());
      assertTrue(attack.percentAnswered() >= LEAST_ANSWERED, attack.summary());
    }
  }

  @Test
  void duckdbGivesNoRowAwayInAFew(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED, QUESTIONS / 5, reporter);
  }

  @Test
  @Tag("nightly")
  void duckdbGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED, QUESTIONS, reporter);
  }

  @Test
  @Tag("nightly")
  void postgresqlGivesNoRowAway(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, AttackTest.SEED, QUESTIONS / 5, reporter);
  }

  /**
   * The test itself: blocks that follow the order of rows, results beyond their range, and more.
   */
  @Tag("nightly")
  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void whatIsBrokenInTheReadingIsNoticed(String name, Mutant mutant, @TempDir Path folder)
      throws Exception {
    mutant.compile(folder);
    Class<?> attack =
        Mutant.loader(folder, ProgramAttack.class).loadClass(ProgramAttack.class.getName());
    Method first = attack.getDeclaredMethod("first", long.class, int.class);
    first.setAccessible(true);
    assertFalse(((List<?>) first.invoke(null, 1L, UNTIL_NOTICED)).isEmpty(), name + " survives");
  }

  static Stream<Arguments> mutants() {
    return ProgramMutants.READINGS.stream().map(mutant -> Arguments.of(mutant.name(), mutant));
  }

  @Test
  @Tag("nightly")
  void aMachineThatKeepsStateIsNoticed() throws Exception {
    assertFalse(noticed(ProgramMutants.remembering()).isEmpty());
  }

  @Test
  @Tag("nightly")
  void aMachineThatFailsOnSomeRowsIsNoticed() throws Exception {
    assertFalse(noticed(ProgramMutants.failing()).isEmpty());
  }

  private static List<String> noticed(ProgramMachine machine) throws Exception {
    try (TestBed ground = new DuckDbTestBed()) {
      return new ProgramAttack(ground).first(1, UNTIL_NOTICED, machine);
    }
  }

  @Test
  @Tag("soak")
  void duckdbGivesNoRowAwayInManyMore(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED + 1_000_000, MANY, reporter);
  }

  @Test
  @Tag("soak")
  void postgresqlGivesNoRowAwayInManyMore(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, AttackTest.SEED + 1_000_000, MANY, reporter);
  }
}
