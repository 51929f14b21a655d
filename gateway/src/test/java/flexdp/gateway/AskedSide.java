package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.policy.Policy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One of two neighbours, measured and asked at almost no epsilon: how questions end there. */
final class AskedSide implements AutoCloseable {
  private static final QueryOptions OPTIONS =
      new QueryOptions(
          MechanismChoice.AUTO,
          Optional.of(new BigDecimal("1e-9")),
          Optional.empty(),
          Optional.empty());

  private final List<String> log = new ArrayList<>();
  private final JdbcDatabase database;
  private final Ledger ledger;
  private final QueryEngine engine;

  /**
   * @param measured names of columns that joins go by
   */
  AskedSide(String url, Connection writer, Policy policy, String measured, Path ledgerFile)
      throws SQLException {
    Metrics metrics =
        new Collector(
                policy,
                RequiredFrequencies.of(policy).and(ColumnNames.parse(measured, policy)),
                Progress.NONE,
                Clock.systemUTC())
            .collect(writer)
            .metrics();
    database =
        JdbcDatabase.open(
            url, policy, Duration.ofMinutes(10), (what, cause) -> log.add(what + ": " + cause));
    ledger = LedgerOpening.file(ledgerFile, Allowances.of(policy), false);
    engine =
        new QueryEngine(
            policy,
            LiveMetrics.vouched(policy, metrics),
            "test",
            database,
            ledger,
            (what, cause) -> log.add(what + ": " + cause),
            Clock.systemUTC());
  }

  /** "answered", the code of a refusal, or what broke, which never may. */
  String outcome(String sql) {
    log.clear();
    try {
      engine.ask(new QueryRequest(sql, OPTIONS, "mallory", Set.of()));
      return "answered";
    } catch (Rejection e) {
      return e.codeName();
    } catch (DatabaseError e) {
      return "broke: " + log;
    }
  }

  /** All that is said of a question before it is asked, at an epsilon that all noise takes. */
  String explained(String sql) {
    try {
      return engine
          .explain(new QueryRequest(sql, OPTIONS.at(BigDecimal.ONE), "mallory", Set.of()))
          .toString();
    } catch (Rejection e) {
      return e.codeName() + " " + e.message() + " " + e.hint();
    }
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
