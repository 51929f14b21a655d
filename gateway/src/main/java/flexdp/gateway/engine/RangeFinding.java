package flexdp.gateway.engine;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.FoundRange;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.ledger.entry.ChargeRequest;
import flexdp.gateway.livedata.LiveMetrics;
import flexdp.gateway.livedata.SnapshotGuard;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.gateway.prepare.RangeSearch;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.ranges.RangeSelection;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers questions whose ranges have to be found first. Every part is an ordinary question, with a
 * charge of its own: noisy counts say the ranges, how many values lie outside is counted anew, and
 * then the question is asked with the ranges. Whoever finds none pays for the first part alone.
 */
final class RangeFinding {
  /** A noisy count is below the true one by more than this many scales one time in forty. */
  private static final double BELOW = Math.log(20);

  private final Planning planning;
  private final Preparation preparation;
  private final ReleaseLoop releaseLoop;
  private final RenderedStatements rendered;
  private final Charging charging;
  private final LiveMetrics live;
  private final Database database;

  RangeFinding(
      Planning planning,
      Preparation preparation,
      ReleaseLoop releaseLoop,
      RenderedStatements rendered,
      Charging charging,
      LiveMetrics live,
      Database database) {
    this.planning = planning;
    this.preparation = preparation;
    this.releaseLoop = releaseLoop;
    this.rendered = rendered;
    this.charging = charging;
    this.live = live;
    this.database = database;
  }

  /** How ordinary questions are answered. */
  interface Answers {
    /**
     * @param sums whether sums of released bins, which have more noise, will do
     * @param before done before anything is charged, and not at all if nothing is
     */
    AnalystView answer(QueryRequest ask, Plan plan, boolean sums, Runnable before);
  }

  /**
   * All parts of an answer, ready to be charged.
   *
   * @param squares whether squares of ε add up
   * @param counts the noisy counts, one of each histogram
   * @param outside how many lie outside, one of each range
   * @param widest the question with the widest ranges that can come out
   */
  record Ready(
      RangeSearch search,
      boolean squares,
      List<PreparedQuery> counts,
      List<PreparedQuery> outside,
      PreparedQuery widest) {
    /** Everything that is charged, but for some counts that were. */
    private List<PreparedQuery> from(int histogram) {
      List<PreparedQuery> parts = new ArrayList<>(counts.subList(histogram, counts.size()));
      parts.addAll(outside);
      parts.add(widest);
      return parts;
    }
  }

  /**
   * Whatever can be refused is refused here. Levels are left out at the top until the widest range
   * that can come out is not refused.
   *
   * @param missing why the question has no plan by itself
   */
  Ready ready(QueryRequest ask, Rejection missing, CancellationToken cancellation) {
    boolean squares = planning.bySquares(ask);
    RangeSearch search = planning.search(ask, missing);
    Optional<Rejection> first = Optional.empty();
    while (true) {
      try {
        return ready(search, squares, missing, cancellation);
      } catch (Rejection e) {
        Rejection said = first.orElse(e);
        first = Optional.of(said);
        search = search.narrower().orElseThrow(() -> said);
      }
    }
  }

  /** Without touching the database; ranges change no column. */
  List<DpQuery.ResultColumn> columns(QueryRequest ask, Rejection missing) {
    return planning.search(ask, missing).columns();
  }

