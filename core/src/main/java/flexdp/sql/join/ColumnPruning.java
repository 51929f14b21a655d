package flexdp.sql.join;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Drops what nobody reads: outputs of projections, aggregate and window functions, attached values.
 * No row comes or goes. On the way, conditions on a derived table move to the HAVING of its
 * aggregate, and ROW_NUMBER() that only cuts rows becomes {@link Relation.TopRows}: both have
 * better bounds.
 */
public final class ColumnPruning {
  /** A relation with the columns that it had, and without joins that nobody reads. */
  public Relation prune(Relation root) {
    return prune(root, ids(root.columns()), true, false);
  }

  /**
   * Prunes one operator.
   *
   * @param needed columns that are read above
   * @param exact whether the columns must stay as they are, in number and order
   * @param below whether an aggregate stands above
   */
  private Relation prune(Relation relation, BitSet needed, boolean exact, boolean below) {
    return switch (relation) {
      case Relation.Leaf leaf -> leaf;
      case Relation.Filter filter -> filter(filter, needed, exact, below);
      case Relation.Project project -> project(project, needed, exact, below);
      case Relation.Join join -> {
        BitSet all = with(needed, join.condition());
        yield new Relation.Join(
            join.kind(),
            prune(join.left(), all, false, below),
            prune(join.right(), all, false, below),
            join.condition(),
            join.at());
      }
      case Relation.Where where -> {
        BitSet all = with(needed, where.predicate());
        List<Subquery> subqueries = new ArrayList<>();
        for (Subquery subquery : where.subqueries()) {
          Exprs.reads(subquery.condition(), all);
          subqueries.add(subquery(subquery, below));
        }
        yield new Relation.Where(
            prune(where.input(), all, exact, below), subqueries, where.predicate());
      }
      case Relation.Attach attach -> attach(attach, needed, exact, below);
      case Relation.Distinct distinct ->
          new Relation.Distinct(
              prune(distinct.input(), ids(distinct.input().columns()), true, below));
      case Relation.Aggregate aggregate -> aggregate(aggregate, needed, below);
      case Relation.SetOperation operation -> combined(operation, needed, exact, below);
      case Relation.Limit limit -> {
        BitSet all = with(needed, limit.order());
        yield new Relation.Limit(
            prune(limit.input(), all, exact, below),
            limit.order(),
            limit.offset(),
            limit.count(),
            limit.at());
      }
      case Relation.TopRows top -> {
        BitSet all = with(needed, top.order());
        top.partition().forEach(e -> Exprs.reads(e, all));
        yield new Relation.TopRows(
            prune(top.input(), all, exact, below),
            top.partition(),
            top.order(),
            top.count(),
            top.at());
      }
      case Relation.Window window -> window(window, needed, exact, below);
    };
  }

  private static BitSet ids(List<Column> columns) {
    BitSet ids = new BitSet();
    for (Column column : columns) {
      ids.set(column.id());
    }
    return ids;
  }

  private static BitSet with(BitSet needed, Expr expr) {
    BitSet all = (BitSet) needed.clone();
    Exprs.reads(expr, all);
    return all;
  }

  private static BitSet with(BitSet needed, List<SortKey> order) {
    BitSet all = (BitSet) needed.clone();
    for (SortKey key : order) {
      Exprs.reads(key.expr(), all);
    }
    return all;
  }

