package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.failure.TimeBudget;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.properties.IdentifyingColumns;
import flexdp.properties.TextLengthLimit;
import flexdp.query.Bins;
import flexdp.query.DecompositionContext;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.query.RangeSource;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Cuts a bound query at its topmost aggregates (guarantee §2). What lies above them is computed on
 * noisy values; protected rows that would reach that part are rejected.
 */
public final class QueryDecomposer {
  /** How MIN and MAX over all groups of another aggregate are made. */
  private enum Extremes {
    /** With a draw of their own. */
    MEASURED,
    /** From the noisy groups. */
    COMPUTED,
    /** Not at all: NULL stands in their place. */
    LEFT_OUT,
    /** From the noisy groups, and so is every other number of groups. */
    ALL_COMPUTED
  }

  private final Policy policy;
  private final Optional<Bins> bins;
  private final Optional<LocalDateTime> now;
  private final RangeSource ranges;
  private final FreshColumns fresh;
  private final boolean aggregated;
  private final IdentifyingColumns individuals;
  private final Extremes extremes;

  /** The part of the question that asks for labels alone. */
  private final Optional<Relation> list;

  private boolean listed;
  private final List<NoisyAggregate> cutAt = new ArrayList<>();
  private final Map<Integer, DpQuery.ResultColumn.Kind> kinds = new HashMap<>();
  private final Map<Integer, String> aggregates = new HashMap<>();

  /** The measurement that a column shows as it is, by the ids of both. */
  private final Map<Integer, Integer> shows = new HashMap<>();

  /**
   * @param written as it was asked; the order of people's rows goes on by keys that nobody wrote
   * @param extremes how MIN and MAX over all groups are made
   */
  private QueryDecomposer(
      Relation written,
      Relation root,
      Policy policy,
      DecompositionContext context,
      Extremes extremes) {
    this.ranges = context.ranges();
    this.extremes = extremes;
    this.policy = policy;
    this.bins = context.bins();
    this.now = context.now();
    this.fresh = new FreshColumns(root);
    this.aggregated = hasAggregate(root);
    this.individuals = IdentifyingColumns.check(written, policy);
    this.list = DeclaredLabels.askedFor(root);
  }

  public static DpQuery of(Relation root, Policy policy, Optional<Bins> bins) {
    return of(root, policy, new DecompositionContext(bins, RangeSource.NONE, Optional.empty()));
  }

  public static DpQuery of(Relation root, Policy policy, DecompositionContext context) {
    Relation written = ModeRewriting.of(root, policy);
    Relation shaped = TieBreaking.in(written);
    return (hasExtremes(shaped)
            ? fromNoisyGroups(written, shaped, policy, context)
            : Optional.<DpQuery>empty())
        .orElseGet(() -> measured(written, shaped, policy, context));
  }

  /**
   * The average of daily numbers of users has no range to be measured within. Where nothing but
   * groups of other aggregates is read it is that of the noisy groups, which costs nothing more.
   */
  private static DpQuery measured(
      Relation written, Relation shaped, Policy policy, DecompositionContext context) {
    try {
      return new QueryDecomposer(written, shaped, policy, context, Extremes.MEASURED)
          .question(shaped);
    } catch (Rejection e) {
      if (e.code() != RejectionCode.MISSING_RANGE || !hasGroups(shaped)) {
        throw e;
      }
      try {
        DpQuery computed =
            new QueryDecomposer(written, shaped, policy, context, Extremes.ALL_COMPUTED)
                .question(shaped);
        // Groups that are left out for being small would be missing from sums without a word.
        if (computed.releases().stream()
            .noneMatch(point -> point.labels() instanceof Labels.Thresholded)) {
          return computed;
        }
        throw e;
      } catch (Rejection other) {
        throw e; // What is missing is the range; that groups cannot be read is another matter.
      }
    }
  }

