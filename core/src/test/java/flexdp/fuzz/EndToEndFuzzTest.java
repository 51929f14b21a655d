package flexdp.fuzz;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.Rejection;
import flexdp.policy.Neighbors;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Random SQL text, executed as it is on real databases of a few rows: how much the answer changes
 * between neighbours, at the database itself and at every database next to it, is never more than
 * the analysis says. Sizes and the seed are system properties; {@code make soak} runs more.
 */
class EndToEndFuzzTest {
  private static final int QUERIES = Integer.getInteger("flexdp.fuzz.queries", 320);
  private static final int MANY = Integer.getInteger("flexdp.fuzz.soak", 5_000);
  private static final long SEED = Long.getLong("flexdp.fuzz.seed", 20_180_101L);
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  private final FuzzStatistics statistics = new FuzzStatistics();

  @Test
  void noNeighbourChangesAnAnswerByMoreThanTheBound(TestReporter reporter) throws SQLException {
    run(SEED, QUERIES / 2, reporter);
  }

  @Test
  @Tag("nightly")
  void noNeighbourDoesSoInMoreQueries(TestReporter reporter) throws SQLException {
    run(SEED, 2 * QUERIES, reporter);
  }

  @Test
  @Tag("soak")
  void noNeighbourDoesSoInManyMoreQueries(TestReporter reporter) throws SQLException {
    run(SEED + 1, MANY, reporter);
  }

  private void run(long seed, int queries, TestReporter reporter) throws SQLException {
    Random random = new Random(seed);
    try (DuckTables tables = new DuckTables()) {
      TinyDatabase database = new TinyDatabase(random);
      for (int i = 0; i < queries; i++) {
        if (i % 5 == 0) {
          database = new TinyDatabase(random);
          tables.load(database);
        }
        SqlGenerator.Query query = SqlGenerator.next(random);
        Optional<DpQuery> question = analyzed(query);
        statistics.asked(query, question.isPresent());
        if (question.isPresent()) {
          check(query, question.get(), database, tables);
        }
      }
    }
    reporter.publishEntry("fuzz", statistics.toString());
    assertTrue(
        statistics.violations().isEmpty(), () -> String.join("\n\n", statistics.violations()));
    statistics.requireVariety();
  }

  private Optional<DpQuery> analyzed(SqlGenerator.Query query) {
    try {
      DpQuery question =
          QueryDecomposer.of(
              new SqlBinder(TinyDatabase.POLICY, NOW).bind(query.sql()),
              TinyDatabase.POLICY,
              Optional.empty());
      // Some rules speak only when the bound is asked for, whatever the numbers are.
      for (Measurement measurement : question.releases().getFirst().measurements()) {
        Sensitivity.of(
            question.releases().getFirst(),
            measurement,
            new TinyDatabase(new Random(1)).metrics(),
            Neighbors.ADD_REMOVE_ONE,
            RuleSet.FLEXDP);
      }
      return Optional.of(question);
    } catch (Rejection rejection) {
      statistics.rejected(query, rejection);
      return Optional.empty();
    }
  }

  private void check(
      SqlGenerator.Query query, DpQuery question, TinyDatabase database, DuckTables tables)
      throws SQLException {
    NoisyAggregate point = question.releases().getFirst();
    Set<String> changing = new LinkedHashSet<>();
    for (String table : TinyDatabase.PROTECTED) {
      if (query.sql().matches(".*\\b" + table + " q.*")) {
        changing.add(table);
      }
    }
    try (DuckTables.Prepared prepared = tables.new Prepared(query.sql(), database, query.keys())) {
      for (Neighbors model : Neighbors.values()) {
        List<Measurement> measurements = point.measurements();
        for (int column = 0; column < measurements.size(); column++) {
          Measurement measurement = measurements.get(column);
          Optional<String> shown = measurement.origin().column();
          if (shown.isEmpty()) {
            continue;
          }
          int index = shown.get().equals("n1") ? 0 : 1;
          Bound bound =
              Sensitivity.of(point, measurement, database.metrics(), model, RuleSet.FLEXDP);
          BigDecimal unit = measurement.unit();
          long near = change(prepared, database, database.state(), changing, model, index);
          long far = near;
          for (int state : database.neighbors(database.state(), changing, model)) {
            far = Math.max(far, change(prepared, database, state, changing, model, index));
          }
          BigDecimal atZero = new BigDecimal(bound.elastic(0)).multiply(unit);
          BigDecimal atOne = new BigDecimal(bound.elastic(1)).multiply(unit);
          statistics.compared(query, model, shown.get(), bound, near, atZero, far, atOne, database);
        }
      }
      statistics.executed(prepared.states());
    } catch (SQLException e) {
      // DuckDB itself does not know how to run some correlated subqueries.
      if (!e.getMessage().startsWith("Not implemented")) {
        throw e;
      }
      statistics.notRun();
    }
  }

  /** The largest change of one column, all groups together, between a state and its neighbours. */
  private static long change(
      DuckTables.Prepared prepared,
      TinyDatabase database,
      int state,
      Set<String> changing,
      Neighbors model,
      int index)
      throws SQLException {
    Map<String, long[]> here = prepared.answer(state);
    long most = 0;
    for (int next : database.neighbors(state, changing, model)) {
      Map<String, long[]> there = prepared.answer(next);
      long change = 0;
      for (Map.Entry<String, long[]> group : here.entrySet()) {
        long[] other = there.get(group.getKey());
        change += Math.abs(group.getValue()[index] - (other == null ? 0 : other[index]));
      }
      for (Map.Entry<String, long[]> group : there.entrySet()) {
        change += here.containsKey(group.getKey()) ? 0 : Math.abs(group.getValue()[index]);
      }
      most = Math.max(most, change);
    }
    return most;
  }
}
