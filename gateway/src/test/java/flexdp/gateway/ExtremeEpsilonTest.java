package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Audit;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.marginals.StrategyChoice;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever the price, a question is answered or refused at no cost: what can be known before the
 * charge does not fail after it.
 */
class ExtremeEpsilonTest {
  private static final String TABLES =
      """
      people: {p: {key: person.id}}
      tables:
        person: {owners: {p: id}, columns: {id: {type: integer, nullable: false, unique: true}}}
        ev:
          owners: {p: pid}
          columns:
            id: {type: integer, nullable: false, unique: true}
            pid: {type: integer, references: person.id}
            v: {type: integer, range: [0, 4]}
            nm: {type: varchar}
            k: {type: varchar, domain: [a, b]}
        msg:
          owners: {p: [a, b]}
          columns:
            id: {type: integer, nullable: false, unique: true}
            a: {type: integer, references: person.id}
            b: {type: integer, references: person.id}
            t: {type: varchar, domain: [a, b]}
        t:
          unit: row
          columns:
            id: {type: integer, nullable: false, unique: true}
            c: {type: varchar, domain: [A, B]}
            s: {type: varchar, domain: [u, v]}
            x: {type: integer, range: [0, 4]}
            w: {type: varchar}
      """;

  private static final List<String> EPSILONS =
      List.of("1e-9", "1.9e-9", "3.9e-9", "4e-9", "5e-8", "1e-3", "1", "140", "5000", "10000");

  private static final List<String> OF_PEOPLE =
      List.of(
          "SELECT COUNT(*) FROM ev",
          "SELECT AVG(v) FROM ev",
          "SELECT COUNT(*), SUM(v), MEDIAN(v) FROM ev",
          "SELECT MEDIAN(v) FROM ev",
          "SELECT nm, COUNT(*) FROM ev GROUP BY nm",
          "SELECT k, COUNT(*), AVG(v) FROM ev GROUP BY k",
          "SELECT k, COUNT(*) FROM ev GROUP BY CUBE(k)",
          "SELECT COUNT(DISTINCT pid) FROM ev",
          "SELECT COUNT(*) FROM msg",
          "SELECT t, COUNT(*) FROM msg GROUP BY t",
          "SELECT COUNT(*) FROM msg m JOIN ev e ON m.a = e.pid");

  private static final List<String> OF_ROWS =
      List.of(
          "SELECT COUNT(*) FROM t",
          "SELECT c, s, COUNT(*), SUM(x) FROM t GROUP BY CUBE(c, s)",
          "SELECT c, COUNT(*), AVG(x), MEDIAN(x) FROM t GROUP BY c",
          "SELECT w, COUNT(*) FROM t GROUP BY w",
          "SELECT MODE(x) FROM t",
          "SELECT COUNT(*) FROM t a JOIN t b ON a.x = b.x",
          "SELECT c, SUM(COUNT(*)) OVER (ORDER BY c), VARIANCE(x) FROM t GROUP BY c");

  private static final Workload MARGINS =
      Workload.of(
          List.of(
              "SELECT c, COUNT(*) FROM t GROUP BY c",
              "SELECT s, COUNT(*) FROM t GROUP BY s",
              "SELECT c, s, COUNT(*) FROM t GROUP BY c, s"));

  @TempDir Path folder;
  private final List<String> log = new ArrayList<>();