  private Relation filter(Relation.Filter filter, BitSet needed, boolean exact, boolean below) {
    List<Expr> conditions = Equalities.conjuncts(filter.predicate());
    switch (filter.input()) {
      case Relation.Filter inner -> {
        List<Expr> both = new ArrayList<>(Equalities.conjuncts(inner.predicate()));
        both.addAll(conditions);
        return prune(new Relation.Filter(inner.input(), Exprs.and(both)), needed, exact, below);
      }
      case Relation.Project inner -> {
        Expr pushed = substitute(filter.predicate(), inner.outputs());
        return prune(
            new Relation.Project(new Relation.Filter(inner.input(), pushed), inner.outputs()),
            needed,
            exact,
            below);
      }
      case Relation.Aggregate inner -> {
        if (!readsGroupingId(inner, filter.predicate())) {
          List<Expr> having = new ArrayList<>();
          inner.having().ifPresent(h -> having.addAll(Equalities.conjuncts(h)));
          having.addAll(conditions);
          return prune(having(inner, having), needed, exact, below);
        }
      }
      case Relation.Window inner -> {
        Optional<Relation> top = TopRows.of(inner, conditions, needed);
        if (top.isPresent()) {
          return prune(top.get(), needed, exact, below);
        }
      }
      case Relation.Leaf ignored -> {}
      case Relation.Selection ignored -> {}
      case Relation.Extension ignored -> {}
      case Relation.Binary ignored -> {}
    }
    Relation input = prune(filter.input(), with(needed, filter.predicate()), exact, below);
    return new Relation.Filter(input, filter.predicate());
  }

  private static boolean readsGroupingId(Relation.Aggregate aggregate, Expr condition) {
    if (aggregate.groupingIds().isEmpty()) {
      return false;
    }
    BitSet reads = Exprs.reads(condition);
    for (Relation.Aggregate.GroupingId id : aggregate.groupingIds()) {
      if (reads.get(id.output().id())) {
        return true;
      }
    }
    return false;
  }

  private static Relation.Aggregate having(Relation.Aggregate a, List<Expr> having) {
    return new Relation.Aggregate(
        a.input(),
        a.keys(),
        a.groupingSets(),
        a.calls(),
        a.groupingIds(),
        having.isEmpty() ? Optional.empty() : Optional.of(Exprs.and(having)),
        a.visible(),
        a.at());
  }

  private static Expr substitute(Expr expr, List<Relation.Project.Output> outputs) {
    Map<Integer, Expr> by = new HashMap<>();
    for (Relation.Project.Output output : outputs) {
      by.put(output.column().id(), output.expr());
    }
    return AlgebraWalker.rewrite(
        expr,
        e ->
            e instanceof Expr.Ref ref
                ? Optional.ofNullable(by.get(ref.column()))
                : Optional.empty());
  }

  private Relation project(Relation.Project project, BitSet needed, boolean exact, boolean below) {
    List<Relation.Project.Output> kept = new ArrayList<>();
    BitSet reads = new BitSet();
    boolean onlyPicks = true;
    for (Relation.Project.Output output : project.outputs()) {
      if (exact || needed.get(output.column().id())) {
        kept.add(output);
        Exprs.reads(output.expr(), reads);
        onlyPicks &= output.expr() instanceof Expr.Ref ref && ref.column() == output.column().id();
      }
    }
    Relation input = prune(project.input(), reads, false, below);
    return onlyPicks && !exact ? input : new Relation.Project(input, kept);
  }

  private Subquery subquery(Subquery subquery, boolean below) {
    BitSet reads = Exprs.reads(subquery.condition());
    return switch (subquery) {
      case Subquery.Exists e ->
          new Subquery.Exists(
              e.output(),
              e.negated(),
              prune(e.relation(), reads, false, below),
              e.condition(),
              e.at());
      case Subquery.Scalar s -> {
        s.calls().forEach(call -> reads(call, reads));
        yield new Subquery.Scalar(
            s.output(),
            prune(s.relation(), reads, false, below),
            s.condition(),
            s.calls(),
            s.value(),
            s.at());
      }
    };
  }

  private static void reads(AggregateCall call, BitSet into) {
    call.argument().ifPresent(e -> Exprs.reads(e, into));
    call.filter().ifPresent(e -> Exprs.reads(e, into));
  }

  private Relation attach(Relation.Attach attach, BitSet needed, boolean exact, boolean below) {
    BitSet all = (BitSet) needed.clone();
    List<Subquery.Scalar> kept = new ArrayList<>();
    for (Subquery.Scalar scalar : attach.subqueries()) {
      if (exact || needed.get(scalar.output().id())) {
        Exprs.reads(scalar.condition(), all);
        kept.add((Subquery.Scalar) subquery(scalar, below));
      }
    }
    Relation input = prune(attach.input(), all, exact, below);
    return kept.isEmpty() ? input : new Relation.Attach(input, kept);
  }

