package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.properties.DateRanges;
import flexdp.properties.ExprRanges;
import flexdp.properties.ImpliedPredicates;
import flexdp.properties.Interval;
import flexdp.properties.KeyPredicates;
import flexdp.properties.Lineage;
import flexdp.properties.Ranges;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the labels of a histogram in what is public: the query's own constants, declared domains,
 * public tables, the calendar (guarantee §7). It never looks at protected rows.
 */
final class LabelFinder {
  /** How many have 1, 2, 3, …: the labels of a count that nothing bounds end here. */
  static final int MOST_COUNTED = 100;

  private final Relation input;
  private final List<Column> keys;
  private final Policy policy;
  private final List<Expr> facts;
  private final PublicLabels fromTables;
  private final Optional<LocalDateTime> now;
  private final List<Expr> having;
  private final ExpressionImage image = new ExpressionImage(this::values, this::interval);
  private Map<Integer, Interval> ranges;

  /**
   * Labels for all keys, or a rejection that names the key without any.
   *
   * @param having what is asked of labels and noisy values, conjunct by conjunct
   * @param now when the question is asked, if it says so itself
   */
  static Labels find(
      Relation.Aggregate of,
      List<Expr> having,
      Policy policy,
      FreshColumns fresh,
      Optional<LocalDateTime> now) {
    return of.keys().isEmpty()
        ? new Labels.None()
        : new LabelFinder(of.input(), of.keys(), having, policy, fresh, now).find(of.at());
  }

  private LabelFinder(
      Relation input,
      List<Column> keys,
      List<Expr> having,
      Policy policy,
      FreshColumns fresh,
      Optional<LocalDateTime> now) {
    this.now = now;
    this.having = having;
    this.input = input;
    this.keys = keys;
    this.policy = policy;
    Set<Expr> known = new LinkedHashSet<>(ImpliedPredicates.of(input));
    keys.forEach(key -> known.addAll(KeyPredicates.of(input, key)));
    known.addAll(KeyPredicates.of(input, keys));
    this.facts = List.copyOf(known);
    this.fromTables = new PublicLabels(input, keys, policy, fresh);
  }

  private Labels find(Position at) {
    if (AlgebraWalker.isPublic(input)) {
      return new Labels.Enumerated(List.of(fromTables.allOf(input)), List.of());
    }
    List<LabelSource> sources = new ArrayList<>();
    Map<Relation, List<Integer>> fromPublic = new LinkedHashMap<>();
    Set<Integer> found = new LinkedHashSet<>();
    for (LabelSource.Constants together :
        new CorrelatedKeys(input, keys, image, i -> listed(keys.get(i)).isEmpty()).sources()) {
      sources.add(together);
      found.addAll(together.keys());
    }
    for (int i = 0; i < keys.size(); i++) {
      if (found.contains(i)) {
        continue;
      }
      int key = i;
      Optional<List<Object>> constants = constants(keys.get(i));
      if (constants.isPresent()) {
        sources.add(new LabelSource.Constants(List.of(i), column(constants.get())));
        continue;
      }
      Lineage lineage = Lineage.of(input, keys.get(i).id());
      if (lineage.isPublic()) {
        fromPublic.computeIfAbsent(lineage.relation(), r -> new ArrayList<>()).add(i);
        continue;
      }
      Optional<LabelSource> referenced =
          fromTables.computed(i, lineage).or(() -> fromTables.referenced(key, lineage));
      Optional<List<Object>> bounded =
          referenced.isPresent() ? Optional.empty() : bounded(keys.get(i));
      if (referenced.isPresent()) {
        sources.add(referenced.get());
      } else if (bounded.isPresent()) {
        sources.add(new LabelSource.Constants(List.of(i), column(bounded.get())));
      } else if (policy.privacy().thresholding().isPresent()) {
        return new Labels.Thresholded(policy.privacy().labelsAtLeast());
      } else {
        List<Object> counted = counted(keys.get(i)).orElseThrow(() -> unknown(keys.get(key), at));
        sources.add(new LabelSource.Constants(List.of(i), column(counted)));
      }
    }
    fromPublic.forEach((relation, indexes) -> sources.add(fromTables.tuples(relation, indexes)));
    return checked(new Labels.Enumerated(List.copyOf(sources), onKeys()), at);
  }

  private Labels checked(Labels.Enumerated labels, Position at) {
    long product = 1;
    for (LabelSource source : labels.sources()) {
      if (source instanceof LabelSource.Constants constants) {
        product *= constants.rows().size();
      }
      if (product > policy.privacy().maxLabels()) {
        throw Rejection.of(
            RejectionCode.TOO_MANY_LABELS,
            "The GROUP BY has more labels than the limit of " + policy.privacy().maxLabels() + ".",
            "Group by fewer or coarser keys, or restrict them in WHERE.",
            at);
      }
    }
    return labels;
  }

