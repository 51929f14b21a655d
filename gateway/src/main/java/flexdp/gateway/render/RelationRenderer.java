package flexdp.gateway.render;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import flexdp.failure.TimeBudget;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders relations. Every column has a name of its own, c and its id, so that correlated
 * subqueries need no qualification; every derived table has a name that nothing refers to.
 */
final class RelationRenderer {
  private final TargetDialect dialect;
  private final NeededColumns needed;
  private final ExprRenderer expressions;
  private final ScanRenderer scans;
  private final AggregatedRows aggregates;
  private final Set<Integer> bare;
  private final FirstRowsRenderer first;
  private int derived;

  /**
   * @param needed columns that something reads; others are left out where that changes nothing
   * @param bare columns that may be read as they are stored
   * @param filled leaves out rows in which a column that is declared not nullable is NULL
   */
  RelationRenderer(
      TargetDialect dialect,
      NameCatalog catalog,
      NeededColumns needed,
      Set<Integer> bare,
      boolean filled) {
    this.dialect = dialect;
    this.needed = needed;
    this.bare = Set.copyOf(bare);
    this.scans = new ScanRenderer(dialect, catalog, this.bare, filled);
    this.expressions = new ExprRenderer(dialect, Map.of(), this.bare);
    this.aggregates = new AggregatedRows(dialect, this, this.bare);
    this.first = new FirstRowsRenderer(this, scans);
  }

  /** What stands before the whole statement, once all of it is rendered. */
  String with() {
    return first.with();
  }

  ExprRenderer expressions() {
    return expressions;
  }

  /** A whole SELECT statement. */
  String select(Relation relation) {
    TimeBudget.step();
    return switch (relation) {
      case Relation.Scan scan -> scans.select(scan, kept(scan.columns()));
      case Relation.Values values -> values(values);
      case Relation.Filter filter ->
          plain(filter.columns(), from(filter.input()))
              + where(expressions.condition(filter.predicate()));
      case Relation.Where where -> where(where);
      case Relation.Project project -> project(project, Map.of());
      case Relation.Join join -> plain(join.columns(), from(join));
      case Relation.Attach attach ->
          plain(attach.input().columns(), from(attach.input()), scalars(attach.subqueries()));
      case Relation.Distinct distinct ->
          plain(distinct.columns(), from(distinct.input()))
              .replaceFirst("SELECT", "SELECT DISTINCT");
      case Relation.Aggregate aggregate -> aggregates.select(aggregate);
      case Relation.SetOperation operation -> setOperation(operation);
      case Relation.Limit limit -> limit(limit);
      case Relation.TopRows top -> first.select(top);
      case Relation.Window window -> window(window);
      case Relation.Released released ->
          throw new IllegalArgumentException("noisy rows are not in the database: " + released);
    };
  }

  /** Something that may stand in FROM. */
  String from(Relation relation) {
    if (!(relation instanceof Relation.Join join)) {
      return derived(select(relation));
    }
    if (join.kind() == Relation.JoinKind.FULL && !dialect.hasFullJoin(join)) {
      return derived(fullJoin(join));
    }
    String left = from(join.left());
    String right = from(join.right());
    String other = join.right() instanceof Relation.Join ? "(" + right + ")" : right;
    if (join.kind() == Relation.JoinKind.INNER && join.condition().equals(Expr.Literal.TRUE)) {
      return left + " CROSS JOIN " + other;
    }
    String on = expressions.condition(join.condition());
    return left + " " + join.kind() + " JOIN " + other + " ON " + on;
  }

  /** A SELECT as it may stand in FROM. */
  String derived(String select) {
    return "(" + select + ") AS t" + ++derived;
  }

  /** The rows of a LEFT JOIN, and those of the right side that have no partner. */
  private String fullJoin(Relation.Join join) {
    Map<String, String> alone = new LinkedHashMap<>();
    kept(join.left().columns())
        .forEach(
            c ->
                alone.put(
                    ExprRenderer.name(c.id()), dialect.literal(new Expr.Literal(null, c.type()))));
    kept(join.right().columns())
        .forEach(c -> alone.put(ExprRenderer.name(c.id()), ExprRenderer.name(c.id())));
    String left = from(join.left());
    String right = from(join.right());
    String on = expressions.sql(join.condition());
    String other = join.right() instanceof Relation.Join ? "(" + right + ")" : right;
    return plain(join.columns(), left + " LEFT JOIN " + other + " ON " + on)
        + " UNION ALL SELECT "
        + aliased(alone)
        + " FROM "
        + right
        + " WHERE NOT EXISTS (SELECT 1 FROM "
        + left
        + where(on)
        + ")";
  }