  private Relation aggregate(Relation.Aggregate a, BitSet needed, boolean below) {
    List<Expr> having = new ArrayList<>();
    List<Expr> onKeys = new ArrayList<>();
    BitSet keys = ids(a.keys());
    boolean plain = !a.keys().isEmpty() && a.groupingSets().size() == 1;
    for (Expr term : a.having().map(Equalities::conjuncts).orElse(List.of())) {
      BitSet reads = Exprs.reads(term);
      boolean onlyKeys = !reads.isEmpty();
      reads.andNot(keys);
      (below && plain && onlyKeys && reads.isEmpty() ? onKeys : having).add(term);
    }
    BitSet read = (BitSet) needed.clone();
    having.forEach(e -> Exprs.reads(e, read));
    List<Column> visible = new ArrayList<>();
    List<AggregateCall> calls = new ArrayList<>();
    BitSet inside = keys;
    for (AggregateCall call : a.calls()) {
      int id = call.output().id();
      if (read.get(id)) {
        calls.add(call);
        reads(call, inside);
      }
    }
    for (Column column : a.visible()) {
      if (needed.get(column.id())) {
        visible.add(column);
      }
    }
    List<Relation.Aggregate.GroupingId> groupingIds = new ArrayList<>();
    for (Relation.Aggregate.GroupingId id : a.groupingIds()) {
      if (read.get(id.output().id())) {
        groupingIds.add(id);
      }
    }
    if (calls.isEmpty() && having.isEmpty() && groupingIds.isEmpty() && isOneRow(a)) {
      // One row always, of which nothing is read: no table matters.
      return new Relation.Values(List.of(), List.of(List.of()));
    }
    Relation input = JoinTreeBuilder.filter(a.input(), onKeys);
    return new Relation.Aggregate(
        prune(input, inside, false, true),
        a.keys(),
        a.groupingSets(),
        calls,
        groupingIds,
        having.isEmpty() ? Optional.empty() : Optional.of(Exprs.and(having)),
        visible,
        a.at());
  }

  private static boolean isOneRow(Relation.Aggregate aggregate) {
    return aggregate.keys().isEmpty() && aggregate.groupingSets().size() == 1;
  }