  /** Predicates that read only keys filter the labels too. */
  private List<Expr> onKeys() {
    Set<Integer> ids = new LinkedHashSet<>();
    keys.forEach(k -> ids.add(k.id()));
    List<Expr> filters = new ArrayList<>();
    for (Expr fact : facts) {
      Set<Integer> read = AlgebraWalker.references(fact);
      if (!read.isEmpty() && ids.containsAll(read)) {
        filters.add(fact);
      }
    }
    return filters;
  }

  /** Labels that are known without asking any database. */
  private Optional<List<Object>> constants(Column key) {
    return listed(key)
        .or(() -> Lineage.of(input, key.id()).values(this::values))
        .or(() -> key.type().kind() == Type.Kind.DATE ? days(key) : Optional.empty())
        .map(values -> nullable(key, values));
  }

  /** Whole numbers within bounds, or what HAVING leaves of the labels, whatever there are. */
  private Optional<List<Object>> bounded(Column key) {
    Optional<List<Object>> whole = key.type().isInteger() ? integers(range(key)) : Optional.empty();
    return whole
        .map(values -> nullable(key, values))
        .or(() -> having.stream().flatMap(fact -> ListedLabels.of(key, fact).stream()).findFirst());
  }

  /** Counts and sums of whole numbers per group, from their least up to a hundred. */
  private Optional<List<Object>> counted(Column key) {
    BigDecimal low = range(key).low().orElse(BigDecimal.ONE.negate());
    boolean counts =
        Lineage.of(input, key.id()).relation() instanceof Relation.Aggregate
            && key.type().isExact()
            && key.type().scale() == 0
            && low.signum() >= 0;
    BigDecimal high = range(key).high().orElse(low.max(BigDecimal.valueOf(MOST_COUNTED)));
    return counts
        ? integers(Interval.of(low, high)).map(values -> nullable(key, values))
        : Optional.empty();
  }

  /** {@code key = 'a'} and {@code key IN ('a', 'b')}, known to be true, list the labels. */
  private Optional<List<Object>> listed(Column key) {
    for (Expr fact : facts) {
      Optional<List<Object>> values = ListedLabels.of(key, fact);
      if (values.isPresent()) {
        return values;
      }
    }
    return Optional.empty();
  }

  /** Every value that an expression can have, NULL aside, when the query or policy says so. */
  private Optional<List<Object>> values(Expr expr, Relation over) {
    return switch (expr) {
      case Expr.Literal literal ->
          Optional.of(
              literal.isNull() ? List.of() : List.of(ListedLabels.canonical(literal.value())));
      case Expr.Ref ref ->
          Lineage.of(over, ref.column()).values(this::values).or(() -> compared(ref, over));
      case Expr.Case c -> {
        List<Expr> results = new ArrayList<>();
        c.branches().forEach(b -> results.add(b.value()));
        c.otherwise().ifPresent(results::add);
        yield union(results, over);
      }
      case Expr.Cast cast -> cast(cast, over);
      case Expr.Call call when call.type().kind() == Type.Kind.BOOLEAN ->
          Optional.of(List.of(true, false));
      case Expr.Call call when call.function() == Function.COALESCE ->
          coalesced(call.arguments(), over);
      case Expr.Call call when call.function() == Function.EXTRACT ->
          integers(interval(call, over));
      case Expr.Call call when call.function() == Function.DATE_TRUNC -> {
        Expr of = call.arguments().get(1);
        yield DateRanges.truncated(
            DateRanges.unit(call.arguments().getFirst()),
            of.type(),
            interval(of, over),
            policy.privacy().maxLabels());
      }
      case Expr.Call call when call.function() == Function.SIGN ->
          Optional.of(
              Stream.of(-1, 0, 1)
                  .map(sign -> converted(BigDecimal.valueOf(sign), call.type()))
                  .toList());
      case Expr.Call call -> image.of(call, over);
    };
  }

  /** A listed NULL gives way to the next argument, but for that of the last one. */
  private Optional<List<Object>> coalesced(List<Expr> arguments, Relation over) {
    Optional<List<Object>> last = values(arguments.getLast(), over);
    return union(arguments, over)
        .map(
            all ->
                all.stream()
                    .filter(v -> v != null || last.orElseThrow().stream().anyMatch(Objects::isNull))
                    .collect(Collectors.toCollection(ArrayList::new)));
  }