  /**
   * The question with MIN and MAX over all groups read from the noisy groups, if these are drawn
   * anyway: {@code WHERE n = (SELECT MAX(n) FROM t)} beside {@code t} compares each noisy count
   * with the greatest of them, not with another draw that equals none.
   */
  private static Optional<DpQuery> fromNoisyGroups(
      Relation written, Relation shaped, Policy policy, DecompositionContext context) {
    try {
      DpQuery without =
          new QueryDecomposer(written, shaped, policy, context, Extremes.LEFT_OUT).question(shaped);
      DpQuery with =
          new QueryDecomposer(written, shaped, policy, context, Extremes.COMPUTED).question(shaped);
      return draws(without) == draws(with) ? Optional.of(with) : Optional.empty();
    } catch (Rejection e) {
      return Optional.empty(); // the groups themselves cannot be shown
    }
  }

  private static int draws(DpQuery query) {
    return query.releases().stream().mapToInt(point -> point.measurements().size()).sum();
  }

  private DpQuery question(Relation root) {
    Relation cut = cut(root);
    cutAt.forEach(release -> IntervalColumns.refuse(release.input()));
    cutAt.forEach(release -> WindowCheck.below(release.input()));
    cutAt.forEach(release -> PublicTextLists.refuse(release.input()));
    TextLengthLimit.check(root);
    AlgebraWalker.visit(
        root,
        r ->
            AlgebraWalker.expressions(
                r, e -> AlgebraWalker.parts(e, QueryDecomposer::noSumOfMonthsAndDays)));
    SharedMeasurements sharing = SharedMeasurements.of(cutAt, fresh);
    List<NoisyAggregate> releases = sharing.releases();
    Relation read = sharing.read(cut);
    Relation top = new IntervalColumns(releases, read, fresh).resolve(read);
    Map<Integer, Integer> drawn = DpQuery.readings(top);
    List<DpQuery.ResultColumn> columns = new ArrayList<>();
    Map<Integer, String> names = new HashMap<>();
    for (Column column : top.columns()) {
      columns.add(
          new DpQuery.ResultColumn(
              column,
              kinds.getOrDefault(column.id(), DpQuery.ResultColumn.Kind.KEY),
              aggregates.getOrDefault(column.id(), "")));
      if (shows.containsKey(column.id())) {
        int shown = shows.get(column.id());
        names.putIfAbsent(drawn.getOrDefault(shown, shown), column.name());
      }
    }
    List<NoisyAggregate> named = releases.stream().map(r -> withNames(r, names)).toList();
    return new DpQuery(top, named, columns, joins(root), listed);
  }

  private static NoisyAggregate withNames(NoisyAggregate release, Map<Integer, String> names) {
    List<Measurement> measurements = new ArrayList<>();
    for (Measurement m : release.measurements()) {
      measurements.add(m.shownAs(Optional.ofNullable(names.get(m.output().id()))));
    }
    return release.with(measurements);
  }

