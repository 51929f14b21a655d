package flexdp.frame;

import flexdp.cells.Histogram;
import flexdp.compute.Ordering;
import flexdp.plan.FittedNoise;
import flexdp.workload.Estimates;
import flexdp.workload.SumLaw;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The errors of one member's numbers. Cells of a listed key are alike, so only labels of ordered
 * keys can tell errors apart: some are made up of more blocks than others.
 */
final class AnswerErrors {
  private final Strategy strategy;
  private final SharedFrame.Answer answer;
  private final Estimates estimates;
  private final int cuboid;

  AnswerErrors(Strategy strategy, SharedFrame.Answer answer) {
    this.strategy = strategy;
    this.answer = answer;
    this.estimates = strategy.estimates();
    this.cuboid = answer.cuboid(strategy.frame().lattice());
  }

  FittedNoise all() {
    List<Integer> telling = telling();
    Map<SumLaw, Integer> laws = new HashMap<>();
    List<SumLaw> inOrder = new ArrayList<>();
    Map<List<Object>, Integer> byLabels = new HashMap<>();
    for (Histogram.Bin bin :
        Histogram.of(answer.member().point(), answer.member().labels()).bins()) {
      List<Object> told = new ArrayList<>();
      telling.forEach(key -> told.add(bin.labels().get(key)));
      List<Object> name = Ordering.canonical(told);
      if (!byLabels.containsKey(name)) {
        SumLaw law = law(bin.labels());
        if (laws.putIfAbsent(law, laws.size()) == null) {
          inOrder.add(law);
        }
        byLabels.put(name, laws.get(law));
      }
    }
    BigDecimal grid = strategy.measurement().grid();
    return inOrder.size() < 2
        ? new FittedNoise.Sums(inOrder.isEmpty() ? SumLaw.NONE : inOrder.getFirst(), grid)
        : new FittedNoise.Sums(
            telling.stream().map(key -> answer.member().point().keys().get(key).id()).toList(),
            inOrder,
            byLabels,
            grid);
  }

  /** The member's keys that are labels of ordered columns, by place. */
  private List<Integer> telling() {
    TreeSet<Integer> places = new TreeSet<>();
    for (int key = 0; key < answer.parts().size(); key++) {
      if (strategy.frame().ruler(key) instanceof Ruler.Ordered) {
        places.addAll(answer.parts().get(key).grouped().keySet());
      }
    }
    return List.copyOf(places);
  }

  private SumLaw law(List<Object> labels) {
    int[][] blocks = new int[answer.parts().size()][];
    for (int key = 0; key < blocks.length; key++) {
      blocks[key] = answer.parts().get(key).blocks(strategy.frame().ruler(key), labels);
    }
    return estimates.law(cuboid, blocks);
  }
}
