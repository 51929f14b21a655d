package flexdp.marginals;

import flexdp.algebra.Expr;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which cells of an ordered key each label of a member's key has.
 *
 * @param level the coarsest of whose blocks all labels are made up
 */
record LabelCells(int level, Map<List<Object>, boolean[]> cells) {
  static LabelCells of(BinIndex.Ordered ruler, Expr key, Collection<Object> labels) {
    Map<List<Object>, boolean[]> cells = new HashMap<>();
    int level = 0;
    for (Object label : labels) {
      boolean[] own =
          label == null
              ? ruler.bins().ofNull()
              : ruler.bins().cells(List.of(ruler.spans().label(key, label).orElseThrow()));
      level = Math.max(level, ruler.bins().level(own));
      cells.put(KeyDomain.name(label), own);
    }
    return new LabelCells(level, cells);
  }
}
