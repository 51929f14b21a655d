package flexdp.sensitivity;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * S-WINDOW: (P1 + w·T1, w·T1, P1 + 2w·T1), w = mf of the partition's columns with NULL as a value:
 * a row that comes or goes may change the value of every row of its partition. What disappears was
 * among the at most w rows of a touched partition, rows of r1 that leave included, so the
 * guarantee's M1 is not needed. Calls with different partitions add up. T1 is capped by the number
 * of touched partitions.
 */
final class WindowRule {
  private WindowRule() {}

  static Stability of(SensitivityAnalysis analysis, Relation.Window window, PrivacyUnit unit) {
    Stability one = analysis.stability(window.input(), unit);
    if (window.calls().isEmpty()) {
      return one;
    }
    analysis.applied.rule(window, "S-WINDOW");
    List<BoundOrReason> changed = new ArrayList<>();
    for (List<Expr> partition :
        new LinkedHashSet<>(window.calls().stream().map(WindowCall::partition).toList())) {
      Set<Integer> columns = ColumnReferences.bare(partition);
      BoundOrReason rows = analysis.frequency(FrequencyKey.grouping(columns), window.input());
      BoundOrReason touched =
          columns.size() == partition.size()
              ? BoundOrReason.min(
                  one.both(), analysis.affectedGroups(columns, window.input(), unit))
              : one.both();
      changed.add(analysis.terms.product("S-WINDOW.W", rows, touched));
    }
    BoundArithmetic terms = analysis.terms;
    BoundOrReason all = terms.sum("S-WINDOW.ALL", changed.toArray(BoundOrReason[]::new));
    BoundOrReason twice = terms.product("S-WINDOW.TWICE", BoundOrReason.of(2), all);
    return terms.signed(
        "S-WINDOW",
        terms.sum("S-WINDOW.P", one.added(), all),
        all,
        terms.sum("S-WINDOW.T", one.added(), twice));
  }
}
