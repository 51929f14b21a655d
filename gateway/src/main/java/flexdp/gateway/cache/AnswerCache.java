package flexdp.gateway.cache;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.cache.LruCache;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.database.Database;
import flexdp.gateway.ledger.AnswerStore;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.prepare.CostComposition;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.MeasurementStrategy;
import flexdp.noise.Mechanism;
import flexdp.noise.ProposeTestRelease;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.MechanismChoice;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.properties.NullabilityOracle;
import flexdp.query.DpQuery;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import flexdp.release.ContributionCap;
import flexdp.release.RowTable;
import flexdp.reuse.MeasurementShape;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Released answers given again (guarantee §9). What is kept are the noisy cells of release points,
 * so that whatever is computed above them is a repeat, and so is every question whose numbers are
 * among those cells or sums of them; see {@link CachedAggregate} and {@link CacheDerivation}. All
 * of an answer comes from one state of the data, see {@link CachedAnswers#states}.
 */
public final class AnswerCache {
  /** Larger histograms are not kept. */
  private static final int LONGEST = 4_000_000;

  /** Whatever is asked about the same rows later has to look through them. */
  private static final int LONGEST_CUBOIDS = 400_000;

  private final AnswerStore cache;
  private final boolean known;
  private final String snapshot;
  private final Policy policy;
  private final String stateBefore;
  private final Map<Set<String>, PolicyFingerprint> declared = new ConcurrentHashMap<>();
  private final LiveMetrics live;
  private final boolean oneState;
  private final AggregateFingerprints meanings;
  private final Clock clock;
  private final RecentReadings reading = new RecentReadings();
  private final IntervalWidthCache widths = new IntervalWidthCache();

  /**
   * @param policy whose declarations give the answers their meaning; other ones make other answers
   */
  public AnswerCache(
      AnswerStore cache,
      String snapshot,
      Policy policy,
      LiveMetrics live,
      Database database,
      Clock clock) {
    this.cache = cache;
    this.known = !snapshot.equals(MetricsFile.Content.NOT_MEASURED);
    this.snapshot = snapshot;
    this.policy = policy;
    this.stateBefore = snapshot + " " + PolicyFingerprint.ofAll(policy);
    this.live = live;
    this.clock = clock;
    this.oneState = database.vendor().readsOneState();
    this.meanings = new AggregateFingerprints(database.catalog()::isNeverNull);
  }

  /** What a question measures by release point, each in one form for all its wordings. */
  public Map<Integer, String> meanings(DpQuery query) {
    return query.releases().stream()
        .collect(Collectors.toMap(NoisyAggregate::id, p -> meanings.of(p).key()));
  }

  /** Answers for all of the question, each at least as accurate as asked for. */
  public Optional<CacheHit> find(QueryRequest request, DpQuery query, PreparedQuery prepared) {
    if (request.fresh() || !known) {
      return Optional.empty();
    }
    // Looked up once: what is not kept in memory has to wait for the ledger.
    List<CachedAnswers> all = query.releases().stream().map(this::same).toList();
    List<CachedAnswers> mine = all.stream().map(shelf -> shelf.of(request.analyst())).toList();
    return find(request, prepared, mine, true).or(() -> find(request, prepared, all, false));
  }

  /** The very release points first, since looking through what else there is takes longer. */
  private Optional<CacheHit> find(
      QueryRequest request, PreparedQuery prepared, List<CachedAnswers> same, boolean own) {
    return find(request, prepared, same)
        .or(
            () ->
                find(
                    request,
                    prepared,
                    same.stream().map(shelf -> family(request, shelf, own)).toList()));
  }

  private CachedAnswers same(NoisyAggregate point) {
    String key = meanings.of(point).key();
    return new CachedAnswers(
        point, Optional.empty(), read(point, state -> cache.find(key, state)), List.of());
  }

  private CachedAnswers family(QueryRequest request, CachedAnswers shelf, boolean own) {
    Optional<MeasurementShape> parts = meanings.of(shelf.point()).parts();
    List<CachedAnswer> family =
        parts.stream()
            .flatMap(
                p -> read(shelf.point(), state -> family(request, p.family(), state, own)).stream())
            .toList();
    return new CachedAnswers(shelf.point(), parts, shelf.same(), family);
  }

  /** One's own answers come first, however many there are of others. */
  private List<ReleasedAnswer> family(
      QueryRequest request, String family, String state, boolean own) {
    List<ReleasedAnswer> all =
        new ArrayList<>(cache.family(family, state, Optional.of(request.analyst())));
    if (!own) {
      cache.family(family, state, Optional.empty()).stream()
          .filter(answer -> !answer.analyst().equals(request.analyst()))
          .forEach(all::add);
    }
    return all;
  }

  private PolicyFingerprint declared(NoisyAggregate point) {
    return declared.computeIfAbsent(
        tables(List.of(point)), tables -> PolicyFingerprint.of(policy, tables));
  }

  /** The state of the data, and what is declared of the tables that are read in it. */
  private String state(PolicyFingerprint declared) {
    return snapshot + " tables " + declared.tables();
  }

  private Optional<CacheHit> find(
      QueryRequest request, PreparedQuery prepared, List<CachedAnswers> shelves) {
    // By release point; what they need to know of the question is the same in every state.
    Map<Integer, CacheDerivation> deriving = new HashMap<>();
    for (CachedAnswers shelf : shelves) {
      if (!shelf.family().isEmpty()) {
        prepared
            .labels()
            .get(shelf.point().id())
            .ifPresent(
                labels -> deriving.put(shelf.point().id(), deriving(request, shelf, labels)));
      }
    }
    for (String read : CachedAnswers.states(shelves)) {
      Optional<CacheHit> found =
          found(
              request,
              prepared,
              shelves.stream().map(shelf -> shelf.in(read, request.analyst())).toList(),
              deriving);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private Optional<CacheHit> found(
      QueryRequest request,
      PreparedQuery prepared,
      List<CachedAnswers> shelves,
      Map<Integer, CacheDerivation> deriving) {
    List<CachedAggregate> points = new ArrayList<>();
    for (CachedAnswers shelf : shelves) {
      List<PlannedMeasurement> planned = prepared.of(shelf.point());
      Optional<CachedAggregate> found =
          again(request, shelf, planned)
              .or(
                  () ->
                      Optional.ofNullable(deriving.get(shelf.point().id()))
                          .flatMap(d -> d.from(shelf.family(), planned)));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      points.add(found.get());
    }
    CacheHit hit = CacheHit.of(points, request.analyst());
    // Nobody is charged more for the answer of another than they offered for one of their own.
    return hit.own() || CostComposition.isAtMost(hit.cost(), prepared.cost())
        ? Optional.of(hit)
        : Optional.empty();
  }

  /** An earlier release of this very release point. */
  private Optional<CachedAggregate> again(
      QueryRequest request, CachedAnswers shelf, List<PlannedMeasurement> planned) {
    if (shelf.same().isEmpty()) {
      return Optional.empty();
    }
    Map<Integer, String> names = meanings.of(shelf.point()).columns();
    for (CachedAnswer kept : shelf.same()) {
      List<CachedAggregate.Column> columns = new ArrayList<>();
      for (PlannedMeasurement p : planned) {
        kept.noise(names.get(p.measurement().output().id()))
            .filter(n -> fits(request, n, p))
            .ifPresent(
                n -> columns.add(new CachedAggregate.Column(p.measurement(), n, 1, kept.answer())));
      }
      if (columns.size() == planned.size()) {
        try {
          return Optional.of(
              new CachedAggregate(shelf.point(), kept.rows(shelf.point(), names), columns, true));
        } catch (IllegalArgumentException | DateTimeException e) {
          // Not one of ours after all.
        }
      }
    }
    return Optional.empty();
  }

  private CacheDerivation deriving(
      QueryRequest request, CachedAnswers shelf, List<List<Object>> labels) {
    return new CacheDerivation(
        shelf.point(),
        shelf.parts().orElseThrow(),
        labels,
        request.analyst(),
        (noise, p) -> fits(request, noise, p),
        widths);
  }

  /** By the mechanism asked for, and as accurate as that would be. */
  private static boolean fits(QueryRequest request, CachedNoise noise, PlannedMeasurement planned) {
    MechanismChoice choice = request.options().mechanism();
    Mechanism wanted = planned.noise().orElseThrow().mechanism();
    boolean chosen =
        choice == MechanismChoice.AUTO
            || noise.mechanism().name().equals(choice.word())
            || noise.mechanism().name().equals(wanted.name());
    return chosen && noise.mechanism().serves(wanted) && isAsNarrow(noise, planned);
  }

  /** Of what was proposed before, only what had as little noise will do. */
  private static boolean isAsNarrow(CachedNoise noise, PlannedMeasurement planned) {
    CalibratedMechanism wanted = planned.noise().orElseThrow();
    return !(wanted.mechanism() instanceof ProposeTestRelease)
        || !noise.mechanism().name().equals(wanted.mechanism().name())
        || noise
            .known()
            .filter(n -> n.sensitivity().compareTo(wanted.sensitivity()) <= 0)
            .isPresent();
  }

  /** The answers whose tables and columns are declared as they were when they were released. */
  private List<CachedAnswer> read(
      NoisyAggregate point, Function<String, List<ReleasedAnswer>> finding) {
    PolicyFingerprint now = declared(point);
    return Stream.of(state(now), stateBefore)
        .flatMap(state -> finding.apply(state).stream())
        .flatMap(answer -> reading.read(answer).stream())
        .filter(kept -> now.extendsColumns(kept.declared()))
        .toList();
  }

  /**
   * What is kept of an answer that is being released.
   *
   * @param notes how its numbers came about, as far as the question does not say it
   * @param caps of what people contribute
   */
  public List<ReleasedAnswer> released(
      QueryRequest request,
      DpQuery query,
      PreparedQuery prepared,
      Map<Integer, RowTable> rows,
      List<MeasuredMarginals> drawn,
      List<String> notes,
      List<ContributionCap> caps) {
    List<ReleasedAnswer> answers = new ArrayList<>();
    boolean unchanged = live.areUnchanged(tables(query.releases()));
    String read = unchanged ? CachedAnswer.OF_SNAPSHOT : UUID.randomUUID().toString();
    CachedNotes cachedNotes =
        new CachedNotes(
            unchanged ? Optional.empty() : Optional.of(CachedNotes.moment(clock.instant())),
            notes,
            caps);
    drawn.forEach(d -> measured(request, d, read, unchanged).ifPresent(answers::add));
    for (NoisyAggregate point : known ? query.releases() : List.<NoisyAggregate>of()) {
      if (prepared.of(point).isEmpty()) {
        // Public rows cost nothing and are read again.
        continue;
      }
      // Labels and cells of several states do not make up a whole.
      AggregateFingerprints.Known meaning = meanings.of(point);
      Optional<MeasurementShape> parts = unchanged || oneState ? meaning.parts() : Optional.empty();
      String key = meaning.key();
      String text =
          CachedAnswer.write(
              read,
              cachedNotes,
              declared(point),
              point,
              meaning.columns(),
              parts,
              prepared.of(point),
              prepared.errors(),
              rows.get(point.id()));
      // Points that are alike but for their places are one; should two remain, one is kept.
      if (text.length() <= LONGEST && answers.stream().noneMatch(a -> a.key().equals(key))) {
        answers.add(
            new ReleasedAnswer(
                key,
                parts.map(MeasurementShape::family).orElse(""),
                state(declared(point)),
                request.analyst(),
                prepared.mechanism(),
                prepared.cost(point),
                text));
      }
    }
    return answers;
  }

  /** What is kept of the frames of a workload. */
  public List<ReleasedAnswer> measured(QueryRequest request, List<MeasuredMarginals> drawn) {
    List<ReleasedAnswer> answers = new ArrayList<>();
    for (MeasuredMarginals one : drawn) {
      boolean unchanged = live.areUnchanged(tables(List.of(one.read())));
      String read = unchanged ? CachedAnswer.OF_SNAPSHOT : UUID.randomUUID().toString();
      measured(request, one, read, unchanged).ifPresent(answers::add);
    }
    return answers;
  }

  /**
   * @param read the name of the state
   */
  private Optional<ReleasedAnswer> measured(
      QueryRequest request, MeasuredMarginals drawn, String read, boolean unchanged) {
    Optional<MeasurementShape> parts =
        known && (unchanged || oneState) ? meanings.of(drawn.read()).parts() : Optional.empty();
    List<Mechanism> mechanisms =
        drawn.strategy().cuboids().stream()
            .<Mechanism>map(MeasurementStrategy.Cuboid::mechanism)
            .toList();
    return parts
        .map(
            p -> {
              PolicyFingerprint declared = declared(drawn.read());
              String text = CachedAnswer.write(read, declared, p, drawn);
              return new ReleasedAnswer(
                  QueryFingerprint.key("cuboids " + text),
                  p.family(),
                  state(declared),
                  request.analyst(),
                  drawn.strategy().whole().name(),
                  PreparedQuery.cost(mechanisms, BigDecimal.ZERO),
                  text);
            })
        .filter(answer -> answer.body().length() <= LONGEST_CUBOIDS);
  }

  /** Every table that the answer depends on, those that supply labels included. */
  private static Set<String> tables(List<NoisyAggregate> points) {
    Set<String> tables = new TreeSet<>();
    for (NoisyAggregate point : points) {
      scanned(point.input(), tables);
      if (point.labels() instanceof Labels.Enumerated labels) {
        for (LabelSource source : labels.sources()) {
          if (source instanceof LabelSource.FromPublic table) {
            scanned(table.relation(), tables);
          }
        }
      }
    }
    return tables;
  }

  private static void scanned(Relation relation, Set<String> into) {
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            into.add(scan.table().name());
          }
        });
  }

  /**
   * The kept answers that may serve one release point.
   *
   * @param parts of the release point, where others can be recognised in it
   * @param same answers to this very release point
   * @param family answers about the same rows
   */
  private record CachedAnswers(
      NoisyAggregate point,
      Optional<MeasurementShape> parts,
      List<CachedAnswer> same,
      List<CachedAnswer> family) {

    /** Of the answers to this very release point, those of one analyst. */
    CachedAnswers of(String analyst) {
      List<CachedAnswer> own =
          same.stream().filter(a -> a.answer().analyst().equals(analyst)).toList();
      return new CachedAnswers(point, parts, own, family);
    }

    /** What was read in this state of the data; the most useful answers to an analyst first. */
    CachedAnswers in(String state, String analyst) {
      List<CachedAnswer> best =
          in(state, same).stream().sorted(Comparator.comparing(a -> use(a, analyst))).toList();
      return new CachedAnswers(point, parts, best, in(state, family));
    }

    /** The most accurate of one's own answers, then the cheapest of the others. */
    private static BigDecimal use(CachedAnswer kept, String analyst) {
      BigDecimal epsilon = kept.answer().cost().epsilon();
      return kept.answer().analyst().equals(analyst) ? epsilon.negate() : epsilon;
    }

    private static List<CachedAnswer> in(String state, List<CachedAnswer> answers) {
      return answers.stream().filter(a -> a.state().equals(state)).toList();
    }

    /**
     * The states of the data that were read, in the order of the answers. One answer must not mix
     * them: each of its numbers would be private and as accurate as it says, and still they might
     * contradict each other.
     */
    static Set<String> states(List<CachedAnswers> shelves) {
      Set<String> states = new LinkedHashSet<>();
      for (CachedAnswers shelf : shelves) {
        shelf.same().forEach(a -> states.add(a.state()));
        shelf.family().forEach(a -> states.add(a.state()));
      }
      return states;
    }
  }

  /**
   * What release points that were asked lately mean. Answering looks at it several times, and a
   * question asked again has the very same release points, since its plan is kept; comparing them
   * by their contents would take longer. Safe for several threads.
   */
  private static final class AggregateFingerprints {
    private static final int MOST = 1_000;

    /** The meaning of one. */
    static final class Known {
      private final String key;
      private final Map<Integer, String> columns;
      private final Supplier<Optional<MeasurementShape>> taking;
      private Optional<MeasurementShape> parts;

      private Known(
          String key, Map<Integer, String> columns, Supplier<Optional<MeasurementShape>> taking) {
        this.key = key;
        this.columns = columns;
        this.taking = taking;
      }

      /** In one form for all its wordings. */
      String key() {
        return key;
      }

      /** What its columns are called in that form, by id. */
      Map<Integer, String> columns() {
        return columns;
      }

      /**
       * The parts by which others can be recognised in the point; made when they are first looked
       * for.
       */
      synchronized Optional<MeasurementShape> parts() {
        if (parts == null) {
          parts = taking.get();
        }
        return parts;
      }
    }

    private record Same(NoisyAggregate point) {
      @Override
      public boolean equals(Object other) {
        return other instanceof Same same && same.point == point;
      }

      @Override
      public int hashCode() {
        return System.identityHashCode(point);
      }
    }

    private final NullabilityOracle neverNull;
    private final LruCache<Same, Known> recent = new LruCache<>(MOST);

    AggregateFingerprints(NullabilityOracle neverNull) {
      this.neverNull = neverNull;
    }

    Known of(NoisyAggregate point) {
      return recent.of(
          new Same(point),
          () ->
              new Known(
                  QueryFingerprint.key(QueryFingerprint.of(point)),
                  QueryFingerprint.columns(point),
                  () -> MeasurementShape.of(point, neverNull)));
    }
  }

  /** Reads kept answers, and keeps what was read lately; safe for several threads. */
  private static final class RecentReadings {
    private static final int MOST = 2_000;

    /** Larger ones are read again each time. */
    private static final int LONGEST = 50_000;

    /** An answer, found by texts whose hash is computed once and kept. */
    private record ByText(ReleasedAnswer answer) {
      @Override
      public boolean equals(Object other) {
        return other instanceof ByText(ReleasedAnswer that)
            && (that == answer || that.equals(answer));
      }

      @Override
      public int hashCode() {
        return 31 * answer.key().hashCode() + answer.body().hashCode();
      }
    }

    private final Map<ByText, CachedAnswer> recent = new ConcurrentHashMap<>();

    /** Nothing when it was written by another version, which costs budget and nothing else. */
    Optional<CachedAnswer> read(ReleasedAnswer answer) {
      CachedAnswer known = recent.get(new ByText(answer));
      if (known != null) {
        return Optional.of(known);
      }
      try {
        CachedAnswer read = CachedAnswer.read(answer);
        keep(read);
        return Optional.of(read);
      } catch (IllegalArgumentException | DateTimeException e) {
        return Optional.empty();
      }
    }

    /** Hundreds are looked up for one question: they are forgotten together, not by their age. */
    private void keep(CachedAnswer read) {
      if (read.answer().body().length() > LONGEST) {
        return;
      }
      if (recent.size() >= MOST) {
        recent.clear();
      }
      recent.put(new ByText(read.answer()), read);
    }
  }
}
