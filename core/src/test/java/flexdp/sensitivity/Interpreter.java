package flexdp.sensitivity;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Evaluates relations over tiny tables, as plainly as possible: the judge of the rules. */
final class Interpreter {
  private final Map<String, List<Object[]>> tables;

  Interpreter(Map<String, List<Object[]>> tables) {
    this.tables = tables;
  }

  Rows rows(Relation relation) {
    return Rows.of(relation, evaluate(relation));
  }

  private List<Object[]> evaluate(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan -> tables.get(scan.table().name());
      case Relation.Values values ->
          values.rows().stream()
              .map(row -> row.stream().map(l -> Values.of(l, null)).toArray())
              .toList();
      case Relation.Filter filter -> {
        Rows input = rows(filter.input());
        yield input.rows().stream().filter(r -> input.isTrue(filter.predicate(), r)).toList();
      }
      case Relation.Project project -> {
        Rows input = rows(project.input());
        yield input.rows().stream()
            .map(r -> project.outputs().stream().map(o -> input.value(o.expr(), r)).toArray())
            .toList();
      }
      case Relation.Join join -> join(join);
      case Relation.Where where -> where(where);
      case Relation.Attach attach -> attach(attach);
      case Relation.Distinct distinct -> distinct(evaluate(distinct.input()));
      case Relation.Aggregate aggregate -> aggregate(aggregate);
      case Relation.SetOperation set -> setOperation(set);
      case Relation.Limit limit -> {
        Rows input = rows(limit.input());
        yield sorted(input, input.rows(), limit.order()).stream()
            .skip(limit.offset())
            .limit(limit.count().orElse(Long.MAX_VALUE))
            .toList();
      }
      case Relation.TopRows top -> topRows(top);
      case Relation.Window window -> window(window);
      case Relation.Released ignored -> throw new IllegalStateException();
    };
  }

  private List<Object[]> join(Relation.Join join) {
    Rows left = rows(join.left());
    Rows right = rows(join.right());
    Rows shape = Rows.of(join, List.of());
    int width = join.left().columns().size();
    int all = join.columns().size();
    List<Object[]> result = new ArrayList<>();
    boolean[] met = new boolean[right.rows().size()];
    for (Object[] one : left.rows()) {
      boolean alone = true;
      for (int i = 0; i < met.length; i++) {
        Object[] both = Arrays.copyOf(one, all);
        Object[] two = right.rows().get(i);
        System.arraycopy(two, 0, both, width, two.length);
        if (shape.isTrue(join.condition(), both)) {
          result.add(both);
          met[i] = true;
          alone = false;
        }
      }
      if (alone && join.kind() != Relation.JoinKind.INNER) {
        result.add(Arrays.copyOf(one, all));
      }
    }
    for (int i = 0; i < met.length && join.kind() == Relation.JoinKind.FULL; i++) {
      if (!met[i]) {
        Object[] both = new Object[all];
        Object[] two = right.rows().get(i);
        System.arraycopy(two, 0, both, width, two.length);
        result.add(both);
      }
    }
    return result;
  }

  private List<Object[]> where(Relation.Where where) {
    Rows input = rows(where.input());
    Map<Subquery, Rows> inner = new IdentityHashMap<>();
    where.subqueries().forEach(s -> inner.put(s, rows(s.relation())));
    List<Object[]> result = new ArrayList<>();
    for (Object[] row : input.rows()) {
      Map<Integer, Object> outputs = new HashMap<>();
      where.subqueries().forEach(s -> outputs.put(s.output().id(), answer(s, input, row, inner)));
      if (Boolean.TRUE.equals(Values.of(where.predicate(), input.scope(row).or(outputs)))) {
        result.add(row);
      }
    }
    return result;
  }

  private List<Object[]> attach(Relation.Attach attach) {
    Rows input = rows(attach.input());
    Map<Subquery, Rows> inner = new IdentityHashMap<>();
    attach.subqueries().forEach(s -> inner.put(s, rows(s.relation())));
    List<Object[]> result = new ArrayList<>();
    for (Object[] row : input.rows()) {
      Object[] wide = Arrays.copyOf(row, row.length + attach.subqueries().size());
      for (int i = 0; i < attach.subqueries().size(); i++) {
        wide[row.length + i] = answer(attach.subqueries().get(i), input, row, inner);
      }
      result.add(wide);
    }
    return result;
  }

  private static Object answer(
      Subquery subquery, Rows outer, Object[] row, Map<Subquery, Rows> inner) {
    Rows candidates = inner.get(subquery);
    List<Object[]> partners = new ArrayList<>();
    for (Object[] two : candidates.rows()) {
      Rows.Scope both =
          id ->
              candidates.positions().containsKey(id)
                  ? candidates.scope(two).value(id)
                  : outer.scope(row).value(id);
      if (Boolean.TRUE.equals(Values.of(subquery.condition(), both))) {
        partners.add(two);
      }
    }
    return switch (subquery) {
      case Subquery.Exists exists -> partners.isEmpty() == exists.negated();
      case Subquery.Scalar scalar -> {
        Map<Integer, Object> outputs = new HashMap<>();
        scalar.calls().forEach(c -> outputs.put(c.output().id(), call(c, candidates, partners)));
        yield Values.of(scalar.value(), outputs::get);
      }
    };
  }

  private static List<Object[]> distinct(List<Object[]> rows) {
    LinkedHashSet<List<Object>> seen = new LinkedHashSet<>();
    rows.forEach(row -> seen.add(Arrays.asList(row)));
    return seen.stream().map(List::toArray).toList();
  }

  private List<Object[]> aggregate(Relation.Aggregate aggregate) {
    Rows input = rows(aggregate.input());
    List<Object[]> result = new ArrayList<>();
    for (List<Integer> set : aggregate.groupingSets()) {
      Map<List<Object>, List<Object[]>> groups = new LinkedHashMap<>();
      if (set.isEmpty()) {
        groups.put(List.of(), new ArrayList<>());
      }
      for (Object[] row : input.rows()) {
        List<Object> key = new ArrayList<>();
        set.forEach(i -> key.add(input.value(aggregate.keys().get(i).ref(), row)));
        groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
      }
      groups.forEach(
          (key, members) -> {
            Map<Integer, Object> values = new HashMap<>();
            for (int i = 0; i < aggregate.keys().size(); i++) {
              int at = set.indexOf(i);
              values.put(aggregate.keys().get(i).id(), at < 0 ? null : key.get(at));
            }
            for (AggregateCall call : aggregate.calls()) {
              values.put(call.output().id(), call(call, input, members));
            }
            for (Relation.Aggregate.GroupingId id : aggregate.groupingIds()) {
              long bits = 0;
              for (int k : id.keys()) {
                bits = 2 * bits + (set.contains(k) ? 0 : 1);
              }
              values.put(id.output().id(), bits);
            }
            boolean passes =
                aggregate
                    .having()
                    .map(h -> Boolean.TRUE.equals(Values.of(h, values::get)))
                    .orElse(true);
            if (passes) {
              result.add(aggregate.columns().stream().map(c -> values.get(c.id())).toArray());
            }
          });
    }
    return result;
  }

  private static Object call(AggregateCall call, Rows input, List<Object[]> members) {
    List<Object> values = new ArrayList<>();
    for (Object[] row : members) {
      if (call.filter().isEmpty() || input.isTrue(call.filter().get(), row)) {
        Object value = call.argument().isEmpty() ? 1L : input.value(call.argument().get(), row);
        if (value != null) {
          values.add(value);
        }
      }
    }
    if (call.distinct()) {
      values = new ArrayList<>(new LinkedHashSet<>(values));
    }
    return switch (call.kind()) {
      case COUNT -> (long) values.size();
      case SUM -> values.stream().map(v -> (Long) v).reduce(Long::sum).orElse(null);
      case MIN -> values.stream().map(v -> (Long) v).reduce(Long::min).orElse(null);
      case MAX -> values.stream().map(v -> (Long) v).reduce(Long::max).orElse(null);
      default -> throw new IllegalArgumentException("not used here: " + call.kind());
    };
  }

  private List<Object[]> setOperation(Relation.SetOperation set) {
    List<Object[]> left = evaluate(set.left());
    List<Object[]> right = evaluate(set.right());
    Map<List<Object>, Integer> ones = Rows.of(set, left).counted();
    Map<List<Object>, Integer> twos = Rows.of(set, right).counted();
    Map<List<Object>, Integer> all = new LinkedHashMap<>();
    LinkedHashSet<List<Object>> either = new LinkedHashSet<>(ones.keySet());
    either.addAll(twos.keySet());
    for (List<Object> row : either) {
      int one = ones.getOrDefault(row, 0);
      int two = twos.getOrDefault(row, 0);
      int count =
          switch (set.kind()) {
            case UNION -> one + two;
            case INTERSECT -> Math.min(one, two);
            case EXCEPT -> set.all() ? Math.max(0, one - two) : two > 0 ? 0 : one;
          };
      all.put(row, set.all() ? count : Math.min(1, count));
    }
    List<Object[]> result = new ArrayList<>();
    all.forEach(
        (row, count) -> {
          for (int i = 0; i < count; i++) {
            result.add(row.toArray());
          }
        });
    return result;
  }

  private static List<Object[]> sorted(Rows input, List<Object[]> rows, List<SortKey> order) {
    return rows.stream().sorted(comparator(input, order)).toList();
  }

  private static Comparator<Object[]> comparator(Rows input, List<SortKey> order) {
    return (x, y) -> {
      for (SortKey key : order) {
        Long one = (Long) input.value(key.expr(), x);
        Long two = (Long) input.value(key.expr(), y);
        if (Objects.equals(one, two)) {
          continue;
        }
        if (one == null || two == null) {
          return (one == null) == key.nullsFirst() ? -1 : 1;
        }
        return key.descending() ? two.compareTo(one) : one.compareTo(two);
      }
      return 0;
    };
  }

  private static Map<List<Object>, List<Object[]>> partitions(Rows input, List<Expr> partition) {
    Map<List<Object>, List<Object[]>> groups = new LinkedHashMap<>();
    for (Object[] row : input.rows()) {
      List<Object> key = new ArrayList<>();
      partition.forEach(expr -> key.add(input.value(expr, row)));
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(row);
    }
    return groups;
  }

  private List<Object[]> topRows(Relation.TopRows top) {
    Rows all = rows(top.input());
    // Equal rows may be one object, and only some of them stay.
    Rows input = new Rows(all.positions(), all.rows().stream().map(Object[]::clone).toList());
    List<Object[]> result = new ArrayList<>(input.rows());
    for (Relation.TopRows.Rank rank : top.ranks()) {
      Set<Object[]> first = Collections.newSetFromMap(new IdentityHashMap<>());
      partitions(input, rank.partition())
          .forEach(
              (key, group) ->
                  sorted(input, group, top.order()).stream()
                      .limit(top.nullsStay() && key.contains(null) ? Long.MAX_VALUE : rank.count())
                      .forEach(first::add));
      result.removeIf(row -> !first.contains(row));
    }
    return result;
  }

  private List<Object[]> window(Relation.Window window) {
    Rows input = rows(window.input());
    int width = window.input().columns().size();
    Map<Object[], Object[]> wide = new IdentityHashMap<>();
    List<Object[]> copies = input.rows().stream().map(Object[]::clone).toList();
    Rows own = new Rows(input.positions(), copies);
    List<Object[]> result = new ArrayList<>();
    for (Object[] row : copies) {
      wide.put(row, Arrays.copyOf(row, width + window.calls().size()));
      result.add(wide.get(row));
    }
    for (int i = 0; i < window.calls().size(); i++) {
      WindowCall call = window.calls().get(i);
      int position = width + i;
      Comparator<Object[]> order = comparator(own, call.order());
      partitions(own, call.partition())
          .values()
          .forEach(
              group -> {
                List<Object[]> members = group.stream().sorted(order).toList();
                for (int n = 0; n < members.size(); n++) {
                  Object[] row = members.get(n);
                  wide.get(row)[position] = windowValue(call, own, members, n, order);
                }
              });
    }
    return result;
  }

  private static Object windowValue(
      WindowCall call, Rows input, List<Object[]> members, int n, Comparator<Object[]> order) {
    Object[] row = members.get(n);
    if (call.aggregate().isPresent()) {
      List<Object[]> frame =
          call.order().isEmpty()
              ? members
              : members.stream().filter(m -> order.compare(m, row) <= 0).toList();
      return call(call.aggregate().get(), input, frame);
    }
    return switch (call.rank().orElseThrow()) {
      case ROW_NUMBER -> n + 1L;
      case RANK -> 1 + members.stream().filter(m -> order.compare(m, row) < 0).count();
      case LAG -> n == 0 ? null : input.value(call.arguments().get(0), members.get(n - 1));
      default -> throw new IllegalArgumentException("not used here");
    };
  }
}
