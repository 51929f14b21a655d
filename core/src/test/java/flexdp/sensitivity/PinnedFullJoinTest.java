package flexdp.sensitivity;

import static flexdp.sensitivity.Trees.col;
import static flexdp.sensitivity.Trees.eq;
import static flexdp.sensitivity.Trees.flexdp;
import static flexdp.sensitivity.Trees.metrics;
import static flexdp.sensitivity.Trees.table;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.policy.Table;
import org.junit.jupiter.api.Test;

/**
 * Guarantee §3: t q1 FULL JOIN u q2 ON q1.a = q2.a JOIN w q3 ON q2.b = q3.a JOIN t q4 ON q3.id =
 * q4.b, with t empty, three rows b = 0 in u and one row (0, 0) in w. One row more of t joins three
 * times: a frequency closed under the equality of a full join would miss it.
 */
class PinnedFullJoinTest {
  @Test
  void theThreePaddedRowsCount() {
    Table t = table("t", "a", "b");
    Trees trees = new Trees();
    Relation q1 = trees.scan(t);
    Relation q2 = trees.scan(table("u", "a", "b"));
    Relation q3 = trees.scan(table("w", "id!", "a"));
    Relation q4 = trees.scan(t);
    Relation all =
        Trees.join(
            Trees.join(
                Trees.full(q1, q2, eq(col(q1, "a"), col(q2, "a"))),
                q3,
                eq(col(q2, "b"), col(q3, "a"))),
            q4,
            eq(col(q3, "id"), col(q4, "b")));
    Bound bound =
        flexdp(
            all,
            metrics(
                "t.a", 0, "t.b", 0, "u.a", 3, "u.b", 3, "w.id", 1, "w.a", 1, "t", 0, "u", 3, "w",
                1));
    assertTrue(bound.atZero().intValueExact() >= 3, bound.formula());
  }
}
