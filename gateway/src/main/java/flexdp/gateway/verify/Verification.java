package flexdp.gateway.verify;

import flexdp.Analyzer;
import flexdp.algebra.Relation;
import flexdp.decompose.QueryDecomposer;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.verify.GeneratedDatabase.DatabaseState;
import flexdp.gateway.verify.GeneratedDatabase.NeighborState;
import flexdp.gateway.verify.TestRun.StorageTypes;
import flexdp.metrics.Metrics;
import flexdp.noise.Gaussian;
import flexdp.noise.LaplaceCache;
import flexdp.noise.Mechanism;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ContributionBoundingChoice;
import flexdp.plan.EnforcedCaps;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.release.HistogramRelease;
import flexdp.release.Interpreter;
import flexdp.release.NeighborDistance;
import flexdp.release.RowTable;
import flexdp.sensitivity.Bound;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Brute force against the promises of a policy: tiny databases of its own schema, every neighbour,
 * and what the answer to a question really moves by against what its noise is made for; then an
 * audit of the noise on the neighbours that moved most.
 *
 * <pre>{@code
 * Verified found = new Verification(policy, seed, BigDecimal.ONE, System::nanoTime, LocalDateTime.now())
 *     .of("SELECT COUNT(*) FROM trips", Optional.empty(), Duration.ofMinutes(1), checks -> {});
 * }</pre>
 */
public final class Verification {
  /** The share of the time that is for the noise. */
  private static final double AUDITED = 0.25;

  /** How many checks are made even when there is no time. */
  private static final int FEWEST_CHECKS = 20;

  private static final int FEWEST_DATABASES = 60;

  /** One database of so many has columns that are stored otherwise than the policy says. */
  private static final int EVERY = 4;

  private final Policy policy;
  private final long seed;
  private final BigDecimal epsilon;
  private final LongSupplier nanos;
  private final LocalDateTime now;

  /**
   * @param epsilon at which noise is audited
   * @param nanos a clock
   * @param now what CURRENT_DATE means
   */
  public Verification(
      Policy policy, long seed, BigDecimal epsilon, LongSupplier nanos, LocalDateTime now) {
    this.policy = policy;
    this.seed = seed;
    this.epsilon = epsilon;
    this.nanos = nanos;
    this.now = now;
  }

  /**
   * Verifies one question.
   *
   * @param progress hears how many checks there were
   * @throws flexdp.failure.Rejection when the question would be refused
   */
  public VerificationResult of(
      String sql, Optional<Bins> bins, Duration time, LongConsumer progress) {
    QueryOptions options =
        new QueryOptions(MechanismChoice.AUTO, Optional.of(epsilon), Optional.empty(), bins);
    QueryRequest request = new QueryRequest(sql, options, "owner", Set.of());
    Relation relation = new SqlBinder(policy, now).bind(sql);
    DpQuery query = QueryDecomposer.of(relation, policy, options.bins());
    Interpreter.check(query.top());
    query
        .releases()
        .forEach(
            point -> HistogramRelease.check(point, ContributionBoundingChoice.of(point, policy)));
    if (query.releases().isEmpty()) {
      return new VerificationResult(
          0, 0, 0, "none", Optional.empty(), Optional.empty(), "reads no protected rows");
    }
    // Rows that are left out are so by columns that the question need not name.
    QuerySubject subject =
        QuerySubject.of(
            policy, relation, EnforcedCaps.in(query, Metrics.NONE, policy.privacy().neighbors()));
    Analyzer analyzer = new Analyzer(policy, Metrics.NONE, now);
    List<TestRun> trials = new ArrayList<>();
    try {
      trials.add(new TestRun(policy, query, StorageTypes.asDeclared(subject), request, analyzer));
      StorageTypes otherwise = StorageTypes.otherwise(subject);
      if (!otherwise.isAsDeclared()) {
        trials.add(new TestRun(policy, query, otherwise, request, analyzer));
      }
      return new Search(trials, subject, time, progress).run();
    } finally {
      trials.forEach(TestRun::close);
    }
  }

