package flexdp.gateway.engine;

import flexdp.budget.Cost;
import flexdp.decompose.QueryWithIntervals;
import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import flexdp.gateway.cache.AnswerCache;
import flexdp.gateway.cache.CacheHit;
import flexdp.gateway.database.Session;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.livedata.LiveMetrics.Refresh;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.MarginalsPlanning;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.MeasurementStrategy;
import flexdp.marginals.StrategyChoice;
import flexdp.marginals.WorkloadGroup;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ErrorModel;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.release.ContributionCap;
import flexdp.release.RowTable;
import flexdp.workload.BudgetNorm;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Answers the statements of a workload at one price: ε is shared by their measurements evenly, and
 * those about the same rows put their shares together.
 */
final class WorkloadAnswers {
  private static final String TOGETHER = "estimated together with other statements";
  private static final MathContext UP = new MathContext(40, RoundingMode.UP);
  private static final MathContext SHARE = new MathContext(30, RoundingMode.FLOOR);

  private final Planning planning;
  private final MarginalsPlanning marginals;
  private final RenderedStatements rendered;
  private final ReleaseLoop releaseLoop;
  private final Preparation preparation;
  private final AnswerCache cache;
  private final Charging charging;
  private final Metrics metrics;

  /**
   * @param metrics of which the released ones foretell answers
   */
  WorkloadAnswers(
      Planning planning,
      MarginalsPlanning marginals,
      RenderedStatements rendered,
      ReleaseLoop releaseLoop,
      Preparation preparation,
      AnswerCache cache,
      Charging charging,
      Metrics metrics) {
    this.metrics = metrics;
    this.planning = planning;
    this.marginals = marginals;
    this.rendered = rendered;
    this.releaseLoop = releaseLoop;
    this.preparation = preparation;
    this.cache = cache;
    this.charging = charging;
  }

  /** Statements that were prepared, and what was read of public tables for it. */
  private record Read(PreparedWorkload joined, StatementExecution execution) {}

