package flexdp.gateway.hostile;

import flexdp.Analyzer;
import flexdp.budget.Allowances;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerOpening;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.gateway.watch.ThresholdComparison;
import flexdp.gateway.watch.WatchEvaluation;
import flexdp.marginals.StrategyChoice;
import flexdp.metrics.Metrics;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.sensitivity.MonotoneDirection;
import flexdp.sensitivity.Sensitivity;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** One of two neighbours: its database, what was measured there, and a gateway in front of it. */
final class Side implements AutoCloseable {
  /** So large that noise is much smaller than what a row may change. */
  static final BigDecimal EPSILON = BigDecimal.valueOf(1000);

  private static final QueryOptions OPTIONS =
      new QueryOptions(
          MechanismChoice.AUTO, Optional.of(EPSILON), Optional.empty(), Optional.empty());
  private static final Instant NOW = Instant.parse("2024-07-01T12:00:00Z");

  private final List<String> log = new ArrayList<>();
  private final Policy policy;
  private final Path folder;
  private final Connection writer;
  private final JdbcDatabase database;
  private final Ledger ledger;
  private final QueryEngine engine;
  private final Analyzer analyzer;
  private final Metrics metrics;
  private final HostileComparisons comparisons;
  private final String proposal;

  Side(TestBed ground, int side, HostileTables tables, Policy policy)
      throws SQLException, IOException {
    this(ground, side, tables, side, policy, measured -> measured);
  }

  /**
   * @param rows which of the neighbours' rows it has
   * @param known what it takes for measured
   */
  Side(
      TestBed ground,
      int side,
      HostileTables tables,
      int rows,
      Policy policy,
      UnaryOperator<Metrics> known)
      throws SQLException, IOException {
    this.policy = policy;
    proposal = HostilePolicy.proposal(tables.columns());
    ErrorLog owner = (what, cause) -> log.add(what + ": " + cause);
    writer = ground.writer(side);
    create(writer, ground, tables, rows, policy);
    metrics =
        known.apply(
            new Collector(
                    policy,
                    HostilePolicy.wanted(policy, tables.columns()),
                    Progress.NONE,
                    Clock.systemUTC())
                .collect(writer)
                .metrics());
    database = ground.open(side, writer, policy, owner);
    folder = Files.createTempDirectory("hostile");
    ledger = LedgerOpening.file(folder.resolve("hostile.ledger"), Allowances.of(policy), false);
    LiveMetrics live = LiveMetrics.vouched(policy, metrics);
    Clock clock = Clock.fixed(NOW, ZoneOffset.UTC);
    engine = new QueryEngine(policy, live, "hostile", database, ledger, owner, clock);
    LedgerPlace place = LedgerPlace.of(folder.resolve("hostile.yaml"), Optional.empty());
    comparisons =
        new HostileComparisons(
            policy,
            engine,
            ThresholdComparison.of(
                new WatchEvaluation(
                    policy, live, "hostile", database, engine.planning(), engine.rendered()),
                ledger,
                owner,
                clock,
                place));
    analyzer = new Analyzer(policy, metrics, LocalDateTime.ofInstant(NOW, ZoneOffset.UTC));
  }

  static void create(
      Connection writer, TestBed ground, HostileTables tables, int side, Policy policy)
      throws SQLException {
    try (Statement statement = writer.createStatement()) {
      for (int t = 0; t < HostileTables.NAMES.size(); t++) {
        String name = HostileTables.NAMES.get(t);
        Table table = policy.table(name).orElseThrow();
        StringBuilder create = new StringBuilder("CREATE TABLE " + name + " (id " + ground.key());
        tables
            .columns()
            .forEach(c -> create.append(", " + c.name() + " " + c.physical() + kept(table, c)));
        statement.execute(create.append(")").toString());
        List<String> rows = new ArrayList<>();
        tables.rows(t, side).forEach(row -> rows.add("(" + String.join(", ", row) + ")"));
        if (table.uniqueKeys().size() > 1) {
          insertOneByOne(writer, name, rows, tables.changed() == t ? tables.own(side) : 0);
        } else if (!rows.isEmpty()) {
          statement.execute("INSERT INTO " + name + " VALUES " + String.join(", ", rows));
        }
      }
    }
  }

  /** What the database sees to where the policy declares a key. */
  private static String kept(Table table, HostileColumn column) {
    return table.uniqueKeys().contains(Set.of(column.name()))
        ? (table.column(column.name()).orElseThrow().nullable() ? " UNIQUE" : " NOT NULL UNIQUE")
        : "";
  }

  /** Rows that the database refuses are not there; those of one side alone come last. */
  private static void insertOneByOne(Connection writer, String name, List<String> rows, int own) {
    List<String> ordered = new ArrayList<>(rows.subList(own, rows.size()));
    ordered.addAll(rows.subList(0, own));
    for (String row : ordered) {
      try (Statement statement = writer.createStatement()) {
        statement.execute("INSERT INTO " + name + " VALUES " + row);
      } catch (SQLException e) {
        // Its key was there before, or is missing.
      }
    }
  }