  /** What is known of one question so far. */
  private final class Search {
    private final List<TestRun> trials;
    private final QuerySubject subject;
    private final DatabaseGenerator generator;
    private final LongConsumer progress;
    private final long end;
    private final long checking;
    private long databases;
    private long checks;
    private double tightest;
    private String mechanism = "";
    private final WidestPairs widest = new WidestPairs(seed);

    Search(List<TestRun> trials, QuerySubject subject, Duration time, LongConsumer progress) {
      this.trials = trials;
      this.subject = subject;
      this.generator = new DatabaseGenerator(subject, seed);
      this.progress = progress;
      long start = nanos.getAsLong();
      this.end = start + time.toNanos();
      this.checking = start + (long) (time.toNanos() * (1 - AUDITED));
    }

    VerificationResult run() {
      while ((checks < FEWEST_CHECKS || widest.pairs().isEmpty()) && databases < FEWEST_DATABASES
          || nanos.getAsLong() < checking) {
        GeneratedDatabase data = generator.next();
        TestRun trial = databases % EVERY == EVERY - 1 ? trials.getLast() : trials.getFirst();
        trial.begin(data);
        databases++;
        DatabaseState state = generator.start(data);
        TestRun.Outcome here = trial.read(state);
        if (here instanceof TestRun.Failed(String why)) {
          trial.begin(data);
          if (trial.read(data.empty()) instanceof TestRun.Failed) {
            return ended(Optional.empty(), "the embedded database cannot run it: " + why);
          }
          return ended(Optional.of(new Shrinking(trial, policy, data).failing(state, why)), "");
        }
        note(((TestRun.Read) here).values().plan());
        for (NeighborState next :
            generator.some(
                state, NeighborState.all(data, state, subject.policy(), trial.units()))) {
          TestRun.Outcome there = trial.read(next.state());
          Verdict verdict = Verdict.of(here, there, next.unit());
          checks++;
          progress.accept(checks);
          if (verdict.broken().isPresent()) {
            return ended(
                Optional.of(new Shrinking(trial, policy, data).smallest(state, next, verdict)), "");
          }
          tightest = Math.max(tightest, verdict.ratio());
          if (here instanceof TestRun.Read(var x) && there instanceof TestRun.Read(var y)) {
            widest.consider(new WidestPairs.Pair(trial, data, state, next, x, y), verdict.all());
          }
          if (checks >= FEWEST_CHECKS && nanos.getAsLong() >= checking) {
            break;
          }
        }
      }
      return audited();
    }

    private void note(Plan plan) {
      Set<String> names = new LinkedHashSet<>();
      plan.measurements()
          .forEach(p -> names.add(p.noise().map(n -> n.mechanism().name()).orElse("none yet")));
      mechanism = String.join(", ", names);
    }

    private VerificationResult ended(
        Optional<VerificationResult.Counterexample> broken, String note) {
      return new VerificationResult(
          databases, checks, tightest, mechanism, Optional.empty(), broken, note);
    }

    private VerificationResult audited() {
      List<WidestPairs.Pair> pairs = widest.pairs();
      if (pairs.isEmpty()) {
        return ended(Optional.empty(), "no made-up row moves the answer");
      }
      if (pairs.stream().anyMatch(p -> !p.here().plan().isAnswerable())) {
        return ended(Optional.empty(), "no mechanism yet, so no noise to audit");
      }
      if (!pairs.getFirst().here().isDrawnByItself()) {
        return ended(Optional.empty(), "holds; groupings measured together are not audited");
      }
      NoiseAudit audit = new NoiseAudit(delta(pairs.getFirst().here().plan()));
      List<NoiseAudit.Sides> sides = new ArrayList<>();
      for (WidestPairs.Pair pair : pairs) {
        Answered answers = new Answered();
        sides.add(new NoiseAudit.Sides(answers.of(pair.here()), answers.of(pair.there())));
      }
      NoiseAudit.Finding finding = audit.of(sides, () -> nanos.getAsLong() >= end);
      BigDecimal promised = promised(pairs.getFirst().here().plan());
      Optional<VerificationResult.Audited> audited =
          Optional.of(new VerificationResult.Audited(promised, finding.seen(), finding.answers()));
      Optional<VerificationResult.Counterexample> broken = Optional.empty();
      if (finding.certain() > promised.doubleValue()) {
        String what =
            String.format(
                java.util.Locale.ROOT,
                "the noise lets %.3g of epsilon be seen where %s is promised",
                finding.certain(),
                promised.toPlainString());
        WidestPairs.Pair pair = pairs.get(finding.pair());
        Shrinking shrinking = new Shrinking(pair.trial(), policy, pair.data());
        broken = Optional.of(shrinking.shown(pair.state(), pair.neighbour(), what));
      }
      return new VerificationResult(databases, checks, tightest, mechanism, audited, broken, "");
    }

