package flexdp.gateway.prepare;

import flexdp.Analyzer;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.query.DpQuery;
import flexdp.query.MissingRange;
import flexdp.query.RangeSource;
import flexdp.ranges.RangeBuckets;
import flexdp.ranges.RangeQueries;
import flexdp.ranges.RangeSelection;
import flexdp.release.Interpreter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A question some of whose ranges nobody declared, with the questions that find them: how many
 * values each bucket of a public ladder has, and how many lie outside of what was found. Each of
 * them is an ordinary question with an ε of its own, and so is what is left once the ranges are
 * there. Nothing of it comes from data.
 */
public final class RangeSearch {
  private final Analyzer analyzer;
  private final QueryRequest request;
  private final Relation relation;
  private final RangeShares shares;
  private final List<Histogram> histograms;
  private final List<Sought> sought;
  private final int dropped;

  /**
   * A question for noisy counts.
   *
   * @param of what it counts
   * @param buckets by which it counts
   */
  public record Histogram(MissingRange of, RangeBuckets buckets, QueryRequest request, Plan plan) {}

  /**
   * A range.
   *
   * @param histogram by number
   * @param serves aggregates over the same values
   */
  public record Sought(int histogram, List<MissingRange> serves) {
    /** For a sum if it serves one; sums from its middle can be had of any range. */
    MissingRange first() {
      return serves.stream()
          .filter(w -> w.use() == MissingRange.Use.SUM)
          .findFirst()
          .orElse(serves.getFirst());
    }

    public String name() {
      return first().name();
    }

    private boolean takes(MissingRange other, int of) {
      return histogram == of
          && (isSum(first()) && isSum(other)
              || first().use() == other.use() && first().fraction().equals(other.fraction()));
    }

    private static boolean isSum(MissingRange wanted) {
      return wanted.use() == MissingRange.Use.SUM || wanted.use() == MissingRange.Use.CENTRED;
    }
  }

  private RangeSearch(
      Analyzer analyzer,
      QueryRequest request,
      Relation relation,
      RangeShares shares,
      List<Histogram> histograms,
      List<Sought> sought,
      int dropped) {
    this.analyzer = analyzer;
    this.request = request;
    this.relation = relation;
    this.shares = shares;
    this.histograms = List.copyOf(histograms);
    this.sought = List.copyOf(sought);
    this.dropped = dropped;
  }

  /** Asks for ranges, and remembers what was asked for. */
  private record Collecting(List<MissingRange> wanted) implements RangeSource {
    @Override
    public Optional<Range> of(MissingRange one) {
      if (!wanted.contains(one)) {
        wanted.add(one);
      }
      return buckets(one, 0).map(RangeBuckets::widest);
    }
  }

  private static Optional<RangeBuckets> buckets(MissingRange of, int dropped) {
    return RangeBuckets.of(of.type(), of.low(), of.high(), dropped);
  }

  /**
   * @param squares whether all that pay add up squares of ε
   * @throws Rejection when the question is refused even if ranges are found
   */
  static RangeSearch of(
      Analyzer analyzer,
      QueryRequest request,
      BigDecimal epsilon,
      boolean squares,
      Rejection missing) {
    if (request.within().isPresent() || request.options().noiseLimit().isPresent()) {
      throw Rejection.of(
          RejectionCode.ACCURACY_UNKNOWN,
          "How wrong the answer will be is not known before its range is found.",
          "Ask with an epsilon; or write LEAST(GREATEST(x, low), high) around the argument x, with"
              + " bounds of your choice.",
          missing.at().orElse(Position.START));
    }
    if (request.options().propose().isPresent()
        || request.options().mechanism() == MechanismChoice.FLEX) {
      throw missing;
    }
    Relation relation = analyzer.bound(request.sql()).relation();
    List<MissingRange> wanted = new ArrayList<>();
    RangeSource collecting = source(analyzer, request, new Collecting(wanted));
    analyzer.cut(relation, request.options().analysis(), collecting);
    return of(analyzer, request, relation, wanted, epsilon, squares, missing);
  }

