package flexdp.gateway.engine;

import flexdp.Analyzer;
import flexdp.decompose.Caveats;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.cache.AnswerCache;
import flexdp.gateway.cache.CacheHit;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.ledger.BudgetExhausted;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.Accuracy;
import flexdp.gateway.prepare.MarginalsPlanning;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.program.ProgramPlanning;
import flexdp.gateway.program.ProgramPlanning.PlannedProgram;
import flexdp.gateway.program.ProgramReading;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.Metrics;
import flexdp.noise.BitSource;
import flexdp.noise.SecureBits;
import flexdp.plan.Plan;
import flexdp.plan.ProposalTest;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.release.ReleasePlan;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Answers questions: bind, analyse, reserve, execute, add noise, settle, return, in this order.
 * Nothing leaves before the charge is on record, and a question that fails after that stays
 * charged.
 */
public final class QueryEngine {
  private final Policy policy;
  private final LiveMetrics live;
  private final Metrics metrics;
  private final Database database;
  private final Charging charging;
  private final Planning planning;
  private final AnswerCache cache;
  private final CachedAnswerReplay again;
  private final Supplier<LocalDateTime> now;
  private final MarginalsPlanning marginals;
  private final RenderedStatements rendered;
  private final Preparation preparation;
  private final ReleaseLoop releaseLoop;
  private final ProposalConfirmation confirming;

  /**
   * @param live what is known of the data, now and when they were measured
   * @param snapshot the state of the data that the metrics were measured at
   */
  public QueryEngine(
      Policy policy,
      LiveMetrics live,
      String snapshot,
      Database database,
      Ledger ledger,
      ErrorLog log,
      Clock clock) {
    this(policy, live, snapshot, database, ledger, log, clock, SecureBits::new);
  }

  /** For tests, which replay noise. */
  QueryEngine(
      Policy policy,
      LiveMetrics live,
      String snapshot,
      Database database,
      Ledger ledger,
      ErrorLog log,
      Clock clock,
      Supplier<BitSource> bits) {
    this.policy = policy;
    this.live = live;
    this.metrics = live.metrics();
    this.database = database;
    this.charging = new Charging(ledger, log);
    this.now = () -> LocalDateTime.ofInstant(clock.instant(), clock.getZone());
    this.planning = new Planning(policy, metrics, new Analyzer(policy, metrics, now));
    this.rendered = new RenderedStatements(database);
    this.marginals = new MarginalsPlanning(live.settled(), database.catalog()::isNeverNull);
    this.releaseLoop =
        new ReleaseLoop(rendered, InstalledSolver::find, policy.privacy().thresholding(), bits);
    this.cache = new AnswerCache(ledger, snapshot, policy, live, database, clock);
    this.preparation = new Preparation(policy, live, planning, marginals, releaseLoop, snapshot);
    this.again = new CachedAnswerReplay(cache, preparation, charging);
    this.confirming = new ProposalConfirmation(preparation, charging, bits);
    ledger.bind(database.identities());
    live.follow(database.vendor(), database.identities(), ledger::bind);
    OwnerAccounts.require(policy, ledger);
  }

  // Few questions need these, which keep nothing between two of them.

  private RangeFinding finding() {
    return new RangeFinding(planning, preparation, releaseLoop, rendered, charging, live, database);
  }

  private ProfileRelease profiling() {
    return new ProfileRelease(policy, planning, preparation, releaseLoop, charging);
  }

  private WorkloadAnswers workloads() {
    return new WorkloadAnswers(
        planning, marginals, rendered, releaseLoop, preparation, cache, charging, metrics);
  }

  private ProgramPlanning programs() {
    return new ProgramPlanning(policy, metrics, planning, now);
  }

  /**
   * One private answer.
   *
   * @throws Rejection when the question is refused, at no cost
   * @throws flexdp.failure.BudgetError when the budget does not cover it, at no cost
   * @throws DatabaseError when the database fails; the question stays charged
   */
  public AnalystView ask(QueryRequest question) {
    return ask(question, new CancellationToken());
  }