    /** ε of the question; where some noise has a δ, that which goes with it. */
    private BigDecimal promised(Plan plan) {
      List<Mechanism> draws = new ArrayList<>(plan.votes());
      plan.measurements().forEach(m -> draws.add(m.noise().orElseThrow().mechanism()));
      return draws.stream().allMatch(Mechanism::isPure)
          ? epsilon
          : PreparedQuery.cost(draws, BigDecimal.ZERO).epsilon();
    }

    /** What answers of the plan may exceed their ε by. */
    private double delta(Plan plan) {
      double sum = 0;
      for (PlannedMeasurement planned : plan.measurements()) {
        sum += planned.noise().orElseThrow().mechanism().delta().doubleValue();
      }
      for (Gaussian votes : plan.votes()) {
        sum += votes.delta().doubleValue();
      }
      long open =
          plan.query().releases().stream()
              .filter(p -> p.labels() instanceof Labels.Thresholded)
              .count();
      return sum + open * policy.privacy().thresholding().map(BigDecimal::doubleValue).orElse(0.0);
    }
  }

  /**
   * Answers to a question as rows of numbers, each number in its own place whatever labels an
   * answer shows; both neighbours' answers have the same places.
   */
  private static final class Answered {
    /** NULL is told from zero, beside which it lies. */
    private static final double NOTHING = -Double.MIN_NORMAL;

    private record Place(int point, List<Object> labels, int column) {}

    private final LaplaceCache distributions = new LaplaceCache();
    private final Map<Place, Integer> places = new HashMap<>();

    NoiseAudit.Answers of(ExactResults read) {
      return () -> answer(read.released(distributions), read);
    }

    private double[] answer(Map<Integer, RowTable> released, ExactResults read) {
      double[] numbers = new double[places.size()];
      for (Map.Entry<Integer, RowTable> point : released.entrySet()) {
        int keys =
            read.plan().query().releases().stream()
                .filter(p -> p.id() == point.getKey())
                .findFirst()
                .orElseThrow()
                .keys()
                .size();
        for (List<Object> row : point.getValue().rows()) {
          for (int column = keys; column < row.size(); column++) {
            Place place = new Place(point.getKey(), row.subList(0, keys), column);
            Integer at = places.get(place);
            if (at == null) {
              at = places.size();
              places.put(
                  new Place(point.getKey(), Arrays.asList(row.subList(0, keys).toArray()), column),
                  at);
            }
            if (at >= numbers.length) {
              numbers = Arrays.copyOf(numbers, places.size());
            }
            numbers[at] = number(row.get(column));
          }
        }
      }
      return numbers;
    }

    private static double number(Object value) {
      return switch (value) {
        case null -> NOTHING;
        case Number n -> n.doubleValue();
        case LocalDate d -> d.toEpochDay();
        case LocalDateTime t -> t.toEpochSecond(ZoneOffset.UTC);
        default -> value.hashCode();
      };
    }
  }

  /**
   * The neighbours that moved most, or some of them where many moved as much; and some of all that
   * moved, for what moves most need not be what tells most.
   */
  private static final class WidestPairs {
    /** How many of each are kept. */
    private static final int KEPT = 3;