  /**
   * The range of a column by itself: everything that stands out of the noise, for all of ε.
   *
   * @throws Rejection when its table is not read so
   */
  static RangeSearch alone(
      Analyzer analyzer, QueryRequest request, Table table, String column, boolean squares) {
    List<Column> columns = new ArrayList<>();
    for (ColumnSpec spec : table.columns()) {
      columns.add(new Column(columns.size() + 1, spec.name(), spec.type(), spec.nullable()));
    }
    Relation scan = new Relation.Scan(table, columns, Position.START);
    Expr argument =
        columns.stream().filter(c -> c.name().equals(column)).findFirst().orElseThrow().ref();
    MissingRange wanted =
        new MissingRange(
            scan,
            argument,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            MissingRange.Use.EXTREMES,
            Optional.empty(),
            column);
    BigDecimal epsilon = request.options().epsilon().orElseThrow();
    RangeShares shares = new RangeShares(epsilon, epsilon, epsilon);
    Rejection missing =
        Rejection.of(
            RejectionCode.MISSING_RANGE,
            "No range can be found of " + table.name() + "." + column + ".",
            "How far one step moves noisy counts of its values is not public: declare a range.",
            Position.START);
    Histogram histogram = histogram(analyzer, request, shares, squares, wanted, missing);
    return new RangeSearch(
        analyzer,
        request,
        scan,
        shares,
        List.of(histogram),
        List.of(new Sought(0, List.of(wanted))),
        0);
  }

  private static RangeSource source(Analyzer analyzer, QueryRequest request, RangeSource found) {
    return request.options().ranges() == RangeChoice.FIND ? found : analyzer.released().or(found);
  }

  private static RangeSearch of(
      Analyzer analyzer,
      QueryRequest request,
      Relation relation,
      List<MissingRange> wanted,
      BigDecimal epsilon,
      boolean squares,
      Rejection missing) {
    List<MissingRange> counted = new ArrayList<>();
    List<Sought> sought = new ArrayList<>();
    for (MissingRange one : wanted) {
      int histogram = 0;
      while (histogram < counted.size() && !counted.get(histogram).hasValuesOf(one)) {
        histogram++;
      }
      if (histogram == counted.size()) {
        counted.add(one);
      }
      add(sought, histogram, one);
    }
    RangeShares shares = RangeShares.of(epsilon, counted.size(), sought.size(), squares);
    List<Histogram> histograms = new ArrayList<>();
    for (MissingRange one : counted) {
      histograms.add(histogram(analyzer, request, shares, squares, one, missing));
    }
    return new RangeSearch(analyzer, request, relation, shares, histograms, sought, 0);
  }

  private static void add(List<Sought> sought, int histogram, MissingRange one) {
    for (int i = 0; i < sought.size(); i++) {
      if (sought.get(i).takes(one, histogram)) {
        List<MissingRange> serves = new ArrayList<>(sought.get(i).serves());
        serves.add(one);
        sought.set(i, new Sought(histogram, serves));
        return;
      }
    }
    sought.add(new Sought(histogram, List.of(one)));
  }

  /**
   * Noisy counts are of use if everybody may know how noisy they are: whether some stand out must
   * not depend on a private scale.
   */
  private static Histogram histogram(
      Analyzer analyzer,
      QueryRequest request,
      RangeShares shares,
      boolean squares,
      MissingRange of,
      Rejection missing) {
    RangeBuckets buckets = buckets(of, 0).orElseThrow(() -> missing);
    QueryRequest counting = step(request, shares.finding(), "counts of " + of.name());
    Plan plan;
    try {
      plan =
          analyzer.plan(
              new RangeQueries(of, at(missing)).histogram(buckets),
              counting.options().analysis().bySquares(squares),
              RangeSource.NONE);
    } catch (Rejection e) {
      throw missing;
    }
    if (!isPublic(plan)) {
      throw missing;
    }
    return new Histogram(of, buckets, counting, plan);
  }