  /** Prepared and put together; refused as a whole when one statement is. */
  private Read joined(Workload workload, QueryRequest ask, SnapshotGuard guard) {
    if (ask.options().propose().isPresent()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST, "proposals are for one question at a time");
    }
    if (ask.options().noiseLimit().isPresent()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST,
          "a noise limit is for one question at a time",
          "Explaining the statements says which of them will be noise.");
    }
    List<Plan> plans = new ArrayList<>();
    int measurements = 0;
    for (int i = 0; i < workload.statements().size(); i++) {
      Plan plan = placed(workload, i, sql -> planning.plan(ask.about(sql)));
      plans.add(plan);
      measurements += plan.measurements().size();
      guard.needs(plan);
    }
    StatementExecution execution = new StatementExecution(guard, rendered.renderer());
    boolean squares = planning.bySquares(ask);
    BigDecimal each = planning.epsilon(ask).divide(parts(measurements, squares), SHARE);
    BigDecimal delta =
        planning.delta(ask).divide(BigDecimal.valueOf(Math.max(1, measurements)), SHARE);
    List<PreparedWorkload.One> statements = new ArrayList<>();
    for (int i = 0; i < plans.size(); i++) {
      Plan plan = plans.get(i);
      double weight = workload.statements().get(i).weight();
      int own = Math.max(1, plan.measurements().size());
      statements.add(
          placed(
              workload,
              i,
              sql -> {
                QueryRequest one =
                    ask.about(sql)
                        .at(each.multiply(parts(own, squares)).round(SHARE))
                        .withDelta(delta.multiply(BigDecimal.valueOf(own)).round(SHARE));
                Plan shared = planning.planned(one, plan.query());
                preparation.check(shared);
                return new PreparedWorkload.One(
                    one, preparation.prepare(one, shared, execution), weight);
              }));
    }
    StrategyChoice choice = ask.options().strategy();
    PreparedWorkload joined =
        PreparedWorkload.of(
            statements, marginals, squares ? BudgetNorm.SQUARES : BudgetNorm.SUM, choice);
    if (choice == StrategyChoice.MWEM) {
      for (int i = 0; i < statements.size(); i++) {
        int number = i;
        placed(workload, i, sql -> Weighed.require(joined, number));
      }
    }
    joined.frames().forEach(releaseLoop::rehearse);
    for (int i = 0; i < statements.size(); i++) {
      if (!joined.isFramed(i) && !statements.get(i).prepared().plan().measurements().isEmpty()) {
        releaseLoop.rehearse(statements.get(i).prepared());
      }
    }
    return new Read(joined, execution);
  }

  /** How many shares so many measurements have together. */
  private static BigDecimal parts(int measurements, boolean squares) {
    BigDecimal count = BigDecimal.valueOf(Math.max(1, measurements));
    return squares ? count.sqrt(UP) : count;
  }

  private interface OnStatement<T> {
    T on(String sql);
  }

  private static <T> T placed(Workload workload, int statement, OnStatement<T> work) {
    Workload.Statement one = workload.statements().get(statement);
    try {
      return work.on(one.sql());
    } catch (Rejection e) {
      throw one.placed(e, statement + 1);
    }
  }

  WorkloadView answer(Workload workload, QueryRequest ask, SnapshotGuard guard) {
    Read read = guard.steady(() -> joined(workload, ask, guard));
    PreparedWorkload joined = read.joined();
    if (joined.statements().stream().allMatch(s -> s.prepared().plan().measurements().isEmpty())) {
      return new WorkloadView(
          answers(joined, List.of(), guard, read.execution(), new Charging.Course(Set.of())),
          BigDecimal.ZERO,
          BigDecimal.ZERO,
          Optional.empty());
    }
    Optional<WorkloadView> again = guard.steady(() -> again(joined, ask, read.execution()));
    if (again.isPresent()) {
      return again.get();
    }
    guard.require();
    Set<String> meanings = new HashSet<>();
    List<Refresh> refreshes = new ArrayList<>();
    for (PreparedWorkload.One one : joined.statements()) {
      Plan plan = one.prepared().plan();
      meanings.addAll(Preparation.meanings(plan.query()).values());
      refreshes.add(preparation.refresh(one.request(), plan));
    }
    Cost cost = joined.cost();
    String text =
        String.join(";\n", workload.statements().stream().map(s -> s.sql().strip()).toList());
    return charging.charged(
        preparation
            .request(ask.about(text), joined.mechanism(), joined.tables(), cost)
            .measuring(meanings)
            .reading(joined.parts()),
        course ->
            new WorkloadView(
                answers(joined, refreshes, guard, read.execution(), course),
                cost.epsilon(),
                cost.delta(),
                preparation.rho(ask, cost)));
  }

  /** All statements from what the analyst has paid for, or nothing. */
  private Optional<WorkloadView> again(
      PreparedWorkload joined, QueryRequest ask, StatementExecution execution) {
    if (ask.options().strategy() == StrategyChoice.MWEM) {
      return Optional.empty();
    }
    List<AnalystView> answers = new ArrayList<>();
    for (PreparedWorkload.One one : joined.statements()) {
      PreparedQuery prepared = one.prepared();
      DpQuery query = prepared.plan().query();
      Optional<CacheHit> found = cache.find(one.request(), query, prepared).filter(CacheHit::own);
      if (found.isEmpty()) {
        return Optional.empty();
      }
      PreparedQuery kept = prepared.with(prepared.plan(), found.get().errors().in(query));
      if (!QueryWithIntervals.asked(query).stream().allMatch(kept.errors()::measures)) {
        return Optional.empty();
      }
      answers.add(
          found
              .get()
              .noted(
                  AnswerViews.of(
                      one.request(),
                      kept,
                      execution,
                      found.get().rows(),
                      BigDecimal.ZERO,
                      BigDecimal.ZERO,
                      true),
                  List.of()));
    }
    return Optional.of(
        new WorkloadView(
            answers,
            BigDecimal.ZERO,
            BigDecimal.ZERO,
            planning.bySquares(ask) ? Optional.of(BigDecimal.ZERO) : Optional.empty()));
  }

  /**
   * @param refreshes of each statement's plan; none where nothing is measured
   */
  private List<AnalystView> answers(
      PreparedWorkload joined,
      List<Refresh> refreshes,
      SnapshotGuard guard,
      StatementExecution execution,
      Charging.Course course) {
    Told told = guard.steady(() -> told(joined, refreshes, guard, execution.branch(), course));
    course.releases(told.released());
    return told.answers();
  }

  /** What is foretold of a statement, by the noise that it will have among the others. */
  private AnswerForecast outlook(
      PreparedWorkload joined, int statement, StatementExecution execution) {
    PreparedQuery prepared = joined.statements().get(statement).prepared();
    if (joined.isWeighted(statement)) {
      return AnswerForecast.NONE;
    }
    return AnswerForecast.of(
        prepared,
        joined.isFramed(statement) ? joined.errors(statement) : prepared.errors(),
        metrics,
        execution::publicRows);
  }

  /** Which columns of the statements will be noise, before any is paid for. */
  private List<String> warnings(PreparedWorkload joined, StatementExecution execution) {
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < joined.statements().size(); i++) {
      String statement = "statement " + (i + 1) + ", ";
      DpQuery query = joined.statements().get(i).prepared().plan().query();
      outlook(joined, i, execution)
          .notes(query)
          .forEach(note -> warnings.add(statement + note.text()));
    }
    return warnings;
  }

  /** Answers, and what of them is put on record. */
  private record Told(List<AnalystView> answers, List<ReleasedAnswer> released) {}

  private Told told(
      PreparedWorkload joined,
      List<Refresh> refreshes,
      Session session,
      StatementExecution execution,
      Charging.Course course) {
    List<ReleasedAnswer> released = new ArrayList<>();
    WorkloadReading frames = releaseLoop.joined(joined, session);
    if (!frames.drawn().isEmpty()) {
      released.addAll(cache.measured(joined.statements().getFirst().request(), frames.drawn()));
    }
    List<AnalystView> answers = new ArrayList<>();
    for (int i = 0; i < joined.statements().size(); i++) {
      PreparedWorkload.One one = joined.statements().get(i);
      PreparedQuery prepared = one.prepared();
      List<String> notes = new ArrayList<>();
      Map<Integer, RowTable> rows;
      List<MeasuredMarginals> drawn = List.of();
      List<ContributionCap> caps = List.of();
      if (joined.isFramed(i)) {
        prepared = joined.fitted(i);
        rows = frames.rows(prepared, i);
        notes.add(joined.isWeighted(i) ? Weighed.NOTE : TOGETHER);
      } else {
        if (!refreshes.isEmpty()) {
          Plan fresh = refreshes.get(i).in(session);
          prepared =
              fresh == prepared.plan()
                  ? prepared
                  : prepared.with(fresh, preparation.errors(fresh, prepared.releases()));
        }
        DpQuery query = one.prepared().plan().query();
        Map<Integer, String> meanings = Preparation.meanings(query);
        ReleaseLoop.Made made =
            releaseLoop.release(
                prepared,
                session,
                point -> course.measures(meanings.get(point)),
                notes::add,
                Optional.empty());
        prepared =
            prepared.with(prepared.plan(), prepared.errors().and(made.noise(), made.fits(), query));
        rows = made.rows();
        drawn = made.drawn();
        caps = made.caps();
      }
      AnalystView view =
          AnswerViews.of(
                  one.request(),
                  prepared,
                  execution,
                  rows,
                  prepared.epsilon(),
                  prepared.delta(),
                  false)
              .noted(notes)
              .capped(caps);
      if (joined.isWeighted(i)) {
        // Its noise has no law that a later answer could be measured by, so it is not kept.
        answers.add(view.by(StrategyChoice.MWEM.word()));
        continue;
      }
      view = view.foretold(outlook(joined, i, execution).notes(prepared.plan().query()));
      released.addAll(
          cache.released(
              one.request(), one.prepared().plan().query(), prepared, rows, drawn, notes, caps));
      answers.add(view);
    }
    return new Told(answers, released);
  }

  WorkloadExplanation explain(Workload workload, QueryRequest ask, SnapshotGuard guard) {
    Read read = guard.steady(() -> joined(workload, ask, guard));
    PreparedWorkload joined = read.joined();
    boolean measured =
        joined.statements().stream().anyMatch(s -> !s.prepared().plan().measurements().isEmpty());
    boolean repeat =
        measured && guard.steady(() -> again(joined, ask, read.execution())).isPresent();
    List<String> warnings = guard.steady(() -> warnings(joined, read.execution()));
    return JoinedWords.of(joined, repeat, warnings);
  }

  /** What analysts may know of a workload: all of it is public. */
  private static final class JoinedWords {
    private static final MathContext ABOUT = new MathContext(6, RoundingMode.CEILING);

    private JoinedWords() {}

    /**
     * @param repeat whether asking costs nothing
     * @param warnings what is foretold of it
     */
    static WorkloadExplanation of(PreparedWorkload joined, boolean repeat, List<String> warnings) {
      List<WorkloadExplanation.Frame> frames =
          joined.frames().stream().map(JoinedWords::frame).toList();
      List<WorkloadExplanation.Question> questions = new ArrayList<>();
      for (int i = 0; i < joined.statements().size(); i++) {
        ErrorModel alone = joined.statements().get(i).prepared().errors();
        ErrorModel errors = joined.isFramed(i) ? joined.errors(i) : alone;
        for (PlannedMeasurement planned :
            joined.statements().get(i).prepared().plan().measurements()) {
          questions.add(question(joined, i, planned, errors, alone));
        }
      }
      Cost cost = questions.isEmpty() ? Cost.pure(BigDecimal.ONE) : joined.cost();
      return new WorkloadExplanation(
          questions.isEmpty() ? BigDecimal.ZERO : cost.epsilon(),
          questions.isEmpty() ? BigDecimal.ZERO : cost.delta(),
          repeat,
          questions.isEmpty() ? List.of() : Explanation.charged(joined.tables(), joined.parts()),
          frames,
          questions,
          warnings);
    }

    private static WorkloadExplanation.Question question(
        PreparedWorkload joined,
        int statement,
        PlannedMeasurement planned,
        ErrorModel errors,
        ErrorModel alone) {
      int place = planned.release().measurements().indexOf(planned.measurement());
      int frame =
          joined
              .frame(statement, planned.release().id(), place)
              .map(f -> joined.frames().indexOf(f) + 1)
              .orElse(0);
      Measurement.Origin origin = planned.measurement().origin();
      int column = planned.measurement().output().id();
      return new WorkloadExplanation.Question(
          statement + 1,
          origin.column().orElse(origin.aggregate()),
          frame,
          width(errors, column),
          width(alone, column));
    }

    private static Optional<BigDecimal> width(ErrorModel errors, int column) {
      return errors.measures(column) ? Optional.of(errors.halfWidth(column, 1)) : Optional.empty();
    }

    private static WorkloadExplanation.Frame frame(WorkloadGroup frame) {
      List<WorkloadExplanation.Cuboid> cuboids = new ArrayList<>();
      for (MeasurementStrategy.Cuboid cuboid : frame.strategy().cuboids()) {
        cuboids.add(
            new WorkloadExplanation.Cuboid(
                frame.names(cuboid),
                frame.cells(cuboid),
                cuboid.mechanism().epsilon().round(ABOUT),
                cuboid.mechanism().scale(cuboid.sensitivity()).round(ABOUT)));
      }
      return new WorkloadExplanation.Frame(
          frame.strategy().measurement().origin().aggregate(), frame.answers().size(), cuboids);
    }
  }

  /** What multiplicative weights (MWEM) can be asked for. */
  private static final class Weighed {
    static final String NOTE =
        "estimated together by multiplicative weights (mwem): biased, and how wrong is not known";

    private Weighed() {}

    /**
     * @throws Rejection when a statement of a workload is not answered so
     */
    static boolean require(PreparedWorkload joined, int statement) {
      if (joined.isWeighted(statement)) {
        return true;
      }
      for (PlannedMeasurement planned :
          joined.statements().get(statement).prepared().plan().measurements()) {
        if (!planned.noise().map(CalibratedMechanism::isPublic).orElse(false)) {
          throw Rejection.of(
              RejectionCode.SENSITIVITY_NOT_PUBLIC,
              "The sensitivity of "
                  + planned.measurement().origin().aggregate()
                  + " would be private here, and mwem needs a public one.",
              "Release the metrics once (flexdp collect --release), or declare the join key unique.",
              planned.measurement().origin().at());
        }
      }
      throw Rejection.of(
          RejectionCode.MECHANISM_UNSUITABLE,
          "The statement is not answered by mwem.",
          "It takes two or more histograms of COUNT, or of a SUM without values below zero, over the"
              + " same rows, with at most 1,048,576 combinations of all their labels,"
              + " fewer where there are more than 128 histograms. Leave"
              + " --strategy out.");
    }
  }
}