  /** The constants that a condition on the rows lists for a column. */
  private static Optional<List<Object>> compared(Expr.Ref ref, Relation over) {
    Column column = new Column(ref.column(), "compared", ref.type(), true);
    return ImpliedPredicates.of(over).stream()
        .map(fact -> ListedLabels.of(column, fact))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Object converted(Object value, Type type) {
    return value == null ? null : ListedLabels.canonical(Conversions.value(value, type));
  }

  /** The values converted where that keeps all of them; a timestamp cut to its day. */
  private Optional<List<Object>> cast(Expr.Cast cast, Relation over) {
    if (Conversions.isInjective(cast.operand().type(), cast.type())) {
      return values(cast.operand(), over)
          .map(all -> all.stream().map(v -> converted(v, cast.type())).toList())
          .or(() -> image.of(cast, over));
    }
    if (cast.type().kind() == Type.Kind.DATE && cast.operand().type().isDateTime()) {
      return DateRanges.truncated(
              "DAY", Type.DATE, interval(cast, over), policy.privacy().maxLabels())
          .or(() -> image.of(cast, over));
    }
    return image.of(cast, over);
  }

  /** Whole numbers between known bounds; rows outside of a declared range are not shown. */
  private Optional<List<Object>> integers(Interval interval) {
    if (!interval.isBounded()) {
      return Optional.empty();
    }
    BigDecimal first = interval.low().get().setScale(0, RoundingMode.CEILING);
    BigDecimal last = interval.high().get().setScale(0, RoundingMode.FLOOR);
    BigDecimal most = BigDecimal.valueOf(policy.privacy().maxLabels());
    if (last.subtract(first).compareTo(most) >= 0) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>();
    for (BigDecimal v = first; v.compareTo(last) <= 0; v = v.add(BigDecimal.ONE)) {
      values.add(v);
    }
    return Optional.of(values);
  }

  private Interval interval(Expr expr, Relation over) {
    Map<Integer, Interval> known = Ranges.of(over);
    for (Column column : over.columns()) {
      if (ranges().containsKey(column.id())) {
        known.merge(column.id(), ranges().get(column.id()), Interval::intersect);
      }
    }
    untilNow(known, over);
    return new ExprRanges(known, over.columns()).of(expr);
  }

  /** The last seven days end now, if nothing says when they do. */
  private void untilNow(Map<Integer, Interval> known, Relation of) {
    now.ifPresent(
        time -> {
          for (Column column : of.columns()) {
            known.computeIfPresent(
                column.id(),
                (id, interval) ->
                    interval.low().isPresent() && interval.high().isEmpty()
                        ? DateRanges.until(interval, time, column.type())
                        : interval);
          }
        });
  }

  private Optional<List<Object>> days(Column key) {
    return DateRanges.truncated("DAY", Type.DATE, range(key), policy.privacy().maxLabels());
  }

  private Interval range(Column key) {
    return ranges().getOrDefault(key.id(), Interval.UNKNOWN);
  }

  /** Most labels are listed somewhere, so that nobody asks for ranges. */
  private Map<Integer, Interval> ranges() {
    if (ranges == null) {
      ranges = Ranges.of(input);
      facts.forEach(fact -> Ranges.narrow(fact, ranges));
      untilNow(ranges, input);
    }
    return ranges;
  }

  private Optional<List<Object>> union(List<Expr> exprs, Relation over) {
    Set<Object> all = new LinkedHashSet<>();
    for (Expr expr : exprs) {
      Optional<List<Object>> some = values(expr, over);
      if (some.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(some.get());
    }
    return Optional.of(new ArrayList<>(all));
  }

  /** Adds the NULL label where the key can be NULL, unless a declared domain decides it. */
  private List<Object> nullable(Column key, List<Object> values) {
    boolean rejected =
        facts.stream().anyMatch(f -> NullRejection.refusedWhereTrue(f).get(key.id()));
    Lineage lineage = Lineage.of(input, key.id());
    boolean decided = lineage.domain().isPresent() && !lineage.padded();
    if (rejected
        || decided
        || !canBeNull(key, lineage)
        || values.stream().anyMatch(v -> v == null)) {
      return values;
    }
    List<Object> more = new ArrayList<>(values);
    more.add(null);
    return more;
  }

  private boolean canBeNull(Column key, Lineage lineage) {
    if (lineage.padded()) {
      return key.nullable();
    }
    return !DeclaredNotNull.is(key.ref(), input)
        && !(lineage.relation() instanceof Relation.Project project
            && project.outputs().stream()
                .anyMatch(
                    o ->
                        o.column().id() == key.id()
                            && image.isNeverNull(o.expr(), project.input())));
  }

  private static List<List<Object>> column(List<Object> values) {
    List<List<Object>> rows = new ArrayList<>();
    for (Object value : values) {
      List<Object> row = new ArrayList<>();
      row.add(value);
      rows.add(row);
    }
    return rows;
  }

  private static Rejection unknown(Column key, Position at) {
    return Rejection.of(
        RejectionCode.LABELS_NOT_ENUMERABLE,
        "The labels of GROUP BY "
            + key.name()
            + " would come from protected rows, and showing one would show that it exists.",
        "Supply the labels you want (--bins), restrict the key with IN (…), join a public table"
            + " that lists them, or have the owner declare a domain (or, of whole"
            + " numbers, a range) for the column.",
        at);
  }
}