  private static boolean isPublic(Plan plan) {
    return plan.measurements().stream()
        .allMatch(
            m ->
                m.noise()
                    .filter(n -> n.mechanism().isPure() && n.isPublic())
                    .filter(n -> n.added().isPresent() || n.tellsItsNoise())
                    .isPresent());
  }

  private static Position at(Rejection missing) {
    return missing.at().orElse(Position.START);
  }

  /** Pays for a part of the answer. */
  private static QueryRequest step(QueryRequest request, BigDecimal epsilon, String what) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(epsilon),
            request.options().delta(),
            Optional.empty(),
            Optional.empty(),
            request.options().strategy());
    return new QueryRequest(
        "/* " + what.replace("*/", "") + " */ " + request.sql(),
        options,
        request.analyst(),
        request.roles(),
        request.fresh(),
        true,
        Optional.empty());
  }

  public List<Histogram> histograms() {
    return histograms;
  }

  public List<Sought> sought() {
    return sought;
  }

  public RangeShares shares() {
    return shares;
  }

  /** How the question is asked once its ranges are there. */
  public QueryRequest answering() {
    return request.at(shares.answering());
  }

  /** This search with one level less at the top; nothing where there is none. */
  public Optional<RangeSearch> narrower() {
    boolean all = histograms.stream().allMatch(h -> buckets(h.of(), dropped + 1).isPresent());
    return all
        ? Optional.of(
            new RangeSearch(analyzer, request, relation, shares, histograms, sought, dropped + 1))
        : Optional.empty();
  }

  /** This search with counts that end where its ranges do. */
  public RangeSearch settled(boolean squares, Rejection missing) {
    if (dropped == 0) {
      return this;
    }
    List<Histogram> cut = new ArrayList<>();
    for (Histogram h : histograms) {
      RangeBuckets buckets = buckets(h.of(), dropped).orElseThrow(() -> missing);
      Plan plan =
          analyzer.plan(
              new RangeQueries(h.of(), at(missing)).histogram(buckets),
              h.request().options().analysis().bySquares(squares),
              RangeSource.NONE);
      cut.add(new Histogram(h.of(), buckets, h.request(), plan));
    }
    return new RangeSearch(analyzer, request, relation, shares, cut, sought, dropped);
  }

  /** As wide as they can come out. */
  public List<Range> widest() {
    return sought.stream()
        .map(s -> buckets(histograms.get(s.histogram()).of(), dropped).orElseThrow().widest())
        .toList();
  }

  /** The question with these ranges, one for each that is sought. */
  public Plan plan(List<Range> ranges, boolean squares) {
    return analyzer.plan(
        relation, answering().options().analysis().bySquares(squares), source(ranges));
  }

  /** The columns of its answer, which do not depend on ranges. */
  public List<DpQuery.ResultColumn> columns() {
    DpQuery query = analyzer.cut(relation, request.options().analysis(), source(widest()));
    Interpreter.check(query.top());
    return query.columns();
  }

  private RangeSource source(List<Range> ranges) {
    Map<MissingRange, Range> known = new HashMap<>();
    for (int i = 0; i < sought.size(); i++) {
      for (MissingRange one : sought.get(i).serves()) {
        known.put(one, ranges.get(i));
      }
    }
    return source(analyzer, request, one -> Optional.ofNullable(known.get(one)));
  }

  /** How many values lie outside of a range. */
  public QueryRequest counting(Sought of) {
    return step(request, shares.counting(), "values outside of the range of " + of.name());
  }

  /** The plan of that. */
  public Plan outside(Sought of, Range range, boolean squares) {
    return analyzer.plan(
        new RangeQueries(histograms.get(of.histogram()).of(), Position.START).outside(range),
        counting(of).options().analysis().bySquares(squares),
        RangeSource.NONE);
  }

  /**
   * The range that noisy counts suggest; nothing where none stands out.
   *
   * @param scale of their noise
   * @param cells how many noisy numbers the answer has, as far as that is public
   * @param widest the question as it is planned for the widest ranges
   */
  public Optional<RangeSelection.Found> choose(
      Sought of, List<BigDecimal> noisy, double scale, long cells, Plan widest) {
    Histogram histogram = histograms.get(of.histogram());
    RangeSelection choice = new RangeSelection(histogram.buckets(), scale);
    MissingRange first = of.first();
    double perUnit = perUnit(histogram, cells, widest);
    return switch (first.use()) {
      case SUM -> choice.sum(noisy, perUnit, isOfRows(histogram, widest));
      case CENTRED -> choice.centred(noisy, perUnit);
      case EXTREMES -> choice.extremes(noisy);
      case RANK -> choice.rank(noisy, first.fraction().orElseThrow().doubleValue());
    };
  }

  /** Whether one step moves a sum by its range's larger end, whatever the other is. */
  private static boolean isOfRows(Histogram histogram, Plan plan) {
    return plan.neighbors() == Neighbors.ADD_REMOVE_ONE
        && histogram.plan().measurements().stream()
            .noneMatch(m -> m.noise().orElseThrow().hasLevel());
  }

  /** A guess at the noise of all cells, of public numbers alone. */
  private static double perUnit(Histogram histogram, long cells, Plan widest) {
    double multiplicity =
        histogram.plan().measurements().stream()
            .flatMap(m -> m.noise().orElseThrow().added().stream())
            .mapToDouble(n -> n.sensitivity().doubleValue())
            .findFirst()
            .orElse(1);
    double epsilon =
        widest.measurements().stream()
            .flatMap(m -> m.noise().stream())
            .mapToDouble(n -> n.mechanism().epsilon().doubleValue())
            .min()
            .orElse(1);
    return Math.max(1, cells) * multiplicity / epsilon;
  }

  /** The scale of the noise of counts, where it is known before they are made. */
  public static Optional<BigDecimal> scale(Plan counts) {
    return counts.measurements().stream()
        .flatMap(m -> m.noise().flatMap(CalibratedMechanism::added).stream())
        .map(n -> n.mechanism().scale(n.sensitivity()))
        .findFirst();
  }

  /** How many are outside at most with probability 95 %, if noise of this scale was added. */
  public static BigDecimal atMost(BigDecimal noisy, double scale) {
    return noisy
        .add(BigDecimal.valueOf(scale * Math.log(10)))
        .max(BigDecimal.ZERO)
        .setScale(0, RoundingMode.CEILING);
  }

  /**
   * What of a question's ε finds its ranges, what counts the values outside of them, and what is
   * left for the answer. Where squares of ε add up, squares are shared. Rounded down, so that
   * together they never exceed the whole.
   *
   * @param finding for each histogram
   * @param counting for each range
   * @param answering for the question itself
   */
  public record RangeShares(BigDecimal finding, BigDecimal counting, BigDecimal answering) {
    private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);
    private static final MathContext MORE = new MathContext(40, RoundingMode.FLOOR);

    /** Finding, counting and answering, in parts of all of them together. */
    private static final int[] SHARES = {8, 1, 23};

    private static final int[] SQUARES = {16, 1, 111};

    /**
     * @param epsilon of the whole question
     * @param histograms how many are made
     * @param ranges how many are found
     * @param squares whether what is spent adds up by squares
     */
    public static RangeShares of(BigDecimal epsilon, int histograms, int ranges, boolean squares) {
      int[] shares = squares ? SQUARES : SHARES;
      int all = shares[0] + shares[1] + shares[2];
      return new RangeShares(
          part(epsilon, shares[0], (long) all * histograms, squares),
          part(epsilon, shares[1], (long) all * ranges, squares),
          part(epsilon, shares[2], all, squares));
    }

    private static BigDecimal part(BigDecimal epsilon, long share, long all, boolean squares) {
      BigDecimal part = BigDecimal.valueOf(share);
      BigDecimal whole = BigDecimal.valueOf(all);
      return squares
          ? epsilon.multiply(part.divide(whole, MORE).sqrt(MORE), DOWN)
          : epsilon.multiply(part).divide(whole, DOWN);
    }
  }
}