  /**
   * Answers a question, unless the caller wishes meanwhile that it stop.
   *
   * @throws DatabaseError also when it was stopped; the question stays charged if it had begun
   */
  public AnalystView ask(QueryRequest question, CancellationToken cancellation) {
    AnalystAccess.require(policy, question.analyst());
    return guarded(question.sql(), cancellation, () -> answer(question, cancellation));
  }

  private AnalystView answer(QueryRequest question, CancellationToken cancellation) {
    Plan plan;
    try {
      plan = plan(question);
    } catch (Rejection e) {
      RangeFinding rangeFinding = finding();
      return rangeFinding.answer(
          question, rangeFinding.ready(question, e, cancellation), parts(cancellation));
    }
    if (question.within().isEmpty() || question.options().propose().isPresent()) {
      return answer(question, plan, true, Optional.empty(), cancellation);
    }
    Accuracy accuracy = accuracy(question);
    try {
      QueryRequest bought = question.at(accuracy.epsilon());
      return answer(bought, plan(bought), false, Optional.empty(), cancellation);
    } catch (BudgetExhausted e) {
      throw accuracy.possible(e);
    }
  }

  /** Answers the owner, whom no policy lists among analysts; charged like anybody else. */
  public AnalystView askAsOwner(QueryRequest question) {
    CancellationToken cancellation = new CancellationToken();
    return guarded(
        question.sql(),
        cancellation,
        () -> answer(question, plan(question), true, Optional.empty(), cancellation));
  }

  /**
   * Releases profiles of people, charged to them.
   *
   * @param ask by whom, and at which ε of all those of one kind; its text does not matter
   * @param keep is told them while they are charged, and has kept them when it returns
   */
  public List<ContributionProfile> releaseProfiles(
      QueryRequest ask, Consumer<List<ContributionProfile>> keep) {
    CancellationToken cancellation = new CancellationToken();
    return guarded(
        "",
        cancellation,
        () -> {
          List<ContributionProfile> released = new ArrayList<>();
          ProfileRelease profiling = profiling();
          for (String kind : profiling.kinds(ask)) {
            try (SnapshotGuard guard = live.footing(database, cancellation)) {
              released.addAll(profiling.release(kind, ask, guard, keep));
            }
          }
          return released;
        });
  }

  /**
   * The range of a column, found for the owner and charged like any other question; nothing where
   * no values stand out of the noise.
   */
  public Optional<FoundRange> findRange(QueryRequest ask, Table table, String column) {
    CancellationToken cancellation = new CancellationToken();
    String what = table.name() + "." + column;
    return guarded(
        what,
        cancellation,
        () -> finding().alone(ask.about(what), table, column, parts(cancellation), cancellation));
  }

  /** What a program says of rows, with noise. */
  public AnalystView ask(ProgramRequest asked, CancellationToken cancellation) {
    AnalystAccess.require(policy, asked.request().analyst());
    return guarded(
        asked.request().sql(),
        cancellation,
        () -> {
          PlannedProgram program = programs().plan(asked);
          return answer(
              program.request(),
              program.plan(),
              true,
              Optional.of(program.reading()),
              cancellation);
        });
  }

  private RangeFinding.Answers parts(CancellationToken cancellation) {
    return (ask, plan, sums, before) ->
        answer(ask, plan, sums, Optional.empty(), cancellation, before);
  }

  private AnalystView answer(
      QueryRequest ask,
      Plan plan,
      boolean sums,
      Optional<ProgramReading> program,
      CancellationToken cancellation) {
    return answer(ask, plan, sums, program, cancellation, () -> {});
  }

