package flexdp.gateway;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.ThresholdQuery;
import flexdp.gateway.api.ThresholdQuery.ThresholdView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.collect.EnforcedKeys;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.engine.GuardedExecution;
import flexdp.gateway.engine.QueryEngine;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.watch.ThresholdComparison;
import flexdp.gateway.watch.WatchEvaluation;
import flexdp.gateway.watch.Watches;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.Metrics;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.sql.bind.ParameterTypes;
import flexdp.sql.bind.ParameterTypes.Parameter;
import flexdp.sql.parse.SqlParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Private answers about the tables of one policy: the entry for programs, and for the command line
 * and the server of this project.
 *
 * <pre>{@code
 * try (FlexDp flexdp = FlexDp.open(Path.of("rides.yaml"))) {
 *   AnalystView answer = flexdp.ask("SELECT status, COUNT(*) FROM trips GROUP BY status");
 *   answer.rows().forEach(System.out::println);
 * }
 * }</pre>
 *
 * <p>Opening reads the policy, its metrics and its ledger, verifies the ledger and connects to the
 * database. All of it may be used by several threads at once. A program that holds this can spend
 * the budget and, by {@link #metrics}, read what is private: it belongs on the owner's side.
 */
public final class FlexDp implements AutoCloseable {
  private final Setup setup;
  private final Policy policy;
  private final LiveMetrics live;
  private final Database database;
  private final Ledger ledger;
  private final QueryEngine engine;
  private final String state;
  private final ErrorLog log;
  private final LedgerPlace place;
  private final List<String> unenforced;

  private FlexDp(
      Setup setup,
      Policy policy,
      LiveMetrics live,
      Database database,
      Ledger ledger,
      QueryEngine engine,
      String state,
      ErrorLog log,
      LedgerPlace place,
      List<String> unenforced) {
    this.setup = setup;
    this.policy = policy;
    this.live = live;
    this.database = database;
    this.ledger = ledger;
    this.engine = engine;
    this.state = state;
    this.log = log;
    this.place = place;
    this.unenforced = List.copyOf(unenforced);
  }

  /**
   * Opens a policy with its database, metrics and ledger, all where they usually are; {@link Setup}
   * names other places.
   *
   * @throws flexdp.failure.Failure when one of them cannot be used
   */
  public static FlexDp open(Path policy) {
    return Setup.of(policy).open();
  }

  static FlexDp open(Setup setup) {
    PolicyFiles files = new PolicyFiles(setup.policy());
    Policy declared =
        speaking(PolicyReader.read(TextFiles.tree(setup.policy(), Code.BAD_POLICY)), setup);
    ErrorLog log = ErrorLog.file(files.log());
    MetricsFile.Content content = content(setup, declared, files);
    String url =
        setup
            .database()
            .or(declared::database)
            .orElseThrow(
                () ->
                    ConfigurationError.of(
                        Code.BAD_USAGE,
                        "the policy names no database",
                        "Give one: --database jdbc:duckdb:FILE"));
    Database database = JdbcDatabase.open(url, declared, setup.timeout(), setup.patience(), log);
    try {
      Policy policy = EnforcedKeys.counting(declared, content.enforced(), database.catalog());
      boolean answered = !content.released().isEmpty() || !content.metrics().profiles().isEmpty();
      LedgerPlace place = LedgerPlace.of(setup.policy(), setup.ledger());
      LedgerPlace.follow(setup.policy(), setup.ledger(), content.ledger().map(KnownLedger::id));
      Ledger ledger = place.open(Allowances.of(policy), answered, content.ledger());
      try {
        ledger.patience(setup.patience());
        LiveMetrics live =
            LiveMetrics.of(
                policy, content, database.vendor(), database.catalog(), database.version());
        String state = state(setup, policy, content);
        QueryEngine engine =
            new QueryEngine(policy, live, state, database, ledger, log, setup.clock());
        return new FlexDp(
            setup,
            policy,
            live,
            database,
            ledger,
            engine,
            state,
            log,
            place,
            EnforcedKeys.unenforced(declared, database.catalog()));
      } catch (RuntimeException e) {
        ledger.close();
        throw e;
      }
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /** In the dialect that was asked for; another database than the policy's has its own. */
  private static Policy speaking(Policy policy, Setup setup) {
    return setup
        .sqlDialect()
        .or(policy::sqlDialect)
        .or(() -> setup.database().flatMap(InputDialect::ofUrl))
        .map(policy::in)
        .orElse(policy);
  }

  /** A file that was named has to be there; the usual one need not. */
  private static MetricsFile.Content content(Setup setup, Policy policy, PolicyFiles files) {
    Path file = setup.metrics().orElse(files.metrics());
    return setup.metrics().isPresent() || Files.exists(file)
        ? MetricsFile.read(file, policy)
        : MetricsFile.Content.NONE;
  }

  /**
   * The name of the measured state of the data. Another database than the policy's has states of
   * its own, or the answers of one would be given for those of the other.
   */
  private static String state(Setup setup, Policy policy, MetricsFile.Content content) {
    String state = content.state();
    Optional<String> another =
        setup.database().filter(url -> !Optional.of(url).equals(policy.database()));
    return state.equals(MetricsFile.Content.NOT_MEASURED)
        ? state
        : state + another.map(url -> " of " + QueryFingerprint.key(url)).orElse("");
  }

  /** A question at the policy's ε, for which an answer that was released before will do. */
  public QueryRequest question(String sql) {
    return new QueryRequest(sql, QueryOptions.DEFAULT, setup.analyst(), Set.of(), false);
  }

  /** One private answer to {@link #question}, as {@link #ask(QueryRequest)} gives it. */
  public AnalystView ask(String sql) {
    return ask(question(sql));
  }

  /**
   * One private answer.
   *
   * @throws flexdp.failure.Rejection when the question is refused, at no cost
   * @throws flexdp.failure.BudgetError when the budget does not cover it, at no cost
   * @throws flexdp.failure.DatabaseError when the database fails; the question stays charged
   * @throws flexdp.failure.LedgerError when the charge cannot be put on record; nothing was
   *     answered
   */
  public AnalystView ask(QueryRequest request) {
    return ask(request, new CancellationToken());
  }

  /**
   * Answers a question, unless the caller wishes meanwhile that it stop.
   *
   * @throws flexdp.failure.DatabaseError also when it was stopped; the question stays charged if it
   *     had begun
   */
  public AnalystView ask(QueryRequest request, CancellationToken cancellation) {
    return placed(request, some -> engine.ask(some, cancellation));
  }

  /** A question of the owner, who is no analyst; charged to the tables like any other. */
  public AnalystView askAsOwner(QueryRequest request) {
    return engine.askAsOwner(request);
  }

  /**
   * Releases profiles of people: how many rows of each table each of them has, and what they add up
   * to. They stand in the metrics file and the public one from then on, and foretell answers once
   * the policy is opened again.
   *
   * @param request by whom, and at which ε of all those of one kind; its text does not matter
   */
  public List<ContributionProfile> releaseProfiles(QueryRequest request) {
    Path file = setup.metrics().orElse(new PolicyFiles(setup.policy()).metrics());
    return engine.releaseProfiles(
        request,
        drawn -> {
          try {
            MetricsFile.keep(file, drawn, setup.clock().instant());
          } catch (IOException e) {
            throw ConfigurationError.of(Code.BAD_USAGE, "the file " + file + " cannot be written");
          }
        });
  }

  /**
   * The range of a column, found for the owner and charged to the column's table, or its people,
   * like any other question; nothing where no values stand out of the noise.
   *
   * @param request how: its ε, and who is on record
   */
  public Optional<FoundRange> findRange(QueryRequest request, Table table, String column) {
    return engine.findRange(request, table, column);
  }

  /**
   * What an analyst may know before asking; costs nothing and reads public tables at most.
   *
   * @throws flexdp.failure.Rejection when the question would be refused
   */
  public Explanation explain(QueryRequest request) {
    return placed(request, engine::explain);
  }

  /** Whether asking gives an answer again that the analyst has paid for, and so is free. */
  public boolean isFree(QueryRequest request) {
    return engine.isFree(request);
  }

  /**
   * The answers to many statements, at one price.
   *
   * @param request who asks and how; its own text does not matter
   * @throws flexdp.failure.Rejection when one of them is refused, at no cost
   */
  public WorkloadView ask(Workload workload, QueryRequest request) {
    return ask(workload, request, new CancellationToken());
  }

  /**
   * Answers a workload, unless the caller wishes meanwhile that it stop.
   *
   * @throws flexdp.failure.DatabaseError also when it was stopped; it stays charged if it had begun
   */
  public WorkloadView ask(Workload workload, QueryRequest request, CancellationToken cancellation) {
    return engine.ask(workload, request, cancellation);
  }

  /**
   * Which of many numbers are above a threshold, at one price.
   *
   * @param request who asks and how; its own text does not matter
   * @throws flexdp.failure.Rejection when one of them is refused, at no cost
   */
  public ThresholdView ask(Workload workload, QueryRequest request, ThresholdQuery above) {
    return comparing().above().ask(workload, request, above);
  }

  /**
   * What a program of the policy says of rows, with noise.
   *
   * @throws flexdp.failure.Rejection when the program or its rows are refused, at no cost
   */
  public AnalystView ask(ProgramRequest asked) {
    return engine.ask(asked, new CancellationToken());
  }

  /** What an analyst may know of a program's answer before asking; costs nothing. */
  public Explanation explain(ProgramRequest asked) {
    return engine.explain(asked);
  }

  /** Numbers that are compared with a threshold again and again. */
  public Watches watches() {
    return comparing().watches(request -> prepare(request, Map.of(Watches.NOW, Type.TIMESTAMP)));
  }

  private ThresholdComparison comparing() {
    WatchEvaluation evaluation =
        new WatchEvaluation(policy, live, state, database, engine.planning(), engine.rendered());
    return ThresholdComparison.of(evaluation, ledger, log, setup.clock(), place);
  }

  /** What an analyst may know of a workload before asking it; costs nothing. */
  public WorkloadExplanation explain(Workload workload, QueryRequest request) {
    return engine.explain(workload, request);
  }

  /**
   * The columns that an answer will have, without touching the database.
   *
   * @throws flexdp.failure.Rejection when the question would be refused
   */
  public List<DpQuery.ResultColumn> columns(QueryRequest request) {
    return placed(request, engine::columns);
  }

  /** Refusals speak of the text as it was written, with parameters in place of values. */
  private static <T> T placed(QueryRequest request, Function<QueryRequest, T> work) {
    try {
      return work.apply(request);
    } catch (Rejection e) {
      throw request.placed(e);
    }
  }

  /**
   * A question with constants left open, {@code $1} or {@code :name}: whether it is accepted, its
   * columns and the types of its parameters, without touching data.
   *
   * @throws flexdp.failure.Rejection when the question would be refused
   */
  public ParameterizedQuery prepare(String sql) {
    return prepare(question(sql), Map.of());
  }

  /**
   * Prepares a question that has choices of its own.
   *
   * @param declared types of parameters that the caller has decided, by name or number
   */
  public ParameterizedQuery prepare(QueryRequest request, Map<String, Type> declared) {
    return GuardedExecution.over(
        request.sql(),
        database.timeout(),
        new CancellationToken(),
        () -> prepared(request, declared));
  }

  private ParameterizedQuery prepared(QueryRequest request, Map<String, Type> declared) {
    List<Parameter> parameters =
        ParameterTypes.of(
            SqlParameters.of(request.sql(), policy.dialect()),
            declared,
            policy,
            LocalDateTime.now(setup.clock()));
    Map<String, Object> samples = new HashMap<>();
    parameters.forEach(parameter -> samples.put(parameter.name(), parameter.sample()));
    return new ParameterizedQuery(
        request,
        policy.dialect(),
        parameters,
        columns(request.with(samples::get, policy.dialect())));
  }

  /** A question with the values of its parameters, texts being read as what is wanted. */
  public QueryRequest parse(QueryRequest request, Map<String, ?> values) {
    return prepare(request, Map.of()).parse(values);
  }

  /** Warnings to show with answers, such as that released metrics are outdated; empty if none. */
  public String note() {
    return engine.note();
  }

  /** For the owner: the declared keys that the database does not keep unique, in words. */
  public List<String> unenforced() {
    return unenforced;
  }

  /**
   * What the owner decided; nothing in it is secret. Of the keys those that count: kept unique by
   * the database, or vouched for.
   */
  public Policy policy() {
    return policy;
  }

  /**
   * Whether what the database rests on, such as its file, is what it was when it was opened. Where
   * it is not, questions are refused until this is closed and opened again.
   */
  public boolean stands() {
    return database.stands();
  }

  /** Whether the database can be reached, without asking it anything about the data. */
  public boolean isReachable() {
    return database.isReachable();
  }

  /** What was charged, and what is left. */
  public Ledger ledger() {
    return ledger;
  }

  /** When the data were measured, where the file says so; servers of one ledger should agree. */
  public Optional<Instant> measured() {
    return MetricsFile.measured(setup.metrics().orElse(new PolicyFiles(setup.policy()).metrics()));
  }

  /** What is known of the data. Private: for the owner alone. */
  public Metrics metrics() {
    return live.metrics();
  }

  /** What the owner reads while it runs: private numbers, as text. */
  public AdminJson desk() {
    return new AdminJson(
        policy,
        live,
        setup.metrics().orElse(new PolicyFiles(setup.policy()).metrics()),
        setup.clock());
  }

  @Override
  public void close() {
    ledger.close();
    database.close();
  }
}
