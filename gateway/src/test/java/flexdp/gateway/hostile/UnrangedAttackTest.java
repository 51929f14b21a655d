package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random sums, averages, extremes and quantiles of hostile values without a declared range: the
 * counts that find one, those outside and the answer keep to their bounds, whatever the range, and
 * nothing fails because of a row. {@code flexdp.hostile.unranged} says how many are asked, {@code
 * flexdp.hostile.seed} where they begin.
 */
class UnrangedAttackTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.unranged", 60);
  private static final int MANY = Integer.getInteger("flexdp.hostile.unranged.nightly", 600);
  private static final int PER_PAIR = 12;
  private static final int ENOUGH = 10;

  private void attack(AttackTest.Opening opening, long seed, int questions, TestReporter reporter)
      throws Exception {
    List<String> leaks = new ArrayList<>();
    int asked = 0;
    int compared = 0;
    int found = 0;
    try (TestBed ground = opening.open()) {
      for (long s = seed; asked < questions && leaks.size() < ENOUGH; s++) {
        Random random = new Random(s);
        boolean replaced = random.nextInt(4) == 0;
        HostileTables tables =
            HostileTables.random(
                random, Theme.columns(random, ground.columns(), Theme.NUMBERS), replaced);
        Policy policy = HostilePolicy.unranged(tables.columns(), replaced, random);
        HostileSql sql = new HostileSql(random, tables.columns());
        try (ExactNeighbours neighbours =
            new ExactNeighbours(
                ground,
                policy,
                tables.columns(),
                (writer, side) -> Side.create(writer, ground, tables, side, policy))) {
          for (int i = 0; i < PER_PAIR; i++) {
            String question = sql.unbounded();
            asked++;
            long where = s;
            neighbours
                .leak(question, s + i)
                .ifPresent(
                    what ->
                        leaks.add(
                            "seed %d, %s%n%s%n%s%n%s"
                                .formatted(where, policy.dialect(), question, what, tables)));
          }
          compared += neighbours.compared();
          found += neighbours.found();
        } catch (ConfigurationError e) {
          // A key of the database that is none as we read it: the owner is told, nobody answered.
          assertTrue(e.message().contains("is declared unique, but values repeat"), e.message());
        }
      }
    }
    Map<String, Integer> summary = Map.of("asked", asked, "compared", compared, "found", found);
    reporter.publishEntry("unranged", summary.toString());
    System.out.println("unranged: " + summary);
    assertEquals("", String.join("\n\n", leaks), summary.toString());
    assertTrue(found * 4 > asked, summary.toString());
  }

  @Test
  void onDuckDb(TestReporter reporter) throws Exception {
    attack(DuckDbTestBed::new, AttackTest.SEED, QUESTIONS, reporter);
  }

  @Test
  void onPostgreSql(TestReporter reporter) throws Exception {
    attack(PostgresTestBed::started, AttackTest.SEED + 1_000, QUESTIONS / 2, reporter);
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
}