  /**
   * @param sums whether sums of released bins, which have more noise, will do
   * @param before done before anything is charged, and not at all if nothing is
   */
  private AnalystView answer(
      QueryRequest ask,
      Plan plan,
      boolean sums,
      Optional<ProgramReading> program,
      CancellationToken cancellation,
      Runnable before) {
    try (SnapshotGuard guard = live.footing(database, cancellation).needs(plan)) {
      Read read = guard.steady(() -> read(ask, plan, guard));
      if (read.view().isPresent()) {
        return read.view().get();
      }
      PreparedQuery prepared = read.prepared();
      DpQuery query = plan.query();
      Optional<CacheHit> found = again.find(ask, plan, prepared);
      if (found.isPresent()) {
        Optional<AnalystView> given =
            found
                .filter(f -> sums || f.isAsNarrowAs(prepared))
                .flatMap(f -> again.give(ask, prepared, read.execution(), f, guard, said(query)));
        if (given.isPresent()) {
          return given.get();
        }
        preparation.check(plan);
      }
      AnswerForecast forecast =
          program.isPresent()
              ? AnswerForecast.NONE
              : guard.steady(
                  () -> AnswerForecast.of(prepared, metrics, read.execution()::publicRows));
      forecast.require(query, ask.options().noiseLimit());
      releaseLoop.rehearse(prepared);
      if (ProposalTest.of(prepared.plan()).isPresent()) {
        guard.keep(); // what was confirmed of one state holds in no other
      } else {
        guard.require();
      }
      before.run();
      Map<Integer, String> meanings = cache.meanings(query);
      ProposalConfirmation.Confirmed confirmed =
          confirming.confirm(
              ask,
              prepared,
              preparation.refresh(ask, prepared.plan()),
              guard,
              Set.copyOf(meanings.values()));
      ChargeRequest request =
          preparation.request(ask, prepared.mechanism(), prepared.tables(), confirmed.cost());
      return charging.charged(
          request
              .measuring(Set.copyOf(meanings.values()))
              .reading(QueryPartitions.of(prepared.plan())),
          course -> {
            Told told =
                guard.steady(
                    () -> {
                      StatementExecution execution = read.execution().branch();
                      Plan fresh = confirmed.refresh().in(guard);
                      PreparedQuery current =
                          fresh == prepared.plan()
                              ? prepared
                              : prepared.with(
                                  fresh, preparation.errors(fresh, prepared.releases()));
                      List<String> how = new ArrayList<>();
                      ReleaseLoop.Made made =
                          releaseLoop.release(
                              current,
                              guard,
                              point -> course.measures(meanings.get(point)),
                              how::add,
                              program);
                      PreparedQuery known =
                          current.with(
                              current.plan(),
                              current.errors().and(made.noise(), made.fits(), query));
                      List<String> notes = said(query);
                      notes.addAll(how);
                      return new Told(
                          AnswerViews.of(
                                  ask,
                                  known,
                                  execution,
                                  made.rows(),
                                  known.epsilon(),
                                  known.delta(),
                                  false)
                              .spending(preparation.rho(ask, known.cost()))
                              .noted(notes)
                              .capped(made.caps())
                              .foretold(forecast.notes(query)),
                          cache.released(
                              ask, query, known, made.rows(), made.drawn(), how, made.caps()));
                    });
            course.releases(told.released());
            return told.view();
          });
    }
  }

  /**
   * What is read before anything is charged.
   *
   * @param view the answer, where it is one from public tables alone
   */
  private record Read(
      PreparedQuery prepared, StatementExecution execution, Optional<AnalystView> view) {}

  /** What is said of a question, whoever answers it and when. */
  private List<String> said(DpQuery query) {
    List<String> notes = new ArrayList<>(Caveats.of(query));
    notes.addAll(ReadNotes.of(query, database.catalog()));
    return notes;
  }

  /** An answer, and what of it is put on record. */
  private record Told(AnalystView view, List<ReleasedAnswer> released) {}

  private Read read(QueryRequest ask, Plan plan, SnapshotGuard guard) {
    StatementExecution execution = new StatementExecution(guard, rendered.renderer());
    PreparedQuery prepared = preparation.prepare(ask, plan, execution);
    if (!prepared.plan().measurements().isEmpty()) {
      return new Read(prepared, execution, Optional.empty());
    }
    preparation.check(plan);
    Map<Integer, RowTable> released =
        releaseLoop.release(prepared, guard, point -> {}, note -> {}, Optional.empty()).rows();
    return new Read(
        prepared,
        execution,
        Optional.of(
            AnswerViews.of(
                ask, prepared, execution, released, BigDecimal.ZERO, BigDecimal.ZERO, false)));
  }