  private Relation cut(Relation relation) {
    TimeBudget.step();
    if (AlgebraWalker.isPublic(relation)) {
      WindowCheck.below(relation);
      return relation;
    }
    return switch (relation) {
      case Relation.Limit r when r.count().isPresent() && r.count().getAsLong() == 0 -> empty(r);
      case Relation.Filter r when DeclaredLabels.isNever(r.predicate()) -> empty(r);
      case Relation.Distinct r when list.filter(l -> l == r).isPresent() ->
          declared(DeclaredLabels.distinct(r.input()))
              .orElseGet(() -> new Relation.Distinct(cut(r.input())));
      case Relation.Aggregate r when list.filter(l -> l == r).isPresent() ->
          declared(r).orElseThrow(() -> labelsAlone(r));
      case Relation.Aggregate r when isExtremeOfGroups(r) ->
          switch (extremes) {
            case MEASURED -> release(r);
            case COMPUTED, ALL_COMPUTED -> cut(overAllRows(r));
            case LEFT_OUT -> nulls(r);
          };
      case Relation.Aggregate r when extremes == Extremes.ALL_COMPUTED && isOfGroups(r) ->
          cut(overAllRows(r));
      case Relation.Aggregate r -> release(r);
      case Relation.Filter r -> new Relation.Filter(cut(r.input()), r.predicate());
      case Relation.Project r -> {
        Relation input = cut(r.input());
        r.outputs().forEach(this::derive);
        yield new Relation.Project(input, r.outputs());
      }
      case Relation.Join r ->
          new Relation.Join(r.kind(), cut(r.left()), cut(r.right()), r.condition(), r.at());
      case Relation.Distinct r -> new Relation.Distinct(cut(r.input()));
      case Relation.SetOperation r -> {
        Relation left = cut(r.left());
        Relation right = cut(r.right());
        for (int i = 0; i < r.columns().size(); i++) {
          inherit(r.columns().get(i).id(), left.columns().get(i).id());
        }
        yield new Relation.SetOperation(r.kind(), r.all(), left, right, r.columns(), r.at());
      }
      case Relation.Limit r -> {
        Relation input = cut(r.input());
        yield new Relation.Limit(input, noisyNullsLast(r.order()), r.offset(), r.count(), r.at());
      }
      case Relation.Scan r -> throw rawRows(r.at());
      case Relation.Where r -> throw above(r.input(), "a subquery", position(r));
      case Relation.Attach r -> throw above(r.input(), "a correlated subquery", position(r));
      case Relation.Window r -> {
        requireAggregate(r.input(), r.calls().getFirst().at());
        Relation input = cut(r.input());
        r.calls().forEach(WindowCheck::above);
        r.calls().forEach(call -> kinds.put(call.output().id(), kind(call)));
        yield new Relation.Window(input, r.calls());
      }
      case Relation.TopRows r -> {
        requireAggregate(r.input(), r.at());
        Relation input = cut(r.input());
        yield new Relation.TopRows(
            input,
            r.partition(),
            noisyNullsLast(r.order()),
            r.count(),
            r.also(),
            r.nullsStay(),
            r.at());
      }
      case Relation.Values r -> r;
      case Relation.Released r -> r;
    };
  }

  /**
   * Sorts groups that have no value behind all others, in both directions: that an average is NULL
   * says mostly that its group has no rows, and such a group would not be there without noise.
   */
  private List<SortKey> noisyNullsLast(List<SortKey> order) {
    return order.stream()
        .map(
            key ->
                kind(key.expr()) == DpQuery.ResultColumn.Kind.DERIVED
                    ? new SortKey(key.expr(), key.descending(), false)
                    : key)
        .toList();
  }

  /** Whether it is the least or the greatest value of all groups of another aggregate. */
  private static boolean isExtremeOfGroups(Relation.Aggregate aggregate) {
    return isOfGroups(aggregate) && aggregate.calls().stream().allMatch(QueryDecomposer::isExtreme);
  }

  /** Whether it is one row of numbers of what another aggregate gives. */
  private static boolean isOfGroups(Relation.Aggregate aggregate) {
    return aggregate.keys().isEmpty()
        && aggregate.groupingSets().size() == 1
        && aggregate.having().isEmpty()
        && !aggregate.calls().isEmpty()
        && hasAggregate(aggregate.input());
  }

