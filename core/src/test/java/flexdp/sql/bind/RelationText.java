package flexdp.sql.bind;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Frame;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Relations as short text, for tests: columns are shown as name#id. */
final class RelationText {
  private RelationText() {}

  static String of(Relation relation) {
    return switch (relation) {
      case Relation.Scan s -> s.table().name();
      case Relation.Values v -> "values" + v.rows().stream().map(r -> exprs(r)).toList();
      case Relation.Filter f -> "filter(" + of(f.input()) + ", " + of(f.predicate()) + ")";
      case Relation.Project p ->
          "project("
              + of(p.input())
              + ", "
              + p.outputs().stream()
                  .map(
                      o ->
                          o.expr().equals(o.column().ref())
                              ? of(o.column())
                              : of(o.column()) + "=" + of(o.expr()))
                  .collect(Collectors.joining(", "))
              + ")";
      case Relation.Join j ->
          j.kind().name().toLowerCase(Locale.ROOT)
              + "("
              + of(j.left())
              + ", "
              + of(j.right())
              + ", "
              + of(j.condition())
              + ")";
      case Relation.Where w ->
          "where("
              + of(w.input())
              + ", "
              + w.subqueries().stream().map(RelationText::of).collect(Collectors.joining(", "))
              + ", "
              + of(w.predicate())
              + ")";
      case Relation.Attach a ->
          "attach("
              + of(a.input())
              + ", "
              + a.subqueries().stream().map(RelationText::of).collect(Collectors.joining(", "))
              + ")";
      case Relation.Distinct d -> "distinct(" + of(d.input()) + ")";
      case Relation.Aggregate a ->
          "aggregate("
              + of(a.input())
              + ", "
              + columns(a.keys())
              + (a.groupingSets().size() == 1 ? "" : a.groupingSets())
              + ", "
              + a.calls().stream().map(RelationText::of).toList()
              + a.groupingIds().stream()
                  .map(g -> ", " + of(g.output()) + "=grouping" + g.keys())
                  .collect(Collectors.joining())
              + a.having().map(h -> ", having " + of(h)).orElse("")
              + (a.visible().size() == a.calls().size() ? "" : ", visible " + columns(a.visible()))
              + ")";
      case Relation.SetOperation s ->
          s.kind().name().toLowerCase(Locale.ROOT)
              + (s.all() ? "All" : "")
              + "("
              + of(s.left())
              + ", "
              + of(s.right())
              + ")";
      case Relation.Limit l ->
          "limit("
              + of(l.input())
              + ", "
              + order(l.order())
              + (l.offset() == 0 ? "" : ", offset " + l.offset())
              + (l.count().isEmpty() ? "" : ", " + l.count().getAsLong())
              + ")";
      case Relation.TopRows t ->
          "top("
              + of(t.input())
              + ", "
              + exprs(t.partition())
              + ", "
              + order(t.order())
              + ", "
              + t.count()
              + ")";
      case Relation.Window w ->
          "window("
              + of(w.input())
              + ", "
              + w.calls().stream().map(RelationText::of).toList()
              + ")";
      case Relation.Released r -> "released" + r.release();
    };
  }

  private static String of(Subquery subquery) {
    return switch (subquery) {
      case Subquery.Exists e ->
          of(e.output())
              + "="
              + (e.negated() ? "not " : "")
              + "exists("
              + of(e.relation())
              + ", "
              + of(e.condition())
              + ")";
      case Subquery.Scalar s ->
          of(s.output())
              + "=scalar("
              + of(s.relation())
              + ", "
              + of(s.condition())
              + ", "
              + s.calls().stream().map(RelationText::of).toList()
              + ", "
              + of(s.value())
              + ")";
    };
  }

  private static String of(AggregateCall call) {
    return of(call.output())
        + "="
        + call.kind().name().toLowerCase(Locale.ROOT)
        + "("
        + (call.distinct() ? "distinct " : "")
        + call.argument().map(RelationText::of).orElse("*")
        + call.fraction().map(f -> ", " + f).orElse("")
        + ")"
        + call.filter().map(f -> " if " + of(f)).orElse("");
  }

  private static String of(WindowCall call) {
    return of(call.output())
        + "="
        + call.aggregate()
            .map(
                a ->
                    a.kind().name().toLowerCase(Locale.ROOT)
                        + a.argument().map(RelationText::of).map(List::of).orElse(List.of()))
            .orElse("")
        + call.rank().map(r -> r.name()).orElse("").toLowerCase(Locale.ROOT)
        + exprs(call.arguments())
        + " over "
        + exprs(call.partition())
        + order(call.order())
        + call.frame()
            .map(f -> " " + f.unit() + " " + end(f.low(), "start") + " to " + end(f.high(), "end"))
            .orElse("");
  }

  private static String end(Frame.Bound bound, String unbounded) {
    return switch (bound) {
      case Frame.Bound.Unbounded ignored -> unbounded;
      case Frame.Bound.Current ignored -> "here";
      case Frame.Bound.Offset o -> of(o.distance()) + (o.preceding() ? " before" : " after");
    };
  }

  private static String order(List<SortKey> order) {
    return order.stream()
        .map(
            k ->
                of(k.expr())
                    + (k.descending() ? " desc" : "")
                    + (k.descending() == k.nullsFirst()
                        ? ""
                        : k.nullsFirst() ? " nulls first" : " nulls last"))
        .toList()
        .toString();
  }

  private static String columns(List<Column> columns) {
    return columns.stream().map(RelationText::of).toList().toString();
  }

  private static String exprs(List<? extends Expr> exprs) {
    return exprs.stream().map(RelationText::of).toList().toString();
  }

  static String of(Column column) {
    return column.name() + "#" + column.id();
  }

  static String of(Expr expr) {
    return switch (expr) {
      case Expr.Ref r -> "#" + r.column();
      case Expr.Literal l -> l.value() instanceof String s ? "'" + s + "'" : "" + l.value();
      case Expr.Cast c -> of(c.operand()) + "::" + c.type();
      case Expr.Call c ->
          c.function().name().toLowerCase(Locale.ROOT)
              + c.arguments().stream()
                  .map(RelationText::of)
                  .collect(Collectors.joining(", ", "(", ")"));
      case Expr.Case c ->
          "case("
              + c.branches().stream()
                  .map(b -> of(b.condition()) + " -> " + of(b.value()))
                  .collect(Collectors.joining(", "))
              + c.otherwise().map(e -> " else " + of(e)).orElse("")
              + ")";
    };
  }
}