  Plan plan(String sql) {
    return analyzer.plan(sql, OPTIONS.analysis());
  }

  /** What is read of a question before there is noise. */
  ExactResults unnoised(String sql) {
    Plan plan = plan(sql);
    RenderedStatements rendered = new RenderedStatements(database);
    return ExactResults.read(
        policy, plan, ExactResults.labels(policy, plan, database, rendered), database, rendered);
  }

  /** In which part the row with a key is, unless the database keeps a key that it breaks. */
  Optional<String> part(Table table, ColumnSpec column, String part, String key) {
    String value = database.catalog().column(table, column);
    try (Statement statement = writer.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COALESCE("
                    + part.formatted(value)
                    + ", 'NULL') FROM "
                    + table.name()
                    + " WHERE id = "
                    + key)) {
      return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Which way a number goes when something is added, as watches rely on it. */
  MonotoneDirection direction(PlannedMeasurement planned, Neighbors neighbors) {
    return Sensitivity.direction(planned.release(), planned.measurement(), metrics, neighbors);
  }

  /** Compared with what is far below it, at once or by a watch. */
  Outcome compared(String sql, boolean watched) {
    return outcome(() -> watched ? comparisons.watched(sql) : comparisons.above(sql));
  }

  /** Many questions at one price; what went wrong with one of them went wrong with all. */
  List<Outcome> together(List<String> statements, StrategyChoice strategy) {
    List<Outcome> outcomes = new ArrayList<>();
    Outcome whole =
        outcome(
            () -> {
              outcomes.addAll(comparisons.together(statements, strategy));
              return outcomes.getFirst();
            });
    return whole.answered() ? outcomes : List.of(whole);
  }

  Outcome explained(String sql) {
    return outcome(
        () -> {
          engine.explain(ask(sql));
          return new Outcome(Outcome.ANSWERED, List.of(), List.of(), "");
        });
  }

  /** All that is said of a question beside its numbers: before it is asked, and after. */
  String said(String sql, QueryOptions options) {
    QueryRequest request = new QueryRequest(sql, options, "mallory", Set.of()).withIntervals(true);
    Outcome before =
        outcome(
            () ->
                new Outcome(
                    Outcome.ANSWERED, List.of(engine.explain(request) + ""), List.of(), ""));
    Outcome after =
        outcome(
            () -> {
              AnalystView view = engine.ask(request);
              List<String> said = new ArrayList<>();
              view.columns().forEach(column -> said.add(column.toString()));
              said.add(view.epsilon() + " " + view.delta() + " " + view.mechanism());
              said.add(view.intervalNote() + view.derived() + view.leftOut() + view.rho());
              return new Outcome(Outcome.ANSWERED, said, List.of(), "");
            });
    return before + "\n" + after;
  }

  Outcome asked(String sql) {
    return outcome(
        () -> {
          AnalystView view = engine.ask(ask(sql));
          List<String> names = view.columns().stream().map(c -> c.column().name()).toList();
          return new Outcome(Outcome.ANSWERED, names, view.rows(), "");
        });
  }

  /** With everything proposed that noise may rest on. */
  Outcome proposed(String sql) {
    return outcome(
        () -> {
          QueryOptions guessing = OPTIONS.proposing(Optional.of(proposal));
          AnalystView view = engine.ask(new QueryRequest(sql, guessing, "mallory", Set.of()));
          List<String> names = view.columns().stream().map(c -> c.column().name()).toList();
          return new Outcome(Outcome.ANSWERED, names, view.rows(), "");
        });
  }

  /** A program over rows, which is only explained. */
  Outcome explained(ProgramRequest program) {
    return outcome(
        () -> {
          engine.explain(program);
          return new Outcome(Outcome.ANSWERED, List.of(), List.of(), "");
        });
  }

  /** A program over rows. */
  Outcome asked(ProgramRequest program) {
    return outcome(
        () -> {
          AnalystView view = engine.ask(program, new CancellationToken());
          List<String> names = view.columns().stream().map(c -> c.column().name()).toList();
          return new Outcome(Outcome.ANSWERED, names, view.rows(), "");
        });
  }

  JdbcDatabase database() {
    return database;
  }

  /** As the gateway knows them. */
  Metrics metrics() {
    return metrics;
  }

  static QueryRequest ask(String sql) {
    return new QueryRequest(sql, OPTIONS, "mallory", Set.of());
  }

  private Outcome outcome(java.util.function.Supplier<Outcome> asking) {
    log.clear();
    try {
      return asking.get();
    } catch (Rejection e) {
      return Outcome.failed(e.codeName(), e.message());
    } catch (Failure e) {
      return Outcome.failed("broke with " + e.codeName(), e.message() + " " + log);
    } catch (RuntimeException | StackOverflowError e) {
      return Outcome.failed("broke with " + e.getClass().getSimpleName(), e + " " + log);
    }
  }

  @Override
  public void close() throws SQLException, IOException {
    ledger.close();
    database.close();
    writer.close();
    try (java.util.stream.Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
