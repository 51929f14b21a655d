package flexdp.gateway.render;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Renders aggregates below the release point.
 *
 * <p>In SQL an aggregate is one of the query whose columns its argument reads. A constant reads
 * none, so that it would be one of the innermost query around it, which may be a subquery by which
 * a dialect computes something once: the aggregate would see one row, and the query around would
 * not aggregate at all. So constants are columns of the rows that are aggregated.
 */
final class AggregatedRows {
  private final Dialect dialect;
  private final Relations relations;
  private final Set<Integer> bare;

  AggregatedRows(Dialect dialect, Relations relations, Set<Integer> bare) {
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
              : relations.derived(relations.plain(input.columns(), relations.from(input), columns));
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
                          : Operand.named(constant, a.type())),
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
    String from = rows.from + Relations.where(relations.expressions().sql(scalar.condition()));
    if (!dialect.readsOuterColumnsInFrom()) {
      Map<Integer, String> inPlace = new HashMap<>();
      scalar.calls().forEach(c -> inPlace.put(c.output().id(), rows.sql(c)));
      value = new ExprRenderer(dialect, inPlace, bare).sql(scalar.value());
      return "(SELECT " + value + " FROM " + from + ")";
    }
    Map<String, String> calls = new LinkedHashMap<>();
    scalar.calls().forEach(c -> calls.put(ExprRenderer.name(c.output().id()), rows.sql(c)));
    String all = "SELECT " + Relations.aliased(calls) + " FROM " + from;
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
                    + Relations.where(relations.expressions().sql(h)))
        .orElse(groups);
  }
}