    /** What two neighbours were, and what was read of them. */
    record Pair(
        TestRun trial,
        GeneratedDatabase data,
        DatabaseState state,
        NeighborState neighbour,
        ExactResults here,
        ExactResults there) {}

    /** A few of many, each as likely as any other. */
    private static final class Sample {
      private final List<Pair> pairs = new ArrayList<>();
      private int seen;

      void add(Pair pair, Random random) {
        seen++;
        if (pairs.size() < KEPT) {
          pairs.add(pair);
        } else {
          int place = random.nextInt(seen);
          if (place < KEPT) {
            pairs.set(place, pair);
          }
        }
      }
    }

    private final Random random;
    private final Sample moved = new Sample();
    private Sample widest = new Sample();
    private double most;

    WidestPairs(long seed) {
      this.random = new Random(seed);
    }

    /**
     * @param all by how much everything moved
     */
    void consider(Pair pair, double all) {
      if (all <= 0) {
        return;
      }
      moved.add(pair, random);
      if (all > most) {
        most = all;
        widest = new Sample();
      }
      if (all >= most) {
        widest.add(pair, random);
      }
    }

    List<Pair> pairs() {
      return Stream.concat(widest.pairs.stream(), moved.pairs.stream()).distinct().toList();
    }
  }

  /** Takes rows away from a counterexample as long as it remains one. */
  private static final class Shrinking {
    /** How many rows are taken away one by one, with every neighbour tried again. */
    private static final int FEW = 10;

    /** Into so many pieces a crowd is cut at most. */
    private static final int PIECES = 32;

    private final TestRun trial;
    private final Policy policy;
    private final GeneratedDatabase data;

    Shrinking(TestRun trial, Policy policy, GeneratedDatabase data) {
      this.trial = trial;
      this.policy = policy;
      this.data = data;
    }

    private record Found(DatabaseState state, NeighborState neighbour, String what) {}

    VerificationResult.Counterexample smallest(
        DatabaseState state, NeighborState neighbour, Verdict verdict) {
      Found least = new Found(state, neighbour, verdict.broken().orElseThrow());
      DatabaseState more = neighbour.state().without(state);
      DatabaseState thin =
          thinned(state, s -> alike(s, s.and(neighbour.state()).or(more)).isPresent());
      least = alike(thin, thin.and(neighbour.state()).or(more)).orElse(least);
      boolean smaller = least.state().rows() <= FEW;
      while (smaller) {
        smaller = false;
        for (DatabaseState fewer : fewer(least.state())) {
          Optional<Found> found = found(fewer);
          if (found.isPresent()) {
            least = found.get();
            smaller = true;
            break;
          }
        }
      }
      return shown(least.state(), least.neighbour(), least.what());
    }

    /** What a pair breaks, if the two are neighbours at all. */
    private Optional<Found> alike(DatabaseState state, DatabaseState other) {
      return NeighborState.all(data, state, policy, trial.units()).stream()
          .filter(n -> n.state().equals(other))
          .findFirst()
          .flatMap(n -> judged(state, trial.read(state), n));
    }

    private Optional<Found> judged(DatabaseState state, TestRun.Outcome here, NeighborState next) {
      return Verdict.of(here, trial.read(next.state()), next.unit())
          .broken()
          .map(what -> new Found(state, next, what));
    }

    /**
     * Takes rows away, many at a time at first, as long as something still holds. A crowd that is
     * needed is not tried row by row.
     */
    private DatabaseState thinned(DatabaseState state, Predicate<DatabaseState> still) {
      DatabaseState least = state;
      int first = Math.max(1, state.rows() / 2);
      for (int chunk = first; chunk > 0 && chunk * PIECES >= least.rows(); chunk /= 2) {
        List<DatabaseState> alone = fewer(least);
        for (int from = 0; from < alone.size(); from += chunk) {
          DatabaseState fewer = least;
          for (DatabaseState without : alone.subList(from, Math.min(alone.size(), from + chunk))) {
            fewer = fewer.and(without);
          }
          if (still.test(fewer)) {
            least = fewer;
          }
        }
      }
      return least;
    }

