package flexdp.frame;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Tree;
import flexdp.compute.Computable;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import flexdp.reuse.KeyValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the keys of a frame are for one member: its own keys, and a key for every condition that not
 * all members have. Where conditions leave finitely many values of one column, that column is the
 * key and these values are chosen; otherwise the condition itself is one, true or not.
 */
final class FrameKeys {
  private static final int MOST_CHOSEN = 2_000;

  private FrameKeys() {}

  /**
   * @param base over whose rows keys and conditions are
   * @param conditions that not all members have
   */
  static List<Member.Use> of(Base base, List<Expr> keys, List<Expr> conditions, Axes axes) {
    List<Member.Use> uses = new ArrayList<>();
    Map<Integer, List<Integer>> places = new LinkedHashMap<>();
    Map<Integer, List<ColumnSpans.Span>> spans = new LinkedHashMap<>();
    for (int i = 0; i < keys.size(); i++) {
      Expr key = keys.get(i);
      Optional<Integer> axis = axes.ofKey(key);
      if (axis.isPresent()) {
        places.computeIfAbsent(axis.get(), a -> new ArrayList<>()).add(i);
      } else {
        uses.add(use(base.text(key), key, List.of(i), Optional.empty()));
      }
    }
    Map<Integer, List<Expr>> byColumn = new LinkedHashMap<>();
    for (Expr condition : conditions) {
      Optional<Integer> axis = axes.ofCondition(condition);
      Set<Integer> read = Tree.references(condition);
      if (axis.isPresent()) {
        places.putIfAbsent(axis.get(), new ArrayList<>());
        List<ColumnSpans.Span> own = axes.spans(condition);
        spans.merge(axis.get(), own, ColumnSpans::both);
      } else if (read.size() == 1) {
        byColumn.computeIfAbsent(read.iterator().next(), c -> new ArrayList<>()).add(condition);
      } else {
        uses.add(isTrue(base, condition));
      }
    }
    byColumn.forEach(
        (column, own) ->
            chosen(base, column, own)
                .ifPresentOrElse(
                    values -> uses.add(choosing(base, column, values)),
                    () -> own.forEach(c -> uses.add(isTrue(base, c)))));
    places.forEach(
        (column, own) ->
            uses.add(
                new Member.Use(
                    "axis " + column,
                    axes.axis(column).read(),
                    own.stream().map(keys::get).toList(),
                    own,
                    Optional.empty(),
                    Optional.of(column),
                    Optional.ofNullable(spans.get(column)))));
    return uses;
  }

  private static Member.Use use(
      String key, Expr expr, List<Integer> places, Optional<List<Object>> chosen) {
    return new Member.Use(
        key,
        expr,
        places.isEmpty() ? List.of() : List.of(expr),
        places,
        chosen,
        Optional.empty(),
        Optional.empty());
  }

  private static Member.Use isTrue(Base base, Expr condition) {
    return use(
        "is " + base.text(condition),
        Exprs.test(Function.IS_TRUE, condition),
        List.of(),
        Optional.of(List.of(true)));
  }

  private static Member.Use choosing(Base base, int column, List<Object> values) {
    Expr ref = column(base, column).ref();
    return use(base.text(ref), ref, List.of(), Optional.of(values));
  }

  private static Column column(Base base, int id) {
    return base.rows().columns().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
  }

  /** The values for which all conditions hold, if these are few and known. */
  private static Optional<List<Object>> chosen(Base base, int id, List<Expr> conditions) {
    Column column = column(base, id);
    boolean text = column.type().kind() == Type.Kind.VARCHAR;
    if (!conditions.stream().allMatch(c -> Computable.is(c) && (!text || isEquality(c)))) {
      return Optional.empty();
    }
    Optional<List<Object>> possible = new KeyValues(id, column.type()).of(conditions);
    if (possible.isEmpty() || possible.get().size() > MOST_CHOSEN) {
      return Optional.empty();
    }
    Evaluator evaluator = new Evaluator(List.of(column));
    List<Evaluator.Value> tests = conditions.stream().map(evaluator::compile).toList();
    List<Object> chosen = new ArrayList<>();
    for (Object value : possible.get()) {
      List<Object> row = java.util.Collections.singletonList(value);
      if (!chosen.contains(value) && tests.stream().allMatch(t -> Evaluator.isTrue(t.on(row)))) {
        chosen.add(value);
      }
    }
    return chosen.isEmpty() ? Optional.empty() : Optional.of(chosen);
  }

  /** Databases order texts each in their own way, but agree which are equal. */
  private static boolean isEquality(Expr condition) {
    return condition instanceof Expr.Call call
        && (call.function() == Function.EQ || call.function() == Function.IN_LIST);
  }
}
