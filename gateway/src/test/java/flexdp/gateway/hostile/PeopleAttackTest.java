package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.plan.Rendered;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.release.Moved;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  private int asked;
  private int compared;

  @Test
  void nobodyIsGivenAway(TestReporter reporter) throws Exception {
    attack(SEED, QUESTIONS, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayInManyMore(TestReporter reporter) throws Exception {
    attack(SEED + 1_000_000, MANY, reporter);
  }

  private void attack(long seed, int questions, TestReporter reporter) throws Exception {
    attack(new DuckDbGround(), seed, questions, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnSqlite(TestReporter reporter) throws Exception {
    attack(new SqliteGround(), SEED + 2_000_000, MANY / 10, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnPostgreSql(TestReporter reporter) throws Exception {
    attack(PostgresGround.started(), SEED + 3_000_000, MANY / 10, reporter);
  }

  @Test
  @Tag("soak")
  void nobodyIsGivenAwayOnMariaDb(TestReporter reporter) throws Exception {
    attack(new MariaDbGround(), SEED + 4_000_000, MANY / 20, reporter);
  }

  private void attack(Ground opened, long seed, int questions, TestReporter reporter)
      throws Exception {
    try (Ground ground = opened) {
      for (long s = seed; asked < questions && leaks.size() < 10; s++) {
        pair(ground, s);
      }
    }
    String summary = asked + " asked, " + compared + " compared " + ways;
    reporter.publishEntry("people", summary);
    assertEquals("", String.join("\n\n", leaks), summary);
    assertTrue(compared * 4 > asked, summary);
  }

  private void pair(Ground ground, long seed) throws Exception {
    Random random = new Random(seed);
    HostilePeople people = HostilePeople.random(random, ground.columns());
    Policy policy = people.policy(random.nextBoolean(), HostilePolicy.dialect(random));
    HostilePeople.Leaving leaving = people.leaving(random);
    HostileSql sql = new HostileSql(random, people.columns());
    try (Read x = new Read(ground, 0, people, policy);
        Read y = new Read(ground, 1, people.without(leaving), policy)) {
      for (int i = 0; i < PER_PAIR; i++) {
        String question =
            sql.question(HostileSql.Aim.values()[random.nextInt(HostileSql.Aim.values().length)]);
        asked++;
        leak(x, y, question)
            .ifPresent(
                what ->
                    leaks.add(
                        "seed %d, %s%n%s%n%s%n%s"
                            .formatted(seed, leaving.who(), question, what, people)));
      }
    }
  }

  private Optional<String> leak(Read x, Read y, String question) {
    Optional<Plan> here = x.plan(question);
    Optional<Plan> there = y.plan(question);
    if (here.isEmpty() || there.isEmpty()) {
      return here.isEmpty() == there.isEmpty()
          ? Optional.empty()
          : Optional.of("refused on one side only");
    }
    if (!here.get().isAnswerable() || !there.get().isAnswerable()) {
      return Optional.empty();
    }
    ExactResults one;
    ExactResults two;
    try {
      one = x.read(here.get());
      two = y.read(there.get());
    } catch (Rejection e) {
      return Optional.empty(); // by the text alone: it is written for the database before a row is
    } catch (Failure | IllegalStateException e) {
      return Optional.of("fails: " + e + " " + x.log + y.log);
    }
    compared++;
    here.get()
        .routes()
        .values()
        .forEach(r -> ways.merge(r.getClass().getSimpleName(), 1, Integer::sum));
    return one.against(two).stream().filter(Moved::isTooFar).findFirst().map(Moved::toString);
  }

  /** One of two neighbours. */
  private static final class Read implements AutoCloseable {
    private final List<String> log = new ArrayList<>();
    private final Policy policy;
    private final Connection writer;
    private final JdbcDatabase database;
    private final Analyzer analyzer;

    Read(Ground ground, int side, HostilePeople people, Policy policy) throws SQLException {
      this.policy = policy;
      writer = ground.writer(side);
      fill(people);
      Metrics metrics =
          new Collector(
                  policy,
                  HostilePolicy.wanted(policy, people.columns()),
                  Progress.NONE,
                  Clock.systemUTC())
              .collect(writer)
              .metrics();
      database = ground.open(side, writer, policy, (what, cause) -> log.add(what + ": " + cause));
      analyzer = new Analyzer(policy, metrics, LocalDateTime.of(2024, 7, 1, 12, 0));
    }

    private void fill(HostilePeople people) throws SQLException {
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
          StringBuilder create =
              new StringBuilder("CREATE TABLE " + name + " (id INTEGER NOT NULL");
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

    Optional<Plan> plan(String sql) {
      try {
        return Optional.of(analyzer.plan(sql, AnalysisOptions.DEFAULT));
      } catch (Rejection e) {
        return Optional.empty();
      }
    }

    ExactResults read(Plan plan) {
      Rendered rendered = new Rendered(database);
      return ExactResults.read(
          policy, plan, ExactResults.labels(policy, plan, database, rendered), database, rendered);
    }

    @Override
    public void close() throws SQLException {
      database.close();
      writer.close();
    }
  }
}