  private Relation combined(
      Relation.SetOperation operation, BitSet needed, boolean exact, boolean below) {
    List<Column> columns = operation.columns();
    List<Integer> kept = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      if (needed.get(columns.get(i).id())) {
        kept.add(i);
      }
    }
    boolean bag = operation.kind() == Relation.SetKind.UNION && operation.all();
    if (exact || !bag || kept.size() == columns.size()) {
      return new Relation.SetOperation(
          operation.kind(),
          operation.all(),
          whole(operation.left(), below),
          whole(operation.right(), below),
          columns,
          operation.at());
    }
    if (kept.isEmpty()) {
      kept.add(0);
    }
    return new Relation.SetOperation(
        operation.kind(),
        true,
        picked(operation.left(), kept, below),
        picked(operation.right(), kept, below),
        kept.stream().map(columns::get).toList(),
        operation.at());
  }

  private Relation whole(Relation relation, boolean below) {
    return prune(relation, ids(relation.columns()), true, below);
  }

  private Relation picked(Relation relation, List<Integer> kept, boolean below) {
    if (relation instanceof Relation.Project project) {
      List<Relation.Project.Output> outputs = kept.stream().map(project.outputs()::get).toList();
      return whole(new Relation.Project(project.input(), outputs), below);
    }
    List<Column> columns = relation.columns();
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (int i : kept) {
      outputs.add(new Relation.Project.Output(columns.get(i), columns.get(i).ref()));
    }
    return whole(new Relation.Project(relation, outputs), below);
  }

  private Relation window(Relation.Window window, BitSet needed, boolean exact, boolean below) {
    BitSet all = (BitSet) needed.clone();
    List<WindowCall> kept = new ArrayList<>();
    for (WindowCall call : window.calls()) {
      if (exact || needed.get(call.output().id())) {
        kept.add(call);
        call.aggregate().ifPresent(a -> reads(a, all));
        call.arguments().forEach(e -> Exprs.reads(e, all));
        call.partition().forEach(e -> Exprs.reads(e, all));
        call.order().forEach(k -> Exprs.reads(k.expr(), all));
      }
    }
    Relation input = prune(window.input(), all, exact, below);
    return kept.isEmpty() ? input : new Relation.Window(input, kept);
  }

  /** Recognises ROW_NUMBER() that is used for nothing but {@code <= n}. */
  private static final class TopRows {
    private TopRows() {}

    /**
     * The rows of a window for which the conditions are true, without the number.
     *
     * @param needed columns read above: the number must not be among them
     */
    static Optional<Relation> of(Relation.Window window, List<Expr> conditions, BitSet needed) {
      for (WindowCall call : window.calls()) {
        int number = call.output().id();
        if (call.rank().equals(Optional.of(WindowCall.Rank.ROW_NUMBER)) && !needed.get(number)) {
          Optional<Relation> cut = cut(window, call, conditions);
          if (cut.isPresent()) {
            return cut;
          }
        }
      }
      return Optional.empty();
    }

    private static Optional<Relation> cut(
        Relation.Window window, WindowCall call, List<Expr> conditions) {
      int number = call.output().id();
      List<Expr> others = new ArrayList<>();
      long count = Long.MAX_VALUE;
      for (Expr condition : conditions) {
        if (!Exprs.reads(condition).get(number)) {
          others.add(condition);
          continue;
        }
        Optional<Long> limit = limit(condition, number);
        if (limit.isEmpty()) {
          return Optional.empty();
        }
        count = Math.min(count, limit.get());
      }
      if (count == Long.MAX_VALUE) {
        return Optional.empty();
      }
      List<WindowCall> rest = new ArrayList<>(window.calls());
      rest.remove(call);
      Relation rows = rest.isEmpty() ? window.input() : new Relation.Window(window.input(), rest);
      Relation top = new Relation.TopRows(rows, call.partition(), call.order(), count, call.at());
      return Optional.of(JoinTreeBuilder.filter(top, others));
    }

    /**
     * The n of {@code number <= n}, however written; the largest long for a test that is no test.
     */
    private static Optional<Long> limit(Expr condition, int number) {
      if (!(condition instanceof Expr.Call call) || call.arguments().size() != 2) {
        return Optional.empty();
      }
      Expr left = call.arguments().get(0);
      Expr right = call.arguments().get(1);
      if (isNumber(left, number) && right instanceof Expr.Literal literal) {
        return limit(call.function(), literal);
      }
      if (isNumber(right, number) && left instanceof Expr.Literal literal) {
        return call.function().mirrored().flatMap(as -> limit(as, literal));
      }
      return Optional.empty();
    }

    private static boolean isNumber(Expr expr, int number) {
      return expr instanceof Expr.Ref ref && ref.column() == number;
    }

    private static Optional<Long> limit(Function function, Expr.Literal literal) {
      if (!(literal.value() instanceof BigDecimal value)
          || value.stripTrailingZeros().scale() > 0
          || value.abs().compareTo(BigDecimal.valueOf(1L << 40)) > 0) {
        return Optional.empty();
      }
      long n = value.longValueExact();
      return switch (function) {
        case LE -> n >= 0 ? Optional.of(n) : Optional.empty();
        case LT -> n >= 1 ? Optional.of(n - 1) : Optional.empty();
        case EQ -> n == 1 ? Optional.of(1L) : Optional.empty();
        case GE -> n <= 1 ? Optional.of(Long.MAX_VALUE) : Optional.empty();
        case GT -> n <= 0 ? Optional.of(Long.MAX_VALUE) : Optional.empty();
        default -> Optional.empty();
      };
    }
  }
}
