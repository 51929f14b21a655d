package flexdp.fingerprint;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Frame;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A text that two questions share when they ask the same in other words: other aliases, another
 * order of joins, conditions and tables, other spellings of numbers. By it an answer that was
 * released is found again. Two questions that differ never share a text; two that are the same by a
 * deeper argument may have different ones, which costs budget and nothing else.
 */
public final class QueryFingerprint {
  /** A relation's text, and what its columns are called in it. */
  record Form(String text, Map<Integer, String> columns) {}

  /** Telling twins apart may take long; past this, the written order decides. */
  private static final int MOST_WORK = 20_000;

  private final Map<Integer, Form> released = new HashMap<>();
  private int work;

  public QueryFingerprint() {}

  /** The whole question: what is measured, and what is computed from it, column by column. */
  public static String of(DpQuery query) {
    QueryFingerprint fingerprint = new QueryFingerprint();
    for (NoisyAggregate release : query.releases()) {
      fingerprint.released.put(release.id(), CanonicalAggregate.form(release, fingerprint));
    }
    List<Integer> ids = query.columns().stream().map(c -> c.column().id()).toList();
    return "question" + fingerprint.ordered(query.top(), ids);
  }

  /** A release point with all its measurements, whatever is computed from them. */
  public static String of(NoisyAggregate release) {
    return CanonicalAggregate.form(release, new QueryFingerprint()).text();
  }

  /** What the columns of a release point are called in its text, by id. */
  public static Map<Integer, String> columns(NoisyAggregate release) {
    return CanonicalAggregate.form(release, new QueryFingerprint()).columns();
  }

  /** One measurement over the rows, keys and labels of its release point. */
  public static String of(NoisyAggregate release, Measurement measurement) {
    return CanonicalAggregate.measured(release, measurement, new QueryFingerprint()).text();
  }

  /** The SHA-256 of a canonical text, by which stores find answers. */
  public static String key(String text) {
    return CanonicalText.hash(text);
  }

  /** Whether there is time for some more steps. */
  boolean mayWork(int steps) {
    work += steps;
    return work < MOST_WORK;
  }

  Form form(Relation leaf) {
    return switch (leaf) {
      case Relation.Scan scan -> scan(scan);
      case Relation.Values values -> values(values);
      case Relation.Join join -> join(join);
      case Relation.Distinct distinct -> distinct(distinct);
      case Relation.Aggregate aggregate -> aggregate(aggregate);
      case Relation.SetOperation operation -> setOperation(operation);
      case Relation.Limit limit -> limit(limit);
      case Relation.TopRows top -> topRows(top);
      case Relation.Window window -> window(window);
      case Relation.Released noisy -> released(noisy);
      case Relation.Filter r -> throw notALeaf(r);
      case Relation.Project r -> throw notALeaf(r);
      case Relation.Where r -> throw notALeaf(r);
      case Relation.Attach r -> throw notALeaf(r);
    };
  }

  private static IllegalArgumentException notALeaf(Relation relation) {
    return new IllegalArgumentException(
        relation.getClass().getSimpleName() + " belongs to the block around it");
  }

  private static Form scan(Relation.Scan scan) {
    Map<Integer, String> columns = new HashMap<>();
    scan.columns().forEach(c -> columns.put(c.id(), CanonicalText.quoted(c.name())));
    return new Form("table" + CanonicalText.quoted(scan.table().name()), columns);
  }

  private static Form values(Relation.Values values) {
    List<String> rows =
        values.rows().stream()
            .map(row -> row.stream().map(v -> CanonicalText.of(v, id -> "")).toList().toString())
            .sorted()
            .toList();
    return new Form("values" + types(values.columns()) + rows, numbered(values.columns()));
  }

  private static String types(List<Column> columns) {
    return columns.stream().map(c -> c.type().toString()).toList().toString();
  }