    private Optional<Found> found(DatabaseState state) {
      TestRun.Outcome here = trial.read(state);
      return NeighborState.all(data, state, policy, trial.units()).stream()
          .flatMap(next -> judged(state, here, next).stream())
          .findFirst();
    }

    /** A state in which reading fails, though it does not in the empty one. */
    VerificationResult.Counterexample failing(DatabaseState state, String why) {
      DatabaseState least = thinned(state, fewer -> trial.read(fewer) instanceof TestRun.Failed);
      String words = trial.read(least) instanceof TestRun.Failed(String still) ? still : why;
      return new VerificationResult.Counterexample(
          "it fails on these rows and not without any of them: " + words, whole(least), List.of());
    }

    private List<DatabaseState> fewer(DatabaseState state) {
      List<DatabaseState> all = new ArrayList<>();
      for (int t = 0; t < data.tables().size(); t++) {
        for (int r = 0; r < data.tables().get(t).rows().size(); r++) {
          if (data.tables().get(t).table().isProtected() && state.has(t, r)) {
            all.add(state.flipped(t, r));
          }
        }
      }
      return all;
    }

    VerificationResult.Counterexample shown(
        DatabaseState state, NeighborState neighbour, String what) {
      List<String> differ = new ArrayList<>(List.of(neighbour.what()));
      rows(state, neighbour.state(), false).forEach(row -> differ.add("- " + row));
      rows(neighbour.state(), state, false).forEach(row -> differ.add("+ " + row));
      return new VerificationResult.Counterexample(what, whole(state), differ);
    }

    private List<String> whole(DatabaseState state) {
      List<String> lines = new ArrayList<>(trial.stored());
      lines.addAll(rows(state, state, true));
      return lines;
    }

    /**
     * @param all or only those that the other does not have
     */
    private List<String> rows(DatabaseState state, DatabaseState other, boolean all) {
      List<String> lines = new ArrayList<>();
      for (int t = 0; t < data.tables().size(); t++) {
        GeneratedDatabase.Rows rows = data.tables().get(t);
        int shown = 0;
        for (int r = 0; r < rows.rows().size(); r++) {
          if (state.has(t, r) && (all || !other.has(t, r))) {
            if (shown++ < FEW) {
              lines.add(line(rows, r));
            }
          }
        }
        if (shown > FEW) {
          lines.add(rows.table().name() + ": and " + (shown - FEW) + " more rows, much alike");
        }
      }
      return lines;
    }

    private static String line(GeneratedDatabase.Rows rows, int row) {
      List<String> cells = new ArrayList<>();
      for (ColumnSpec column : rows.table().columns()) {
        cells.add(column.name() + "=" + rows.value(row, column.name()));
      }
      return rows.table().name() + ": " + String.join(", ", cells);
    }
  }

  /**
   * What a pair of neighbours says of the promises.
   *
   * @param ratio the largest part that something moved of what it may
   * @param all the parts of everything together, by which much is told at once
   * @param broken what does not hold
   */
  private record Verdict(double ratio, double all, Optional<String> broken) {
    /** Reading failed in one of them only: a failure would tell them apart. */
    static Verdict failed(String why) {
      return new Verdict(1, 1, Optional.of("it fails in one of two neighbours only: " + why));
    }

    static Verdict of(TestRun.Outcome x, TestRun.Outcome y, PrivacyUnit unit) {
      return switch (x) {
        case TestRun.Failed(String why) ->
            y instanceof TestRun.Failed ? new Verdict(0, 0, Optional.empty()) : failed(why);
        case TestRun.Read(ExactResults here) ->
            switch (y) {
              case TestRun.Failed(String why) -> failed(why);
              case TestRun.Read(ExactResults there) -> of(here, there, unit);
            };
      };
    }

