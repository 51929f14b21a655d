package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random questions over rows that people own, with and without somebody: both are refused, or
 * answered, alike, and nothing moves by more than its noise is made for.
 */
class PeopleAttackTest {
  private static final int QUESTIONS = Integer.getInteger("flexdp.hostile.people", 150);
  private static final int MANY = Integer.getInteger("flexdp.hostile.soak", 20_000);
  private static final long SEED = Long.getLong("flexdp.hostile.seed", 1L);
  private static final int PER_PAIR = 25;

  private final List<String> leaks = new ArrayList<>();
  private final TreeMap<String, Integer> ways = new TreeMap<>();
  private boolean finds;
  private int asked;
  private int compared;
  private int found;

  @Test
  void nobodyIsGivenAway(TestReporter reporter) throws Exception {
    attack(SEED, QUESTIONS, reporter);
  }

  /** Of values without a declared range, whose range is found. */
  @Test
  void nobodyIsGivenAwayByRangesThatAreFound(TestReporter reporter) throws Exception {
    finds = true;
    attack(SEED + 5_000_000, QUESTIONS, reporter);
    assertTrue(found * 10 > asked, found + " found");
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayInManyMore(TestReporter reporter) throws Exception {
    attack(SEED + 1_000_000, MANY, reporter);
  }

  private void attack(long seed, int questions, TestReporter reporter) throws Exception {
    attack(new DuckDbTestBed(), seed, questions, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnSqlite(TestReporter reporter) throws Exception {
    attack(new SqliteTestBed(), SEED + 2_000_000, MANY / 10, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnPostgreSql(TestReporter reporter) throws Exception {
    attack(PostgresTestBed.started(), SEED + 3_000_000, MANY / 10, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnMariaDb(TestReporter reporter) throws Exception {
    attack(new MariaDbTestBed(), SEED + 4_000_000, MANY / 20, reporter);
  }

  private void attack(TestBed opened, long seed, int questions, TestReporter reporter)
      throws Exception {
    try (TestBed ground = opened) {
      for (long s = seed; asked < questions && leaks.size() < 10; s++) {
        pair(ground, s);
      }
    }
    String summary = asked + " asked, " + compared + " compared, " + found + " found " + ways;
    reporter.publishEntry("people", summary);
    System.out.println("people: " + summary);
    assertEquals("", String.join("\n\n", leaks), summary);
    assertTrue(compared * 4 > asked, summary);
    for (String way : List.of("clip-gaussian", "votes", "own norms")) {
      assertTrue(finds || ways.getOrDefault(way, 0) > 0, way + ": " + summary);
    }
  }

  private void pair(TestBed ground, long seed) throws Exception {
    Random random = new Random(seed);
    HostilePeople people = HostilePeople.random(random, ground.columns());
    Policy policy = people.policy(random.nextBoolean(), HostilePolicy.dialect(random), finds);
    HostilePeople.Leaving leaving = people.leaving(random);
    HostileSql sql = new HostileSql(random, people.columns());
    try (ExactNeighbours neighbours =
        new ExactNeighbours(
            ground,
            policy,
            people.columns(),
            (writer, side) -> fill(writer, side == 0 ? people : people.without(leaving)))) {
      for (int i = 0; i < PER_PAIR; i++) {
        boolean other = random.nextInt(finds ? 7 : 3) > 0;
        String question =
            finds && other
                ? sql.unbounded()
                : !finds && !other
                    ? sql.cells()
                    : sql.question(
                        HostileSql.Aim.values()[random.nextInt(HostileSql.Aim.values().length)]);
        asked++;
        neighbours
            .leak(question, seed + i)
            .ifPresent(
                what ->
                    leaks.add(
                        "seed %d, %s%n%s%n%s%n%s"
                            .formatted(seed, leaving.who(), question, what, people)));
      }
      neighbours.ways().forEach((way, times) -> ways.merge(way, times, Integer::sum));
      compared += neighbours.compared();
      found += neighbours.found();
    }
  }

  private static void fill(Connection writer, HostilePeople people) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS q");
      statement.execute("DROP TABLE IF EXISTS f");
      statement.execute("CREATE TABLE q (id INTEGER PRIMARY KEY)");
      statement.execute("CREATE TABLE f (id INTEGER PRIMARY KEY, who INTEGER)");
      for (int i = 0; i < HostilePeople.PEOPLE; i++) {
        statement.execute("INSERT INTO q VALUES (" + i + ")");
        statement.execute("INSERT INTO f VALUES (" + i + ", " + HostilePeople.ownerOf(i) + ")");
      }
      for (int t = 0; t < HostileTables.NAMES.size(); t++) {
        String name = HostileTables.NAMES.get(t);
        StringBuilder create = new StringBuilder("CREATE TABLE " + name + " (id INTEGER NOT NULL");
        people.columns().forEach(c -> create.append(", " + c.name() + " " + c.physical()));
        statement.execute(create.append(")").toString());
        List<String> rows = new ArrayList<>();
        people.rows().get(t).forEach(row -> rows.add("(" + String.join(", ", row) + ")"));
        if (!rows.isEmpty()) {
          statement.execute("INSERT INTO " + name + " VALUES " + String.join(", ", rows));
        }
      }
    }
  }
}