  private static Map<Integer, String> numbered(List<Column> columns) {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      names.put(columns.get(i).id(), "#" + i);
    }
    return names;
  }

  private Form released(Relation.Released noisy) {
    Form form = released.get(noisy.release());
    if (form == null || !form.columns().keySet().containsAll(noisy.of())) {
      throw new IllegalArgumentException("a release point without its measurements");
    }
    Map<Integer, String> columns = new HashMap<>();
    for (int i = 0; i < noisy.columns().size(); i++) {
      columns.put(noisy.columns().get(i).id(), form.columns().get(noisy.of().get(i)));
    }
    return new Form(form.text(), columns);
  }

  /** An outer join; the sides of a FULL join stand in the order of their texts. */
  private Form join(Relation.Join join) {
    CanonicalBlock left = CanonicalBlock.of(join.left(), this);
    CanonicalBlock right = CanonicalBlock.of(join.right(), this);
    List<Expr> conditions = new ArrayList<>();
    CanonicalText.conjuncts(join.condition(), conditions);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    conditions.forEach(c -> uses.add(names -> CanonicalText.of(c, names)));
    CanonicalBlock.Settled one = left.settle(uses);
    CanonicalBlock.Settled other = right.settle(uses);
    boolean swap = join.kind() == Relation.JoinKind.FULL && one.text().compareTo(other.text()) > 0;
    String leftMark = swap ? "r." : "l.";
    String rightMark = swap ? "l." : "r.";
    IntFunction<String> names =
        id ->
            left.knows(id) ? leftMark + one.names().apply(id) : rightMark + other.names().apply(id);
    TreeSet<String> terms = new TreeSet<>();
    conditions.forEach(c -> terms.add(CanonicalText.of(c, names)));
    String sides = swap ? other.text() + one.text() : one.text() + other.text();
    return new Form(
        join.kind() + "{" + sides + " on " + String.join(" and ", terms) + "}",
        named(join.columns(), names));
  }

  private static Map<Integer, String> named(List<Column> columns, IntFunction<String> names) {
    Map<Integer, String> all = new LinkedHashMap<>();
    columns.forEach(c -> all.put(c.id(), names.apply(c.id())));
    return all;
  }

  private Form distinct(Relation.Distinct distinct) {
    CanonicalBlock block = CanonicalBlock.of(distinct.input(), this);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    distinct.columns().forEach(c -> uses.add(names -> names.apply(c.id())));
    CanonicalBlock.Settled settled = block.settle(uses);
    Map<Integer, String> columns = named(distinct.columns(), settled.names());
    return new Form("distinct{" + settled.text() + new TreeSet<>(columns.values()) + "}", columns);
  }

  /** Only keys, sets and HAVING make the rows; a call that nothing reads leaves no trace. */
  private Form aggregate(Relation.Aggregate aggregate) {
    CanonicalBlock block = CanonicalBlock.of(aggregate.input(), this);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    aggregate.keys().forEach(k -> uses.add(names -> names.apply(k.id())));
    aggregate.calls().forEach(c -> uses.add(names -> call(c, names)));
    CanonicalBlock.Settled settled = block.settle(uses);
    Map<Integer, String> columns = new HashMap<>();
    List<String> keys = new ArrayList<>();
    for (Column key : aggregate.keys()) {
      keys.add("k:" + settled.names().apply(key.id()));
      columns.put(key.id(), keys.getLast());
    }
    aggregate.calls().forEach(c -> columns.put(c.output().id(), call(c, settled.names())));
    aggregate.groupingIds().forEach(g -> columns.put(g.output().id(), groupingId(g, keys)));
    TreeSet<String> having = new TreeSet<>();
    List<Expr> conditions = new ArrayList<>();
    aggregate.having().ifPresent(h -> CanonicalText.conjuncts(h, conditions));
    conditions.forEach(c -> having.add(CanonicalText.of(c, columns::get)));
    return new Form(
        "group{" + settled.text() + sets(aggregate.groupingSets(), keys) + having + "}", columns);
  }

  static String sets(List<List<Integer>> sets, List<String> keys) {
    return sets.stream()
        .map(set -> new TreeSet<>(set.stream().map(keys::get).toList()).toString())
        .sorted()
        .collect(Collectors.joining(","));
  }

  public static String groupingId(Relation.Aggregate.GroupingId grouping, List<String> keys) {
    return "grouping" + grouping.keys().stream().map(keys::get).toList();
  }

  static String call(AggregateCall call, IntFunction<String> names) {
    return CanonicalText.shortened(
        call.kind()
            + (call.distinct() ? " distinct(" : "(")
            + call.argument().map(a -> CanonicalText.of(a, names)).orElse("*")
            + call.filter().map(f -> " if " + CanonicalText.of(f, names)).orElse("")
            + call.fraction().map(f -> " at " + CanonicalText.value(f)).orElse("")
            + "):"
            + call.output().type());
  }

  private Form setOperation(Relation.SetOperation operation) {
    List<String> sides =
        new ArrayList<>(
            List.of(
                ordered(operation.left(), ids(operation.left())),
                ordered(operation.right(), ids(operation.right()))));
    if (operation.kind() != Relation.SetKind.EXCEPT) {
      sides.sort(null);
    }
    return new Form(
        operation.kind()
            + (operation.all() ? " all{" : "{")
            + types(operation.columns())
            + String.join(";", sides)
            + "}",
        numbered(operation.columns()));
  }

  private static List<Integer> ids(Relation relation) {
    return relation.columns().stream().map(Column::id).toList();
  }

  /** A relation with its columns in order. */
  String ordered(Relation relation, List<Integer> columns) {
    CanonicalBlock block = CanonicalBlock.of(relation, this);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      String place = i + "=";
      int id = columns.get(i);
      uses.add(names -> place + names.apply(id));
    }
    CanonicalBlock.Settled settled = block.settle(uses);
    return "{"
        + settled.text()
        + columns.stream().map(id -> settled.names().apply(id)).toList()
        + "}";
  }

  private Form limit(Relation.Limit limit) {
    CanonicalBlock block = CanonicalBlock.of(limit.input(), this);
    CanonicalBlock.Settled settled = block.settle(List.of(names -> order(limit.order(), names)));
    String count = limit.count().isPresent() ? Long.toString(limit.count().getAsLong()) : "all";
    return new Form(
        "limit{"
            + settled.text()
            + order(limit.order(), settled.names())
            + limit.offset()
            + ","
            + count
            + "}",
        named(limit.columns(), settled.names()));
  }

  private Form topRows(Relation.TopRows top) {
    CanonicalBlock block = CanonicalBlock.of(top.input(), this);
    CanonicalBlock.Item rank =
        names ->
            partition(top.partition(), names) + order(top.order(), names) + further(top, names);
    CanonicalBlock.Settled settled = block.settle(List.of(rank));
    return new Form(
        "top{" + settled.text() + rank.apply(settled.names()) + top.count() + "}",
        named(top.columns(), settled.names()));
  }

  /** What is said of few, so that the form of all others stays as it was. */
  private static String further(Relation.TopRows top, IntFunction<String> names) {
    return (top.nullsStay() ? "nulls stay" : "")
        + String.join(
            "",
            new TreeSet<>(
                top.also().stream()
                    .map(r -> "also" + partition(r.partition(), names) + r.count())
                    .toList()));
  }

  private static String order(List<SortKey> keys, IntFunction<String> names) {
    return keys.stream()
        .map(
            k ->
                CanonicalText.of(k.expr(), names)
                    + (k.descending() ? " desc" : " asc")
                    + (k.nullsFirst() ? " first" : " last"))
        .toList()
        .toString();
  }

  private static String partition(List<Expr> keys, IntFunction<String> names) {
    return new TreeSet<>(keys.stream().map(k -> CanonicalText.of(k, names)).toList()).toString();
  }

  private Form window(Relation.Window window) {
    CanonicalBlock block = CanonicalBlock.of(window.input(), this);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    window.calls().forEach(c -> uses.add(names -> windowCall(c, names)));
    CanonicalBlock.Settled settled = block.settle(uses);
    Map<Integer, String> columns = named(window.input().columns(), settled.names());
    window.calls().forEach(c -> columns.put(c.output().id(), windowCall(c, settled.names())));
    return new Form("rows{" + settled.text() + "}", columns);
  }

  private static String windowCall(WindowCall call, IntFunction<String> names) {
    String what =
        call.aggregate().map(a -> call(a, names)).orElse("")
            + call.rank().map(Enum::name).orElse("")
            + call.arguments().stream().map(a -> CanonicalText.of(a, names)).toList();
    return CanonicalText.shortened(
        "over{"
            + what
            + partition(call.partition(), names)
            + order(call.order(), names)
            + call.frame().map(QueryFingerprint::frame).orElse("")
            + call.output().type()
            + "}");
  }

  private static String frame(Frame frame) {
    return frame.unit() + bound(frame.low()) + bound(frame.high());
  }

  private static String bound(Frame.Bound bound) {
    return switch (bound) {
      case Frame.Bound.Unbounded ignored -> " all";
      case Frame.Bound.Current ignored -> " here";
      case Frame.Bound.Offset o ->
          (o.preceding() ? " before " : " after ") + CanonicalText.of(o.distance(), id -> "");
    };
  }
}