    private static Verdict of(ExactResults x, ExactResults y, PrivacyUnit unit) {
      double ratio = 0;
      double all = 0;
      Optional<String> broken = smoothness(x.plan().measurements(), y.plan().measurements(), unit);
      for (String label : x.shownOtherwise(y)) {
        broken = Optional.of("the label " + label + " by the neighbour");
      }
      for (NeighborDistance change : x.against(y)) {
        if (change.isTooFar()) {
          broken =
              Optional.of(
                  change.what()
                      + " moves by "
                      + change.moved().stripTrailingZeros().toPlainString()
                      + ", and its noise is made for "
                      + change.most().stripTrailingZeros().toPlainString());
        }
        if (change.moved().signum() != 0 && change.most().signum() != 0) {
          double part = change.moved().divide(change.most(), MathContext.DECIMAL64).doubleValue();
          ratio = Math.max(ratio, part);
          all += part;
        }
      }
      return new Verdict(ratio, all, broken);
    }

    /** A bound one step further out covers the neighbour's own (guarantee §5). */
    private static Optional<String> smoothness(
        List<PlannedMeasurement> x, List<PlannedMeasurement> y, PrivacyUnit unit) {
      for (int i = 0; i < x.size(); i++) {
        Bound here = x.get(i).bound();
        Bound there = y.get(i).bound();
        if (here.atZero().compareTo(further(there, unit)) > 0
            || there.atZero().compareTo(further(here, unit)) > 0) {
          return Optional.of(
              "the bounds "
                  + here.formula()
                  + " and "
                  + there.formula()
                  + " of two neighbours do not cover each other one step further out");
        }
        Optional<String> noise = noise(x.get(i), y.get(i));
        if (noise.isPresent()) {
          return noise;
        }
      }
      return Optional.empty();
    }

    private static BigInteger further(Bound bound, PrivacyUnit unit) {
      return bound.units().contains(PrivacyUnit.ANY)
          ? bound.elastic(1)
          : bound.evaluate(Map.of(unit, BigInteger.ONE));
    }

    /** The scale of smooth noise moves by a factor of e^β at most. */
    private static Optional<String> noise(PlannedMeasurement x, PlannedMeasurement y) {
      Optional<CalibratedMechanism.Additive> one = x.noise().flatMap(CalibratedMechanism::added);
      Optional<CalibratedMechanism.Additive> other = y.noise().flatMap(CalibratedMechanism::added);
      Optional<BigDecimal> smoothing = one.flatMap(added -> added.mechanism().smoothing());
      if (other.isEmpty() || smoothing.isEmpty()) {
        return Optional.empty();
      }
      CalibratedMechanism here = one.get();
      CalibratedMechanism there = other.get();
      double factor = Math.exp(smoothing.get().doubleValue()) * (1 + 1e-9);
      BigDecimal most = BigDecimal.valueOf(factor);
      boolean holds =
          here.sensitivity().compareTo(there.sensitivity().multiply(most)) <= 0
              && there.sensitivity().compareTo(here.sensitivity().multiply(most)) <= 0;
      return holds
          ? Optional.empty()
          : Optional.of(
              "the smooth bounds of two neighbours are further apart than a factor of e^β");
    }
  }

  /**
   * What was found of one question.
   *
   * @param databases that were made up
   * @param checks pairs of neighbours that were compared
   * @param tightest the largest part that an answer moved of what its noise is made for
   * @param mechanism names of mechanisms, or why there is none
   * @param audit of the noise, where there was some and something moved
   * @param broken a promise that does not hold
   * @param note why nothing was found out, if so
   */
  public record VerificationResult(
      long databases,
      long checks,
      double tightest,
      String mechanism,
      Optional<Audited> audit,
      Optional<Counterexample> broken,
      String note) {

    public boolean isBroken() {
      return broken.isPresent();
    }

    /**
     * What two neighbours' answers tell.
     *
     * @param epsilon what the answer promises
     * @param seen so much was seen with 99 % confidence; more than promised is a broken promise
     * @param answers how many were drawn of each of the two
     */
    public record Audited(BigDecimal epsilon, double seen, long answers) {}

    /**
     * Two neighbours with as few rows as were found to be enough.
     *
     * @param what is wrong
     * @param rows of the first, by table
     * @param neighbour what the second has more or less
     */
    public record Counterexample(String what, List<String> rows, List<String> neighbour) {}
  }
}
