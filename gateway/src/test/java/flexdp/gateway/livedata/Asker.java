package flexdp.gateway.livedata;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.livedata.LiveMetrics.Refresh;
import flexdp.plan.Plan;
import flexdp.plan.PlanRequest;
import flexdp.plan.Planner;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks questions as far as their bound, and listens to what is read for it. */
final class Asker {
  /**
   * What became of a question.
   *
   * @param truth what another statement told in the same state
   * @param statements what was read for the bound
   * @param released whether released metrics of t may be used
   */
  record Asked(BigInteger bound, long truth, List<String> statements, boolean released) {
    boolean usedNotes() {
      return statements.stream()
          .anyMatch(sql -> sql.contains("AS noted") && !sql.contains("flexdp_sum"));
    }
  }

  private final Policy policy;
  private final Database database;
  private final LiveMetrics live;

  Asker(Policy policy, MetricsFile.Content content, Database database) {
    this.policy = policy;
    this.database = database;
    this.live =
        LiveMetrics.of(policy, content, database.vendor(), database.catalog(), database.version());
  }

  /** How the plan of a question is made to hold. */
  static Refresh plan(Policy policy, LiveMetrics live, String sql) {
    AnalysisOptions options = AnalysisOptions.DEFAULT;
    Plan plan = new Analyzer(policy, live.metrics(), LocalDateTime.MIN).plan(sql, options);
    PlanRequest request =
        new PlanRequest(
            options.rules(), options.mechanism(), BigDecimal.ONE, new BigDecimal("1e-9"));
    return live.refresh(plan, some -> Planner.plan(plan.query(), policy, some, request));
  }

  Asked ask(String sql, String truth) {
    Refresh refresh = plan(policy, live, sql);
    List<String> statements = new ArrayList<>();
    try (Session session = database.session()) {
      Plan current = refresh.in(listened(session, statements));
      long[] true1 = {0};
      session.run(truth, row -> true1[0] = row.getLong(1));
      return new Asked(
          current.measurements().getFirst().bound().atZero(),
          true1[0],
          statements,
          live.metrics().released("t").isPresent());
    }
  }

  private static Session listened(Session session, List<String> statements) {
    return new Session() {
      @Override
      public void run(String text, RowReader reader) {
        statements.add(text);
        session.run(text, reader);
      }

      @Override
      public Optional<BigDecimal> number(ResultSet row, int index) {
        return session.number(row, index);
      }

      @Override
      public CellReader value(ResultSet row, int index, Type type) {
        return session.value(row, index, type);
      }

      @Override
      public void close() {}
    };
  }
}
