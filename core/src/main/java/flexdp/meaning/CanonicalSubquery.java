package flexdp.meaning;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Subquery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntFunction;

/** A subquery as a text in which the outer query's columns have the names it gives them. */
final class CanonicalSubquery {
  private CanonicalSubquery() {}

  static String text(Subquery subquery, IntFunction<String> outer, Canonical canonical) {
    CanonicalBlock block = CanonicalBlock.of(subquery.relation(), canonical);
    List<Expr> conditions = new ArrayList<>();
    CanonicalText.conjuncts(subquery.condition(), conditions);
    List<CanonicalBlock.Item> uses = new ArrayList<>();
    for (Expr condition : conditions) {
      uses.add(names -> CanonicalText.of(condition, both(block, names, outer)));
    }
    List<AggregateCall> calls =
        switch (subquery) {
          case Subquery.Exists ignored -> List.of();
          case Subquery.Scalar scalar -> scalar.calls();
        };
    calls.forEach(call -> uses.add(names -> Canonical.call(call, both(block, names, outer))));
    CanonicalBlock.Settled settled = block.settle(uses);
    IntFunction<String> names = both(block, settled.names(), outer);
    TreeSet<String> terms = new TreeSet<>();
    conditions.forEach(c -> terms.add(CanonicalText.of(c, names)));
    String rows = settled.text() + " on " + String.join(" and ", terms);
    return CanonicalText.shortened(
        switch (subquery) {
          case Subquery.Exists exists -> (exists.negated() ? "none{" : "some{") + rows + "}";
          case Subquery.Scalar scalar -> {
            Map<Integer, String> outputs = new HashMap<>();
            calls.forEach(c -> outputs.put(c.output().id(), Canonical.call(c, names)));
            yield "value{"
                + rows
                + " of "
                + CanonicalText.of(
                    scalar.value(),
                    id -> outputs.containsKey(id) ? outputs.get(id) : names.apply(id))
                + "}";
          }
        });
  }

  private static IntFunction<String> both(
      CanonicalBlock block, IntFunction<String> inner, IntFunction<String> outer) {
    return id -> block.knows(id) ? "s." + inner.apply(id) : outer.apply(id);
  }
}
