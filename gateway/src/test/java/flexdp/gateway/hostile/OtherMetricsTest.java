package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.QueryOptions;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All that is said of a question beside its numbers, before and after it is asked, is the same
 * whatever was measured of protected tables: verdicts, words, costs, mechanisms, formulas, errors.
 */
class OtherMetricsTest {
  private static final int QUESTIONS = 75;
  private static final int MANY = Integer.getInteger("flexdp.hostile.soak", 20_000);
  private static final long SEED = Long.getLong("flexdp.hostile.seed", 1L);
  private static final int PER_PAIR = 25;
  private static final List<BigInteger> NUMBERS =
      List.of(
          BigInteger.ZERO,
          BigInteger.ONE,
          BigInteger.TWO,
          BigInteger.valueOf(7),
          BigInteger.valueOf(5000),
          BigInteger.TEN.pow(12));

  private int asked;

  @Test
  void nothingIsSaidOfThem() throws Exception {
    ask(SEED, QUESTIONS);
  }

  @Test
  @Tag("soak")
  void nothingIsSaidOfThemInManyMore() throws Exception {
    ask(SEED + 1_000_000, MANY / 10);
  }

  private void ask(long seed, int questions) throws Exception {
    try (TestBed ground = new DuckDbTestBed()) {
      for (long s = seed; asked < questions; s++) {
        pair(ground, s);
      }
    }
    assertTrue(asked >= questions);
  }

  private void pair(TestBed ground, long seed) throws Exception {
    Random random = new Random(seed);
    HostileTables tables =
        HostileTables.random(random, Theme.columns(random, ground.columns()), false);
    Policy policy =
        HostilePolicy.of(
                tables.columns(),
                random.nextInt(4) == 0,
                random.nextBoolean(),
                HostilePolicy.keyOrCaps(random, tables.columns()))
            .in(HostilePolicy.dialect(random));
    HostileSql sql = new HostileSql(random, tables.columns());
    try (Side x = new Side(ground, 0, tables, 0, policy, measured -> measured);
        Side y = new Side(ground, 1, tables, 0, policy, measured -> other(measured, random))) {
      for (int i = 0; i < PER_PAIR; i++) {
        String question =
            sql.question(HostileSql.Aim.values()[random.nextInt(HostileSql.Aim.values().length)]);
        MechanismChoice[] all = MechanismChoice.values();
        MechanismChoice choice =
            random.nextInt(3) == 0 ? all[random.nextInt(all.length)] : MechanismChoice.AUTO;
        QueryOptions options =
            new QueryOptions(
                choice,
                Optional.of(BigDecimal.valueOf(random.nextBoolean() ? 1 : 1000)),
                Optional.empty(),
                Optional.empty());
        asked++;
        assertEquals(x.said(question, options), y.said(question, options), seed + ": " + question);
      }
    } catch (ConfigurationError e) {
      // A key of the database that is none as we read it: the owner is told, and nobody answered.
      assertTrue(e.message().contains("is declared unique, but values repeat"), e.message());
    }
  }

  private static Metrics other(Metrics measured, Random random) {
    Map<String, TableMetrics> tables = new HashMap<>(measured.tables());
    for (String name : List.of("t", "u")) {
      tables.computeIfPresent(name, (n, known) -> other(known, random));
    }
    return new Metrics(tables, measured.released());
  }

  private static TableMetrics other(TableMetrics known, Random random) {
    List<Set<String>> columns = new ArrayList<>(known.frequencies().keySet());
    columns.sort(Comparator.comparing(Object::toString));
    Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
    for (Set<String> some : columns) {
      BigInteger max = NUMBERS.get(random.nextInt(NUMBERS.size()));
      BigInteger withNull = max.max(NUMBERS.get(random.nextInt(NUMBERS.size())));
      MaxFrequency old = known.frequencies().get(some);
      frequencies.put(
          some, new MaxFrequency(old.max().map(m -> max), old.maxWithNull().map(m -> withNull)));
    }
    BigInteger rows = NUMBERS.get(1 + random.nextInt(NUMBERS.size() - 1));
    return new TableMetrics(known.rows().map(r -> rows), frequencies, known.rowsPerPerson());
  }
}