  private String values(Relation.Values values) {
    List<Column> columns = values.columns();
    if (values.rows().isEmpty() || columns.isEmpty()) {
      Map<String, String> empty = new LinkedHashMap<>();
      columns.forEach(
          c ->
              empty.put(
                  ExprRenderer.name(c.id()), dialect.literal(new Expr.Literal(null, c.type()))));
      String row = "SELECT " + aliased(empty);
      return values.rows().isEmpty()
          ? row + " WHERE FALSE"
          : values.rows().stream().map(r -> row).collect(Collectors.joining(" UNION ALL "));
    }
    return dialect.values(
        columns.stream().map(c -> ExprRenderer.name(c.id())).toList(),
        values.rows().stream().map(row -> constants(columns, row)).toList());
  }

  private List<String> constants(List<Column> columns, List<Expr.Literal> row) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      TypeAgreement.require(columns.get(i).type(), row.get(i).type());
      texts.add(dialect.literal(row.get(i)));
    }
    return texts;
  }

  /**
   * @param extra columns beside those of the relation
   */
  String project(Relation.Project project, Map<String, String> extra) {
    Map<String, String> read = new LinkedHashMap<>(extra);
    for (Relation.Project.Output output : project.outputs()) {
      if (needed.contains(output.column())) {
        TypeAgreement.require(output.column().type(), output.expr().type());
        read.put(ExprRenderer.name(output.column().id()), expressions.sql(output.expr()));
      }
    }
    if (project.input() instanceof Relation.Filter filter) {
      return "SELECT "
          + aliased(read)
          + " FROM "
          + from(filter.input())
          + where(expressions.condition(filter.predicate()));
    }
    return "SELECT " + aliased(read) + " FROM " + from(project.input());
  }

  /**
   * EXISTS stands in the predicate. Scalar subqueries are computed beside the row first, since what
   * makes an expression total may not admit subqueries.
   */
  private String where(Relation.Where where) {
    Map<Integer, String> inPlace = new HashMap<>();
    Map<String, String> scalars = new LinkedHashMap<>();
    for (Subquery subquery : where.subqueries()) {
      switch (subquery) {
        case Subquery.Exists exists -> inPlace.put(exists.output().id(), exists(exists));
        case Subquery.Scalar scalar -> scalars.putAll(scalars(List.of(scalar)));
      }
    }
    String rows = from(where.input());
    if (!scalars.isEmpty()) {
      rows = "(" + plain(where.input().columns(), rows, scalars) + ") AS t" + ++derived;
    }
    String predicate = new ExprRenderer(dialect, inPlace, bare).sql(where.predicate());
    return plain(where.columns(), rows) + where(predicate);
  }

  private String exists(Subquery.Exists exists) {
    return (exists.negated() ? "(NOT EXISTS (" : "(EXISTS (")
        + "SELECT 1 FROM "
        + from(exists.relation())
        + where(expressions.sql(exists.condition()))
        + "))";
  }

  private Map<String, String> scalars(List<Subquery.Scalar> subqueries) {
    Map<String, String> read = new LinkedHashMap<>();
    for (Subquery.Scalar scalar : subqueries) {
      TypeAgreement.require(scalar.output().type(), scalar.value().type());
      read.put(ExprRenderer.name(scalar.output().id()), aggregates.scalar(scalar));
    }
    return read;
  }

  private String setOperation(Relation.SetOperation operation) {
    return dialect.setOperation(
        operation.kind().name(),
        operation.all(),
        operation.columns().stream().map(c -> ExprRenderer.name(c.id())).toList(),
        side(operation.left(), operation.columns()),
        side(operation.right(), operation.columns()));
  }

  private String side(Relation relation, List<Column> results) {
    List<Column> columns = relation.columns();
    Map<String, String> read = new LinkedHashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      TypeAgreement.require(results.get(i).type(), columns.get(i).type());
      read.put(ExprRenderer.name(results.get(i).id()), ExprRenderer.name(columns.get(i).id()));
    }
    return "SELECT " + aliased(read) + " FROM " + from(relation);
  }

  private String limit(Relation.Limit limit) {
    return plain(limit.columns(), from(limit.input())) + tail(limit);
  }

  /** ORDER BY and LIMIT, each with a leading space. */
  String tail(Relation.Limit limit) {
    SortedTexts.check(dialect, limit.order().stream().map(k -> k.expr().type()));
    String order = orderBy(limit.order());
    Optional<Long> count =
        limit.count().isPresent() ? Optional.of(limit.count().getAsLong()) : Optional.empty();
    return (order.isEmpty() ? "" : " " + order) + dialect.limit(limit.offset(), count);
  }

  private String window(Relation.Window window) {
    Map<String, String> extra = new LinkedHashMap<>();
    for (WindowCall call : window.calls()) {
      if (call.frame().isPresent()) {
        throw new IllegalArgumentException("frames are computed above release points only");
      }
      List<RenderedExpression> arguments =
          call
              .aggregate()
              .map(a -> a.argument().stream().toList())
              .orElse(call.arguments())
              .stream()
              .map(expressions::operand)
              .toList();
      if (call.aggregate().isEmpty() && arguments.size() == 3) {
        // LAG and LEAD: what stands for the value at the edge.
        TypeAgreement.require(arguments.get(0).type(), arguments.get(2).type());
      }
      Optional<String> filter =
          call.aggregate().flatMap(AggregateCall::filter).map(expressions::sql);
      extra.put(
          ExprRenderer.name(call.output().id()),
          dialect.window(call, arguments, filter, over(call.partition(), call.order())));
    }
    return plain(window.input().columns(), from(window.input()), extra);
  }

  String over(List<Expr> partition, List<SortKey> order) {
    SortedTexts.check(
        dialect,
        Stream.concat(partition.stream(), order.stream().map(SortKey::expr)).map(Expr::type));
    String by = partition.stream().map(expressions::sql).collect(Collectors.joining(", "));
    String parts = by.isEmpty() ? "" : "PARTITION BY " + by;
    String keys = orderBy(order);
    return parts + (parts.isEmpty() || keys.isEmpty() ? "" : " ") + keys;
  }

  /** Constants order nothing, and as text they would be taken for column numbers. */
  private String orderBy(List<SortKey> order) {
    String keys =
        order.stream()
            .filter(k -> !(k.expr() instanceof Expr.Literal))
            .map(k -> dialect.sortKey(expressions.sorted(k.expr()), k.descending(), k.nullsFirst()))
            .collect(Collectors.joining(", "));
    return keys.isEmpty() ? "" : "ORDER BY " + keys;
  }

  String plain(List<Column> columns, String from) {
    return plain(columns, from, Map.of());
  }

  String plain(List<Column> columns, String from, Map<String, String> extra) {
    Map<String, String> read = new LinkedHashMap<>();
    kept(columns).forEach(c -> read.put(ExprRenderer.name(c.id()), ExprRenderer.name(c.id())));
    read.putAll(extra);
    return "SELECT " + aliased(read) + " FROM " + from;
  }

  /** A name that nothing has yet. */
  String fresh(String letter) {
    return letter + ++derived;
  }

  private List<Column> kept(List<Column> columns) {
    return columns.stream().filter(needed::contains).toList();
  }

  List<Column> shown(List<Column> columns) {
    return columns.stream().filter(needed::isShown).toList();
  }

  static String where(String predicate) {
    return predicate.equals("TRUE") ? "" : " WHERE " + predicate;
  }

  static String names(List<Column> columns) {
    return columns.stream().map(c -> ExprRenderer.name(c.id())).collect(Collectors.joining(", "));
  }

  /** A select list; a row without columns still is a row. */
  static String aliased(Map<String, String> read) {
    if (read.isEmpty()) {
      return "1 AS one";
    }
    return read.entrySet().stream()
        .map(e -> e.getKey().equals(e.getValue()) ? e.getKey() : e.getValue() + " AS " + e.getKey())
        .collect(Collectors.joining(", "));
  }

  /**
   * Renders aggregates below the release point.
   *
   * <p>In SQL an aggregate is one of the query whose columns its argument reads. A constant reads
   * none, so that it would be one of the innermost query around it, which may be a subquery by
   * which a dialect computes something once: the aggregate would see one row, and the query around
   * would not aggregate at all. So constants are columns of the rows that are aggregated.
   */
  private static final class AggregatedRows {
    private final TargetDialect dialect;
    private final RelationRenderer relations;
    private final Set<Integer> bare;

    AggregatedRows(TargetDialect dialect, RelationRenderer relations, Set<Integer> bare) {
      this.dialect = dialect;
      this.relations = relations;
      this.bare = bare;
    }

    /** Rows, and the constants among the arguments of calls as further columns of theirs. */
    private final class Rows {
      private final Map<AggregateCall, String> constants = new LinkedHashMap<>();
      private final String from;

      Rows(Relation input, Collection<AggregateCall> calls) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (AggregateCall call : calls) {
          if (call.kind() != AggregateCall.Kind.COUNT
              && Exprs.reads(call.argument().orElseThrow()).isEmpty()) {
            String name = relations.fresh("k");
            constants.put(call, name);
            columns.put(name, relations.expressions().sql(call.argument().get()));
          }
        }
        this.from =
            columns.isEmpty()
                ? relations.from(input)
                : relations.derived(
                    relations.plain(input.columns(), relations.from(input), columns));
      }

      String sql(AggregateCall call) {
        String constant = constants.get(call);
        return dialect.aggregate(
            call,
            call.argument()
                .map(
                    a ->
                        constant == null
                            ? relations.expressions().operand(a)
                            : RenderedExpression.named(constant, a.type())),
            call.filter().map(relations.expressions()::sql));
      }
    }

    /** One value of the rows that take part. */
    String scalar(Subquery.Scalar scalar) {
      String value = relations.expressions().sql(scalar.value());
      if (scalar.calls().isEmpty()) {
        return value;
      }
      Rows rows = new Rows(scalar.relation(), scalar.calls());
      String from =
          rows.from + RelationRenderer.where(relations.expressions().sql(scalar.condition()));
      if (!dialect.readsOuterColumnsInFrom()) {
        Map<Integer, String> inPlace = new HashMap<>();
        scalar.calls().forEach(c -> inPlace.put(c.output().id(), rows.sql(c)));
        value = new ExprRenderer(dialect, inPlace, bare).sql(scalar.value());
        return "(SELECT " + value + " FROM " + from + ")";
      }
      Map<String, String> calls = new LinkedHashMap<>();
      scalar.calls().forEach(c -> calls.put(ExprRenderer.name(c.output().id()), rows.sql(c)));
      String all = "SELECT " + RelationRenderer.aliased(calls) + " FROM " + from;
      return "(SELECT " + value + " FROM " + relations.derived(all) + ")";
    }

    /** Groups with their aggregates. */
    String select(Relation.Aggregate aggregate) {
      Rows rows = new Rows(aggregate.input(), aggregate.calls());
      List<String> calls = new ArrayList<>();
      aggregate
          .calls()
          .forEach(c -> calls.add(rows.sql(c) + " AS " + ExprRenderer.name(c.output().id())));
      if (calls.isEmpty() && aggregate.groupingSets().stream().anyMatch(List::isEmpty)) {
        // All rows are one group, which only an aggregate in the select list says everywhere.
        calls.add("COUNT(*) AS " + relations.fresh("n"));
      }
      String groups =
          new GroupedSelect(dialect, aggregate.keys(), aggregate.groupingSets())
              .select(
                  heading -> {
                    List<String> items = new ArrayList<>(heading.keys());
                    for (Relation.Aggregate.GroupingId id : aggregate.groupingIds()) {
                      String name = ExprRenderer.name(id.output().id());
                      items.add(heading.id(id.keys()) + " AS " + name);
                    }
                    items.addAll(calls);
                    return items;
                  },
                  rows.from,
                  List.of());
      return aggregate
          .having()
          .map(
              h ->
                  relations.plain(aggregate.columns(), relations.derived(groups))
                      + RelationRenderer.where(relations.expressions().sql(h)))
          .orElse(groups);
    }
  }
}