  private Ready ready(
      RangeSearch search, boolean squares, Rejection missing, CancellationToken cancellation) {
    List<Range> ranges = search.widest();
    Plan widest = Planning.releasable(search.plan(ranges, squares));
    preparation.check(widest);
    RangeSearch settled = search.settled(squares, missing);
    List<PreparedQuery> counts = new ArrayList<>();
    for (RangeSearch.Histogram histogram : settled.histograms()) {
      counts.add(ready(histogram.request(), Planning.releasable(histogram.plan()), cancellation));
    }
    List<PreparedQuery> outside = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      RangeSearch.Sought sought = settled.sought().get(i);
      Plan plan = Planning.releasable(settled.outside(sought, ranges.get(i), squares));
      outside.add(ready(settled.counting(sought), plan, cancellation));
    }
    return new Ready(
        settled, squares, counts, outside, ready(settled.answering(), widest, cancellation));
  }

  private PreparedQuery ready(QueryRequest ask, Plan plan, CancellationToken cancellation) {
    try (SnapshotGuard guard = live.footing(database, cancellation).needs(plan)) {
      PreparedQuery prepared =
          guard.steady(
              () ->
                  preparation.prepare(
                      ask, plan, new StatementExecution(guard, rendered.renderer())));
      preparation.check(plan);
      releaseLoop.rehearse(prepared);
      return prepared;
    }
  }

  /**
   * @throws Rejection when a range is not found; the search stays charged
   */
  AnalystView answer(QueryRequest ask, Ready ready, Answers answers) {
    RangeSearch search = ready.search();
    List<AnalystView> steps = new ArrayList<>();
    List<RangeSelection.Found> found = ranges(ask, ready, answers, steps);
    List<FoundRange> shown = new ArrayList<>();
    for (int i = 0; i < found.size(); i++) {
      shown.add(outside(ready, i, found.get(i), answers, steps));
    }
    List<Range> ranges = found.stream().map(RangeSelection.Found::range).toList();
    Plan plan = Planning.releasable(search.plan(ranges, ready.squares()));
    return answers
        .answer(search.answering().withIntervals(ask.intervals()), plan, true, () -> {})
        .found(shown, steps);
  }

  /**
   * What is said before the ranges are found.
   *
   * @param widest what is said of the question with the widest ranges
   * @param epsilon of all parts
   */
  static Explanation explained(Explanation widest, BigDecimal epsilon, Ready ready) {
    return widest.finding(
        epsilon, ready.search().sought().stream().map(s -> toFind(ready, s)).toList());
  }

  private static Explanation.ToFind toFind(Ready ready, RangeSearch.Sought sought) {
    RangeSearch search = ready.search();
    Plan counts = search.histograms().get(sought.histogram()).plan();
    return new Explanation.ToFind(
        sought.name(),
        search.shares().finding(),
        search.shares().counting(),
        counts.measurements().stream()
            .flatMap(m -> m.noise().flatMap(CalibratedMechanism::added).stream())
            .map(CalibratedMechanism::sensitivity)
            .findFirst());
  }

  /** What noisy counts say, one range for each that is sought. */
  List<RangeSelection.Found> ranges(
      QueryRequest ask, Ready ready, Answers answers, List<AnalystView> steps) {
    RangeSearch search = ready.search();
    List<AnalystView> views = new ArrayList<>();
    for (int i = 0; i < search.histograms().size(); i++) {
      RangeSearch.Histogram histogram = search.histograms().get(i);
      List<PreparedQuery> rest = ready.from(i);
      views.add(
          answers.answer(
              histogram.request(),
              histogram.plan(),
              false,
              () -> charging.requireRoom(request(ask, rest))));
    }
    steps.addAll(views);
    List<RangeSelection.Found> found = new ArrayList<>();
    for (RangeSearch.Sought sought : search.sought()) {
      RangeSearch.Histogram histogram = search.histograms().get(sought.histogram());
      AnalystView view = views.get(sought.histogram());
      found.add(
          search
              .choose(
                  sought,
                  counts(histogram, view),
                  scale(histogram.plan(), view),
                  cells(ready.widest(), sought),
                  ready.widest().plan())
              .orElseThrow(() -> notFound(search, sought)));
    }
    return found;
  }

  /**
   * The range of a column by itself, for all of the ε that is asked with; nothing where no values
   * stand out, which is paid for all the same.
   */
  Optional<FoundRange> alone(
      QueryRequest ask,
      Table table,
      String column,
      Answers answers,
      CancellationToken cancellation) {
    RangeSearch search = planning.search(ask, table, column);
    RangeSearch.Histogram histogram = search.histograms().getFirst();
    ready(histogram.request(), Planning.releasable(histogram.plan()), cancellation);
    AnalystView view = answers.answer(histogram.request(), histogram.plan(), false, () -> {});
    RangeSearch.Sought sought = search.sought().getFirst();
    return search
        .choose(sought, counts(histogram, view), scale(histogram.plan(), view), 1, histogram.plan())
        .map(
            found ->
                new FoundRange(
                    table.name() + "." + column,
                    found.range(),
                    histogram.request().options().epsilon().orElseThrow(),
                    found.values(),
                    BigDecimal.ZERO,
                    BigDecimal.ZERO,
                    false));
  }

  private ChargeRequest request(QueryRequest ask, List<PreparedQuery> parts) {
    Set<String> tables = new TreeSet<>();
    parts.forEach(part -> tables.addAll(part.tables()));
    Plan question = parts.getLast().plan();
    return preparation
        .request(ask, parts.getLast().mechanism(), tables, PreparedQuery.together(parts))
        .reading(QueryPartitions.of(question));
  }

  private static List<BigDecimal> counts(RangeSearch.Histogram histogram, AnalystView view) {
    Map<Integer, BigDecimal> counts = new HashMap<>();
    for (List<Object> row : view.rows()) {
      counts.put(number(row.getFirst()).intValueExact(), number(row.getLast()));
    }
    return histogram.buckets().ids().stream()
        .map(id -> counts.getOrDefault(id, BigDecimal.ZERO))
        .toList();
  }

  private static BigDecimal number(Object value) {
    return new BigDecimal(value.toString());
  }

  /** Of people it is known with the counts only: an error bar below a count is of noise alone. */
  private static double scale(Plan plan, AnalystView view) {
    return RangeSearch.scale(plan)
        .map(BigDecimal::doubleValue)
        .orElseGet(
            () -> {
              int last = view.columns().size() - 1;
              double widest = 0;
              for (int row = 0; row < view.rows().size(); row++) {
                Optional<AnalystView.Bar> bar = view.interval(row, last);
                double value = number(view.rows().get(row).get(last)).doubleValue();
                widest = Math.max(widest, bar.map(b -> value - b.low().doubleValue()).orElse(0.0));
              }
              return Math.max(1, widest / BELOW);
            });
  }

  /** How many noisy numbers there are, where that is public. */
  private static long cells(PreparedQuery prepared, RangeSearch.Sought sought) {
    for (NoisyAggregate point : prepared.plan().query().releases()) {
      if (point.input().equals(sought.serves().getFirst().input())) {
        return prepared
            .labels()
            .getOrDefault(point.id(), Optional.empty())
            .map(List::size)
            .orElse(1);
      }
    }
    return 1;
  }

  private FoundRange outside(
      Ready ready,
      int place,
      RangeSelection.Found found,
      Answers answers,
      List<AnalystView> steps) {
    RangeSearch search = ready.search();
    RangeSearch.Sought sought = search.sought().get(place);
    Plan plan = Planning.releasable(search.outside(sought, found.range(), ready.squares()));
    AnalystView view = answers.answer(search.counting(sought), plan, false, () -> {});
    steps.add(view);
    List<Object> row = view.rows().getFirst();
    BigDecimal noisy = number(row.getLast());
    boolean people = RangeSearch.scale(plan).isEmpty();
    BigDecimal most =
        people
            ? view.interval(0, row.size() - 1)
                .map(AnalystView.Bar::high)
                .orElse(noisy)
                .setScale(0, RoundingMode.CEILING)
            : RangeSearch.atMost(noisy, RangeSearch.scale(plan).orElseThrow().doubleValue());
    return new FoundRange(
        sought.name(),
        found.range(),
        search.shares().finding(),
        found.values(),
        noisy.max(BigDecimal.ZERO).setScale(0, RoundingMode.HALF_UP),
        most.max(BigDecimal.ZERO),
        people);
  }

  /** Depends on the data by noisy counts alone, which were paid for. */
  private static Rejection notFound(RangeSearch search, RangeSearch.Sought sought) {
    BigDecimal spent =
        search.shares().finding().multiply(BigDecimal.valueOf(search.histograms().size()));
    return Rejection.of(
        RejectionCode.RANGE_NOT_FOUND,
        "No range was found for " + sought.name() + ".",
        "Looking for it cost epsilon "
            + spent.stripTrailingZeros().toPlainString()
            + ". Values have to stand out of the noise: ask with a larger epsilon, or of more rows;"
            + " or write LEAST(GREATEST(x, low), high) around the argument x with bounds of your"
            + " choice.",
        Position.START);
  }
}
