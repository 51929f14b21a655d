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

  static List<Member.Use> of(Base base, Base member, Set<String> common) {
    List<Member.Use> uses = new ArrayList<>();
    for (Expr key : member.keys()) {
      uses.add(new Member.Use(member.text(key), base.from(member, key), true, Optional.empty()));
    }
    Map<Integer, List<Expr>> byColumn = new LinkedHashMap<>();
    for (Expr condition : member.conditions()) {
      if (common.contains(member.text(condition))) {
        continue;
      }
      Set<Integer> read = Tree.references(condition);
      if (read.size() == 1) {
        byColumn.computeIfAbsent(read.iterator().next(), c -> new ArrayList<>()).add(condition);
      } else {
        uses.add(isTrue(base, member, condition));
      }
    }
    byColumn.forEach(
        (column, conditions) ->
            chosen(member, column, conditions)
                .ifPresentOrElse(
                    values -> uses.add(choosing(base, member, column, values)),
                    () -> conditions.forEach(c -> uses.add(isTrue(base, member, c)))));
    return uses;
  }

  private static Member.Use isTrue(Base base, Base member, Expr condition) {
    return new Member.Use(
        "is " + member.text(condition),
        Exprs.test(Function.IS_TRUE, base.from(member, condition)),
        false,
        Optional.of(List.of(true)));
  }

  private static Member.Use choosing(Base base, Base member, int column, List<Object> values) {
    Expr ref = column(member, column).ref();
    return new Member.Use(member.text(ref), base.from(member, ref), false, Optional.of(values));
  }

  private static Column column(Base member, int id) {
    return member.rows().columns().stream().filter(c -> c.id() == id).findFirst().orElseThrow();
  }

  /** The values for which all conditions hold, if these are few and known. */
  private static Optional<List<Object>> chosen(Base member, int id, List<Expr> conditions) {
    Column column = column(member, id);
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