  /**
   * The answers to a workload, at one price.
   *
   * @param ask how it is asked; its text does not matter
   * @throws Rejection when a statement is refused, at no cost
   */
  public WorkloadView ask(Workload workload, QueryRequest ask) {
    return ask(workload, ask, new CancellationToken());
  }

  /** Answers a workload, unless the caller wishes meanwhile that it stop. */
  public WorkloadView ask(Workload workload, QueryRequest ask, CancellationToken cancellation) {
    AnalystAccess.require(policy, ask.analyst());
    return guarded(
        workload,
        cancellation,
        () -> {
          try (SnapshotGuard guard = live.footing(database, cancellation)) {
            return workloads().answer(workload, ask, guard);
          }
        });
  }

  private <T> T guarded(String sql, CancellationToken cancellation, Supplier<T> work) {
    return GuardedExecution.over(sql, database.timeout(), cancellation, work);
  }

  /** Each of the statements has its time. */
  private <T> T guarded(Workload workload, CancellationToken cancellation, Supplier<T> work) {
    String longest =
        workload.statements().stream()
            .map(Workload.Statement::sql)
            .max(Comparator.comparingInt(String::length))
            .orElse("");
    int count = Math.max(1, workload.statements().size());
    return GuardedExecution.over(
        longest, database.timeout().multipliedBy(count), cancellation, work);
  }

  /** What an analyst may know of a workload before asking it. */
  public WorkloadExplanation explain(Workload workload, QueryRequest ask) {
    CancellationToken cancellation = new CancellationToken();
    return guarded(
        workload,
        cancellation,
        () -> {
          try (SnapshotGuard guard = live.footing(database, cancellation)) {
            return workloads().explain(workload, ask, guard);
          }
        });
  }

  /**
   * What an analyst may know before asking; costs nothing and reads public tables at most.
   *
   * @throws Rejection when the question would be refused
   */
  public Explanation explain(QueryRequest question) {
    CancellationToken cancellation = new CancellationToken();
    return guarded(
        question.sql(),
        cancellation,
        () -> {
          Plan plan;
          try {
            plan = plan(question);
          } catch (Rejection e) {
            return explained(question, finding().ready(question, e, cancellation), cancellation);
          }
          if (question.within().isEmpty()) {
            return explain(question, plan, false, cancellation);
          }
          QueryRequest ask = question.at(accuracy(question).epsilon());
          return explain(ask, plan(ask), false, cancellation);
        });
  }

  /** How wrong the answer will be is not known before its ranges are. */
  private Explanation explained(
      QueryRequest ask, RangeFinding.Ready ready, CancellationToken cancellation) {
    Explanation widest =
        explain(ready.search().answering(), ready.widest().plan(), true, cancellation);
    return RangeFinding.explained(widest, planning.epsilon(ask), ready);
  }

  /** Explains a program. */
  public Explanation explain(ProgramRequest asked) {
    CancellationToken cancellation = new CancellationToken();
    return guarded(
        asked.request().sql(),
        cancellation,
        () -> {
          PlannedProgram program = programs().plan(asked);
          return explain(program.request(), program.plan(), true, cancellation);
        });
  }

