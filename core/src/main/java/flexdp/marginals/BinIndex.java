package flexdp.marginals;

import flexdp.algebra.Expr;
import flexdp.cells.CellSink;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Where the values of one key of a frame stand: every one in a cell, or in none. */
sealed interface BinIndex {
  /** The cell at the last level; −1 where a value is in none. */
  int cell(Object value);

  /** How many blocks each level has, 1 first. */
  int[] blocks();

  /**
   * Listed labels, and one cell for the rest unless these are all there are.
   *
   * @param values the labels in the order of their cells
   */
  record Listed(List<Object> values, Map<List<Object>, Integer> labels, boolean complete)
      implements BinIndex {
    static Listed of(List<Object> values, boolean complete) {
      Map<List<Object>, Integer> known = new HashMap<>();
      List<Object> inOrder = new ArrayList<>();
      for (Object label : values) {
        if (known.putIfAbsent(KeyDomain.name(label), known.size()) == null) {
          inOrder.add(label);
        }
      }
      return new Listed(inOrder, known, complete);
    }

    @Override
    public int cell(Object value) {
      Integer known = value == CellSink.UNREADABLE ? null : labels.get(KeyDomain.name(value));
      return known != null ? known : complete ? -1 : labels.size();
    }

    @Override
    public int[] blocks() {
      int cells = labels.size() + (complete ? 0 : 1);
      return cells == 1 ? new int[] {1} : new int[] {1, cells};
    }
  }

  /**
   * Pieces of an ordered column.
   *
   * @param read the key of a member whose labels the database tells; otherwise it tells the numbers
   *     of pieces
   */
  record Ordered(ColumnSpans spans, HierarchicalBins bins, Optional<Expr> read)
      implements BinIndex {
    @Override
    public int cell(Object value) {
      if (value == null || value == CellSink.UNREADABLE) {
        return bins.cell(Optional.empty());
      }
      if (read.isEmpty()) {
        return bins.cellOfPiece(value instanceof BigDecimal n ? n.intValue() : -1);
      }
      try {
        return bins.cell(spans.label(read.get(), value).flatMap(ColumnSpans.Span::from));
      } catch (ArithmeticException | DateTimeException e) {
        // No row may make a question fail: what no calendar has stands with NULL.
        return bins.cell(Optional.empty());
      }
    }

    @Override
    public int[] blocks() {
      return bins.blocks();
    }
  }
}