  private static boolean hasGroups(Relation relation) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        relation, r -> found[0] |= r instanceof Relation.Aggregate a && isOfGroups(a));
    return found[0];
  }

  private static boolean hasExtremes(Relation relation) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        relation, r -> found[0] |= r instanceof Relation.Aggregate a && isExtremeOfGroups(a));
    return found[0];
  }

  private static Relation nulls(Relation.Aggregate aggregate) {
    List<Column> columns = aggregate.visible().stream().map(Column::asNullable).toList();
    return new Relation.Values(
        columns, List.of(columns.stream().map(c -> new Expr.Literal(null, c.type())).toList()));
  }

  private static boolean isExtreme(AggregateCall call) {
    return (call.kind() == AggregateCall.Kind.MIN || call.kind() == AggregateCall.Kind.MAX)
        && !call.distinct()
        && call.filter().isEmpty();
  }

  /** An aggregate without keys as window functions over all rows, of which one row is read. */
  private static Relation overAllRows(Relation.Aggregate aggregate) {
    List<WindowCall> calls =
        aggregate.calls().stream()
            .map(
                call ->
                    new WindowCall(
                        call.output(),
                        Optional.of(call),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        call.at()))
            .toList();
    Relation one =
        new Relation.Limit(
            new Relation.Window(aggregate.input(), calls),
            List.of(),
            0,
            OptionalLong.of(1),
            aggregate.at());
    Relation always =
        new Relation.Join(
            Relation.JoinKind.LEFT,
            new Relation.Values(List.of(), List.of(List.of())),
            one,
            Expr.Literal.TRUE,
            aggregate.at());
    return new Relation.Project(
        always,
        aggregate.visible().stream()
            .map(column -> new Relation.Project.Output(column.asNullable(), column.ref()))
            .toList());
  }

  /** An operator that the interpreter lacks stands above an aggregate, or above raw rows. */
  private Rejection above(Relation input, String what, Position at) {
    if (!hasAggregate(input)) {
      return rawRows(at);
    }
    return Rejection.of(
        RejectionCode.POSTPROCESS_UNSUPPORTED,
        "Noisy results cannot be processed further by " + what + ".",
        "Ask for the aggregate alone and compute the rest from its answer.",
        at);
  }

  private void requireAggregate(Relation input, Position at) {
    if (!hasAggregate(input)) {
      throw rawRows(at);
    }
  }

  private static boolean hasAggregate(Relation relation) {
    boolean[] found = {false};
    AlgebraWalker.visit(relation, r -> found[0] |= r instanceof Relation.Aggregate);
    return found[0];
  }

  private static Position position(Relation relation) {
    return switch (relation) {
      case Relation.Where r -> r.subqueries().getFirst().at();
      case Relation.Attach r -> r.subqueries().getFirst().at();
      case Relation.Scan ignored -> Position.START;
      case Relation.Values ignored -> Position.START;
      case Relation.Filter ignored -> Position.START;
      case Relation.Project ignored -> Position.START;
      case Relation.Join ignored -> Position.START;
      case Relation.Distinct ignored -> Position.START;
      case Relation.Aggregate ignored -> Position.START;
      case Relation.SetOperation ignored -> Position.START;
      case Relation.Limit ignored -> Position.START;
      case Relation.TopRows ignored -> Position.START;
      case Relation.Window ignored -> Position.START;
      case Relation.Released ignored -> Position.START;
    };
  }

  private Rejection rawRows(Position at) {
    if (aggregated) {
      return Rejection.of(
          RejectionCode.PROTECTED_ABOVE_RELEASE,
          "Rows of a protected table would stand beside a noisy aggregate.",
          "Aggregate this table too, or join it below the aggregate.",
          at);
    }
    return Rejection.of(
        RejectionCode.RAW_ROWS,
        "The result would contain rows of a protected table.",
        "Ask for an aggregate: COUNT, SUM, AVG, …; for the values of a column write"
            + " SELECT x, COUNT(*) … GROUP BY x.",
        at);
  }

  /** No rows at all, whatever there are: what programs ask for the names of columns. */
  private Relation empty(Relation relation) {
    return new Relation.Values(relation.columns(), List.of());
  }

  private Optional<Relation> declared(Relation.Aggregate distinct) {
    individuals.checkLabels(distinct);
    LabelTypes.check(distinct.keys(), distinct.at());
    Optional<Relation> labels = DeclaredLabels.of(distinct, policy, fresh, now);
    listed |= labels.isPresent();
    return labels;
  }

  private static Rejection labelsAlone(Relation.Aggregate aggregate) {
    return Rejection.of(
        RejectionCode.RAW_ROWS,
        "Labels alone would show which values exist in a protected table.",
        "Add a noisy condition, as in GROUP BY x HAVING COUNT(*) > 100.",
        aggregate.at());
  }

  private Relation release(Relation.Aggregate aggregate) {
    if (aggregate.calls().isEmpty()) {
      throw labelsAlone(aggregate);
    }
    individuals.checkLabels(aggregate);
    LabelTypes.check(aggregate.keys(), aggregate.at());
    AggregateMeasurements measuring = new AggregateMeasurements(aggregate.input(), fresh, ranges);
    List<Relation.Project.Output> outputs = new ArrayList<>();
    List<Column> keys = keys(aggregate);
    for (Column key : keys) {
      kinds.put(key.id(), DpQuery.ResultColumn.Kind.KEY);
      outputs.add(new Relation.Project.Output(key, key.ref()));
    }
    aggregate
        .groupingIds()
        .forEach(
            g -> {
              kinds.put(g.output().id(), DpQuery.ResultColumn.Kind.KEY);
              outputs.add(new Relation.Project.Output(g.output(), g.output().ref()));
            });
    for (AggregateCall call : aggregate.calls()) {
      Expr value = measuring.value(call);
      kinds.put(call.output().id(), DpQuery.ResultColumn.Kind.AGGREGATE);
      aggregates.put(call.output().id(), call.kind().name());
      shown(value).ifPresent(m -> shows.put(call.output().id(), m));
      outputs.add(new Relation.Project.Output(call.output(), value));
    }
    List<Column> released = new ArrayList<>(keys);
    List<Relation.Aggregate.GroupingId> ids = groupingIds(aggregate);
    ids.forEach(g -> released.add(g.output()));
    measuring.measurements().forEach(m -> released.add(m.output()));
    NoisyAggregate point =
        new NoisyAggregate(
            cutAt.size(),
            aggregate.input(),
            aggregate.keys(),
            aggregate.groupingSets(),
            ids,
            measuring.measurements(),
            labels(aggregate),
            aggregate.at());
    cutAt.add(point);
    Relation noisy = new Relation.Project(new Relation.Released(point.id(), released), outputs);
    return aggregate.having().<Relation>map(h -> new Relation.Filter(noisy, h)).orElse(noisy);
  }

  /** Rows of several grouping sets say of which they are: their errors may differ. */
  private List<Relation.Aggregate.GroupingId> groupingIds(Relation.Aggregate aggregate) {
    List<Relation.Aggregate.GroupingId> ids = new ArrayList<>(aggregate.groupingIds());
    if (aggregate.groupingSets().size() < 2) {
      return ids;
    }
    List<Integer> all = IntStream.range(0, aggregate.keys().size()).boxed().toList();
    if (ids.stream().noneMatch(g -> g.keys().equals(all))) {
      Column set = fresh.column("set", Type.BIGINT, false);
      ids.add(new Relation.Aggregate.GroupingId(set, all));
    }
    return ids;
  }

  /** Keys as they appear above: nullable where a grouping set lacks them. */
  private static List<Column> keys(Relation.Aggregate aggregate) {
    return aggregate.columns().subList(0, aggregate.keys().size());
  }

  /** The measurement an expression shows unchanged, but for its type. */
  private static Optional<Integer> shown(Expr value) {
    Expr plain = value instanceof Expr.Cast cast ? cast.operand() : value;
    return plain instanceof Expr.Ref ref ? Optional.of(ref.column()) : Optional.empty();
  }

  private Labels labels(Relation.Aggregate aggregate) {
    if (bins.isPresent() && !aggregate.keys().isEmpty()) {
      return supplied(bins.get(), aggregate);
    }
    // The rows of a grouping set that lacks a key have NULL there, which HAVING may want.
    List<Expr> having =
        aggregate.groupingSets().size() == 1
            ? aggregate.having().map(Equalities::conjuncts).orElse(List.of())
            : List.of();
    return LabelFinder.find(aggregate, having, policy, fresh, now);
  }

  private Labels supplied(Bins bins, Relation.Aggregate aggregate) {
    List<Integer> order = new ArrayList<>();
    List<Type> types = new ArrayList<>();
    List<String> given = bins.columns().stream().map(c -> c.toLowerCase(Locale.ROOT)).toList();
    for (Column key : aggregate.keys()) {
      int index = given.indexOf(key.name().toLowerCase(Locale.ROOT));
      if (index < 0) {
        throw Rejection.of(
            RejectionCode.BAD_LABELS,
            "The labels have no column named " + key.name() + ".",
            "Supply one column per GROUP BY key, headed by the key's name.",
            aggregate.at());
      }
      order.add(index);
      types.add(key.type());
    }
    if (given.size() != order.size()) {
      throw Rejection.of(
          RejectionCode.BAD_LABELS,
          "The labels have " + given.size() + " columns for " + order.size() + " keys.",
          "Supply one column per GROUP BY key, headed by the key's name.",
          aggregate.at());
    }
    if (bins.rows().size() > policy.privacy().maxLabels()) {
      throw Rejection.of(
          RejectionCode.TOO_MANY_LABELS,
          "More labels than the limit of " + policy.privacy().maxLabels() + ".",
          "Supply fewer labels.",
          aggregate.at());
    }
    return new Labels.Supplied(bins.typed(order, types));
  }

  private void derive(Relation.Project.Output output) {
    int id = output.column().id();
    switch (output.expr()) {
      case Expr.Ref ref -> inherit(id, ref.column());
      case Expr.Literal ignored -> kinds.put(id, DpQuery.ResultColumn.Kind.CONSTANT);
      case Expr.Call call -> kinds.put(id, kind(call));
      case Expr.Case c -> kinds.put(id, kind(c));
      case Expr.Cast cast -> kinds.put(id, kind(cast));
    }
  }

  /** An expression over labels alone is a label; over anything measured it is derived. */
  private DpQuery.ResultColumn.Kind kind(Expr expr) {
    List<Integer> read = new ArrayList<>(AlgebraWalker.references(expr));
    if (read.isEmpty()) {
      return DpQuery.ResultColumn.Kind.CONSTANT;
    }
    return read.stream()
            .allMatch(
                id ->
                    kinds.getOrDefault(id, DpQuery.ResultColumn.Kind.KEY)
                        == DpQuery.ResultColumn.Kind.KEY)
        ? DpQuery.ResultColumn.Kind.KEY
        : DpQuery.ResultColumn.Kind.DERIVED;
  }

  /** Ranks and totals of labels are labels; of anything measured they are derived. */
  private DpQuery.ResultColumn.Kind kind(WindowCall call) {
    boolean[] labels = {true};
    AlgebraWalker.expressions(
        call, expr -> labels[0] &= kind(expr) != DpQuery.ResultColumn.Kind.DERIVED);
    return labels[0] ? DpQuery.ResultColumn.Kind.KEY : DpQuery.ResultColumn.Kind.DERIVED;
  }

  private void inherit(int to, int from) {
    if (kinds.containsKey(from)) {
      kinds.put(to, kinds.get(from));
    }
    if (aggregates.containsKey(from)) {
      aggregates.put(to, aggregates.get(from));
    }
    if (shows.containsKey(from)) {
      shows.put(to, shows.get(from));
    }
  }

  private static int joins(Relation root) {
    int[] count = {0};
    AlgebraWalker.visit(
        root,
        r -> {
          switch (r) {
            case Relation.Join ignored -> count[0]++;
            case Relation.Where w ->
                count[0] +=
                    (int)
                        w.subqueries().stream()
                            .filter(s -> s instanceof flexdp.algebra.Subquery.Exists)
                            .count();
            case Relation.Scan ignored -> {}
            case Relation.Values ignored -> {}
            case Relation.Filter ignored -> {}
            case Relation.Project ignored -> {}
            case Relation.Attach ignored -> {}
            case Relation.Distinct ignored -> {}
            case Relation.Aggregate ignored -> {}
            case Relation.SetOperation ignored -> {}
            case Relation.Limit ignored -> {}
            case Relation.TopRows ignored -> {}
            case Relation.Window ignored -> {}
            case Relation.Released ignored -> {}
          }
        });
    return count[0];
  }

  /**
   * Refuses lengths of time made of months and days. Databases hold a month to be equal to 30 days,
   * but a date moved by one differs from a date moved by the other: equal values would not be the
   * same (guarantee §12).
   */
  private static void noSumOfMonthsAndDays(Expr expr) {
    if (expr instanceof Expr.Call call
        && call.function() == Function.PLUS
        && call.type().isInterval()
        && call.arguments().stream().anyMatch(a -> !a.type().equals(call.type()))) {
      throw Rejection.of(
          RejectionCode.TYPE_MISMATCH,
          "Months and days do not add up to one length of time.",
          "Add them to a date one after the other, as in d + interval '1 month' + interval '1"
              + " day'.");
    }
  }
}