  @BeforeEach
  void tables() throws Exception {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "create table person as select i::integer as id from range(1, 21) r(i)",
              "create table ev as select i::integer as id, (1 + i % 20)::integer as pid,"
                  + " (i % 5)::integer as v, 'n' || (i % 4) as nm, ['a', 'b'][1 + i % 2] as k"
                  + " from range(0, 200) r(i)",
              "create table msg as select i::integer as id, (1 + i % 20)::integer as a,"
                  + " (1 + (i * 7) % 20)::integer as b, ['a', 'b'][1 + i % 2] as t"
                  + " from range(0, 100) r(i)",
              "create table t as select i::integer as id, ['A', 'B'][1 + i % 2] as c,"
                  + " ['u', 'v'][1 + (i // 2) % 2] as s, (i % 5)::integer as x, 'w' || (i % 3) as w"
                  + " from range(0, 100) r(i)")) {
        statement.execute(sql);
      }
    }
  }

  private String url() {
    return "jdbc:duckdb:" + folder.resolve("p.duckdb");
  }

  /** What is asked of a gateway, and what became of it. */
  private final class Asking implements AutoCloseable {
    private final JdbcDatabase database;
    private final Ledger ledger;
    private final QueryEngine engine;
    private final List<String> wrong = new ArrayList<>();
    private int answered;
    private int refused;

    Asking(String privacy, String name) throws Exception {
      Policy policy =
          PolicyReader.read(
              YamlText.tree(
                  "flexdp: 1\nfailures: {atMost: 1000, window: 24h}\n" + privacy + "\n" + TABLES,
                  ConfigurationError.Code.BAD_POLICY));
      ErrorLog told =
          (what, cause) ->
              log.add(what + ": " + cause + " at " + List.of(cause.getStackTrace()).subList(0, 6));
      Metrics metrics;
      try (Connection connection = Databases.readOnly(url())) {
        metrics =
            new Collector(policy, RequiredFrequencies.of(policy), Progress.NONE, Clock.systemUTC())
                .collect(connection)
                .metrics();
      }
      database = JdbcDatabase.open(url(), policy, Duration.ofMinutes(10), told);
      ledger = LedgerOpening.file(folder.resolve(name + ".ledger"), Allowances.of(policy), false);
      engine =
          new QueryEngine(
              policy,
              LiveMetrics.vouched(policy, metrics),
              "test",
              database,
              ledger,
              told,
              Clock.systemUTC());
    }

    void ask(String sql, String epsilon, MechanismChoice mechanism) {
      judge(
          epsilon + " " + mechanism + " " + sql,
          () -> engine.explain(asked(sql, epsilon, mechanism)),
          () -> engine.ask(asked(sql, epsilon, mechanism)));
    }

    void ask(Workload workload, String epsilon, StrategyChoice strategy) {
      QueryRequest plain = asked("", epsilon, MechanismChoice.AUTO);
      QueryRequest request =
          new QueryRequest(
              "", plain.options().by(strategy), "ann", Set.of(), false, true, Optional.empty());
      judge(
          epsilon + " " + strategy,
          () -> engine.explain(workload, request),
          () -> engine.ask(workload, request));
    }

    private QueryRequest asked(String sql, String epsilon, MechanismChoice mechanism) {
      QueryOptions options =
          new QueryOptions(
              mechanism,
              Optional.of(new BigDecimal(epsilon)),
              Optional.of(new BigDecimal("1e-6")),
              Optional.empty());
      return new QueryRequest(sql, options, "ann", Set.of(), true);
    }

    private void judge(String what, Runnable explain, Runnable ask) {
      Optional<RuntimeException> explained = thrown(explain);
      Optional<RuntimeException> asked = thrown(ask);
      asked.ifPresentOrElse(e -> refused++, () -> answered++);
      boolean sound =
          asked.map(e -> e instanceof Failure && !(e instanceof DatabaseError)).orElse(true);
      if (!sound || explained.isPresent() != asked.isPresent() && !isUnconfirmed(asked)) {
        wrong.add(what + ": explained " + explained + ", asked " + asked);
      }
    }

    private boolean isUnconfirmed(Optional<RuntimeException> e) {
      return e.orElse(null) instanceof Rejection r
          && r.code() == RejectionCode.PROPOSAL_NOT_CONFIRMED;
    }

    private Optional<RuntimeException> thrown(Runnable work) {
      try {
        work.run();
        return Optional.empty();
      } catch (RuntimeException e) {
        return Optional.of(e);
      }
    }

    void check(int atLeast) {
      assertEquals(List.of(), log);
      assertEquals(List.of(), wrong);
      assertEquals(Set.of(ChargeOutcome.RELEASED), Audit.of(ledger).outcomes().keySet());
      assertTrue(answered >= atLeast && refused > 0, answered + " answered, " + refused);
    }

    @Override
    public void close() {
      ledger.close();
      database.close();
    }
  }

  @Test
  void nothingKnownBeforeTheChargeFailsAfterIt() throws Exception {
    try (Asking asking =
        new Asking(
            "privacy: {budget: {epsilon: 1e7, delta: 0.5}, thresholding: {delta: 1e-6}}",
            "basic")) {
      for (String epsilon : EPSILONS) {
        OF_PEOPLE.forEach(sql -> asking.ask(sql, epsilon, MechanismChoice.AUTO));
        for (MechanismChoice mechanism : MechanismChoice.values()) {
          OF_ROWS.forEach(sql -> asking.ask(sql, epsilon, mechanism));
        }
        for (StrategyChoice strategy : StrategyChoice.values()) {
          asking.ask(MARGINS, epsilon, strategy);
        }
      }
      asking.check(200);
    }
  }

  @Test
  void norWhereSquaresAddUp() throws Exception {
    try (Asking asking =
        new Asking(
            "privacy: {budget: {epsilon: 1e10, delta: 0.5, composition: zcdp}}", "squares")) {
      for (String epsilon : EPSILONS) {
        OF_PEOPLE.forEach(sql -> asking.ask(sql, epsilon, MechanismChoice.AUTO));
        for (MechanismChoice mechanism :
            List.of(MechanismChoice.AUTO, MechanismChoice.LAPLACE, MechanismChoice.GAUSSIAN)) {
          OF_ROWS.forEach(sql -> asking.ask(sql, epsilon, mechanism));
        }
        for (StrategyChoice strategy : StrategyChoice.values()) {
          asking.ask(MARGINS, epsilon, strategy);
        }
      }
      asking.check(100);
    }
  }
}
