package flexdp.decompose;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.algebra.WindowCall;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the numbers of an answer are not, though somebody may take them for it. That follows from
 * the question and the policy alone.
 */
public final class Caveats {
  private Caveats() {}

  /** Sentences to stand beside the answer. */
  public static List<String> of(DpQuery query) {
    Set<String> all = new LinkedHashSet<>();
    for (NoisyAggregate release : query.releases()) {
      for (Measurement one : release.measurements()) {
        if (one instanceof Measurement.Quantile quantile) {
          quantile(quantile, all);
        }
      }
    }
    if (hasWindowsOfLabels(query)) {
      all.add("windows go over all labels, those without rows too");
    }
    return new ArrayList<>(all);
  }

  private static void quantile(Measurement.Quantile one, Set<String> all) {
    String name = one.origin().aggregate().toLowerCase(java.util.Locale.ROOT);
    BigDecimal step = one.clamp().grid();
    Type type = one.output().type();
    boolean own = type.isExact() && step.compareTo(BigDecimal.ONE.movePointLeft(type.scale())) <= 0;
    if (!own) {
      all.add(name + " is found in steps of " + step.stripTrailingZeros().toPlainString());
    }
  }

  /** Sums do not change by labels without rows; averages, counts and extremes do. */
  private static boolean hasWindowsOfLabels(DpQuery query) {
    boolean[] found = new boolean[1];
    AlgebraWalker.visit(
        query.top(),
        r ->
            found[0] |=
                r instanceof Relation.Window window
                    && window.calls().stream().anyMatch(Caveats::countsRows)
                    && readsLabels(window, query));
    return found[0];
  }

  private static boolean countsRows(WindowCall call) {
    return call.aggregate().filter(a -> a.kind() != AggregateCall.Kind.SUM).isPresent();
  }

  private static boolean readsLabels(Relation window, DpQuery query) {
    boolean[] found = new boolean[1];
    AlgebraWalker.visit(
        window,
        r ->
            found[0] |=
                r instanceof Relation.Released released
                    && query.releases().stream()
                        .anyMatch(
                            p ->
                                p.id() == released.release()
                                    && p.labels() instanceof Labels.Enumerated));
    return found[0];
  }
}
