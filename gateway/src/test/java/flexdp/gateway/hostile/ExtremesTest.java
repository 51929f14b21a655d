package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * No function fails on one row because of a constant beside it. How many calls are tried is said by
 * {@code flexdp.hostile.extremes}; {@code flexdp.hostile.seed} is where they begin.
 */
class ExtremesTest {
  private static final int CALLS = Integer.getInteger("flexdp.hostile.extremes", 160);
  static final int MANY = Integer.getInteger("flexdp.hostile.extremes.nightly", 6_000);
  private static final int ENOUGH = 12;
  private static final int LEAST_ANSWERED = 40;

  static void attack(AttackTest.Opening opening, long seed, int calls, TestReporter reporter)
      throws Exception {
    try (TestBed ground = opening.open()) {
      Extremes extremes = new Extremes(ground);
      extremes.run(seed, calls, ENOUGH);
      reporter.publishEntry("extremes", extremes.summary());
      assertEquals("", String.join("\n\n", extremes.leaks()), extremes.summary());
      assertTrue(extremes.percentAnswered() >= LEAST_ANSWERED, extremes::summary);
    }
  }

  @Test
  void onDuckDb(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED, CALLS, reporter);
  }

  @Test
  void onPostgreSql(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, AttackTest.SEED + 1_000, CALLS, reporter);
  }

  @Test
  void onSqlite(TestReporter reporter) throws Exception {
    attack(SqliteTestBed::new, AttackTest.SEED + 2_000, CALLS, reporter);
  }

  @Test
  void onMariaDb(TestReporter reporter) throws Exception {
    attack(MariaDbTestBed::new, AttackTest.SEED + 3_000, CALLS, reporter);
  }

  @Test
  @Tag("nightly")
  void onDuckDbInManyMore(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED + 10_000, MANY, reporter);
  }

  @Test
  @Tag("nightly")
  void onPostgreSqlInManyMore(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, AttackTest.SEED + 11_000, MANY, reporter);
  }

  @Test
  @Tag("nightly")
  void onSqliteInManyMore(TestReporter reporter) throws Exception {
    attack(SqliteTestBed::new, AttackTest.SEED + 12_000, MANY, reporter);
  }

  @Test
  @Tag("nightly")
  void onMariaDbInManyMore(TestReporter reporter) throws Exception {
    attack(MariaDbTestBed::new, AttackTest.SEED + 13_000, MANY, reporter);
  }

  /** What once gave rows away by a constant, taken back, is found by random calls alone. */
  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> limitsTakenAwayAreNoticed(@TempDir Path folder) {
    return Stream.of(
            Map.entry("PostgreSQL", "patterns of LIKE stay as they are written"),
            Map.entry("SQLite", "patterns are as long as anybody likes"))
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.getKey() + ": " + one.getValue(),
                    () -> {
                      Path place = folder.resolve(one.getKey());
                      Mutants.named(one.getValue()).compile(place);
                      assertFalse(leaks(place, one.getKey()).isEmpty(), one + " survives");
                    }));
  }

  private static List<?> leaks(Path place, String kind) throws Exception {
    Class<?> extremes = Mutant.loader(place, Extremes.class).loadClass(Extremes.class.getName());
    Method leaks = extremes.getDeclaredMethod("leaks", String.class, long.class, int.class);
    leaks.setAccessible(true);
    return (List<?>) leaks.invoke(null, kind, AttackTest.SEED, MANY);
  }
}