  private Explanation explain(
      QueryRequest ask, Plan plan, boolean program, CancellationToken cancellation) {
    try (SnapshotGuard guard = live.footing(database, cancellation).needs(plan)) {
      StatementExecution execution = new StatementExecution(guard, rendered.renderer());
      // What asking would refuse, explaining refuses too.
      Map<Integer, Optional<List<List<Object>>>> labels =
          guard.steady(() -> preparation.labels(plan, execution));
      preparation.check(plan);
      Plan shown = preparation.answerable(ask, plan, labels);
      preparation.refresh(ask, shown);
      List<ReleasePlan> made = preparation.releases(ask, shown, labels);
      AnswerForecast forecast = AnswerForecast.NONE;
      if (shown.isAnswerable()) {
        PreparedQuery prepared = preparation.prepared(ask, shown, labels, made);
        releaseLoop.rehearse(prepared);
        if (!program) {
          forecast =
              guard.steady(() -> AnswerForecast.of(prepared, metrics, execution::publicRows));
        }
      }
      requireQuiet(ask, shown, forecast);
      return new Explainer(policy, metrics)
          .explain(
              shown,
              made,
              preparation.epsilon(ask, shown, made),
              preparation.errors(shown, made),
              forecast);
    }
  }

  /** An answer that is free is given, however noisy. */
  private void requireQuiet(QueryRequest ask, Plan plan, AnswerForecast forecast) {
    try {
      forecast.require(plan.query(), ask.options().noiseLimit());
    } catch (Rejection e) {
      if (ask.fresh() || paid(ask).isEmpty()) {
        throw e;
      }
    }
  }

  /**
   * The columns that an answer will have, without touching the database.
   *
   * @throws Rejection when the question would be refused
   */
  public List<DpQuery.ResultColumn> columns(QueryRequest question) {
    try {
      return plan(question).query().columns();
    } catch (Rejection e) {
      return guarded(question.sql(), new CancellationToken(), () -> finding().columns(question, e));
    }
  }

  /** How questions are planned; whoever plans others shares what is kept there. */
  public Planning planning() {
    return planning;
  }

  /** The statements of questions that were asked lately. */
  public RenderedStatements rendered() {
    return rendered;
  }

  /** Warnings to show with answers, such as that released metrics are outdated; empty if none. */
  public String note() {
    return Planning.outdated(live.outdated());
  }

  /** The plan of a question, without touching the database. */
  public Plan plan(QueryRequest ask) {
    return guarded(ask.sql(), new CancellationToken(), () -> planning.alone(ask));
  }

  /** The least ε with which a question is answered within the error that it names. */
  private Accuracy accuracy(QueryRequest ask) {
    Plan plan = plan(ask);
    List<List<Object>> rows =
        ask.within().orElseThrow().relative() ? earlier(ask.orRepeat()) : List.of();
    return new Accuracy(
        ask,
        plan,
        metrics,
        rows,
        some -> planning.planned(ask.at(some), plan.query(), metrics),
        policy.privacy().epsilon());
  }

  /** The rows of an answer to the same question that the analyst has paid for, if there is one. */
  private List<List<Object>> earlier(QueryRequest ask) {
    return paid(ask.at(Accuracy.LEAST)).map(AnalystView::rows).orElse(List.of());
  }

  /** Whether asking gives an answer again that the analyst has paid for, and so is free. */
  public boolean isFree(QueryRequest ask) {
    return !ask.fresh()
        && ask.within().isEmpty()
        && guarded(ask.sql(), new CancellationToken(), () -> paid(ask).isPresent());
  }

  private Optional<AnalystView> paid(QueryRequest ask) {
    Plan plan;
    try {
      plan = plan(ask);
    } catch (Rejection e) {
      return Optional.empty(); // no mechanism is that cheap
    }
    try (SnapshotGuard guard = live.footing(database, new CancellationToken()).needs(plan)) {
      return guard.steady(
          () -> {
            StatementExecution execution = new StatementExecution(guard, rendered.renderer());
            PreparedQuery prepared = preparation.prepare(ask, plan, execution);
            return again
                .find(ask, plan, prepared)
                .filter(CacheHit::own)
                .map(
                    f ->
                        AnswerViews.of(
                            ask,
                            prepared,
                            execution,
                            f.rows(),
                            BigDecimal.ZERO,
                            BigDecimal.ZERO,
                            true));
          });
    } catch (Rejection e) {
      return Optional.empty(); // no mechanism is that cheap
    }
  }
}
