package flexdp.marginals;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The values of an ordered column cut into pieces, and blocks of pieces. The pieces are all that
 * any question tells apart: what lies between two neighbouring ends of spans; what is before the
 * first and after the last of them, and NULL, are pieces too, so every row is in one. Blocks nest
 * evenly: where one has fewer pieces than another, cells are added that are always empty.
 */
final class HierarchicalBins {
  /** More pieces than so have levels between all and each. */
  private static final int FEW = 24;

  /** Cells that are always empty may make it so many times as long. */
  private static final int MOST_PADDED = 4;

  private final List<BigDecimal> cuts;

  /** By piece, the place of its cell. */
  private final int[] cells;

  private final int[] blocks;

  /** By cell at the last level, its piece; −1 where it is always empty. */
  private final int[] pieces;

  /**
   * @param ends of all spans
   * @param coarse of the spans of keys that are asked for as well, coarsest first
   * @param ranges whether questions ask for many pieces together
   */
  HierarchicalBins(TreeSet<BigDecimal> ends, List<TreeSet<BigDecimal>> coarse, boolean ranges) {
    this.cuts = List.copyOf(ends);
    List<int[]> levels = new ArrayList<>();
    for (TreeSet<BigDecimal> some : coarse) {
      levels.add(blocksBetween(List.copyOf(some)));
    }
    if (levels.isEmpty() && ranges && size() > FEW) {
      int root = (int) Math.round(Math.cbrt(size()));
      levels.add(runs((size() + root - 1) / root));
      levels.add(runs((size() + root * root - 1) / (root * root)));
    }
    int[] places = new int[size()];
    int[] counts = nested(levels, places);
    while (counts[counts.length - 1] > MOST_PADDED * size() + 64) {
      levels.removeFirst();
      counts = nested(levels, places);
    }
    this.cells = places;
    this.blocks = counts;
    this.pieces = new int[counts[counts.length - 1]];
    Arrays.fill(pieces, -1);
    for (int piece = 0; piece < places.length; piece++) {
      pieces[places[piece]] = piece;
    }
  }

  /** The number of pieces, NULL being the last. */
  private int size() {
    return cuts.size() + 2;
  }

  /** Blocks of all pieces between two ends; what lies outside, and NULL, is one block. */
  private int[] blocksBetween(List<BigDecimal> ends) {
    int[] blocks = new int[size()];
    for (int piece = 1; piece <= cuts.size(); piece++) {
      int found = Collections.binarySearch(ends, cuts.get(piece - 1));
      int block = found >= 0 ? found + 1 : -found - 1;
      blocks[piece] = block == ends.size() ? 0 : block;
    }
    return blocks;
  }

  private int[] runs(int length) {
    int[] blocks = new int[size()];
    for (int piece = 0; piece < blocks.length; piece++) {
      blocks[piece] = piece / length;
    }
    return blocks;
  }

  /** Fills in the place of every piece, and says how many blocks the levels have. */
  private int[] nested(List<int[]> levels, int[] places) {
    Arrays.fill(places, 0);
    List<Integer> counts = new ArrayList<>(List.of(1));
    List<int[]> all = new ArrayList<>(levels);
    all.add(runs(1));
    for (int[] level : all) {
      Map<Integer, Map<Integer, Integer>> children = new HashMap<>();
      int[] next = new int[places.length];
      int most = 0;
      for (int piece = 0; piece < places.length; piece++) {
        Map<Integer, Integer> siblings =
            children.computeIfAbsent(places[piece], p -> new HashMap<>());
        int child = siblings.computeIfAbsent(level[piece], b -> siblings.size());
        next[piece] = child;
        most = Math.max(most, child + 1);
      }
      if (most > 1) {
        for (int piece = 0; piece < places.length; piece++) {
          places[piece] = places[piece] * most + next[piece];
        }
        counts.add(Math.multiplyExact(counts.getLast(), most));
      }
    }
    return counts.stream().mapToInt(n -> n).toArray();
  }

  /** How many blocks each level has. */
  int[] blocks() {
    return blocks.clone();
  }

  /** The cell of a value; of NULL and of what cannot be placed where there is nothing. */
  int cell(Optional<BigDecimal> position) {
    if (position.isEmpty()) {
      return cells[size() - 1];
    }
    int found = Collections.binarySearch(cuts, position.get());
    return cells[found >= 0 ? found + 1 : -found - 1];
  }

  /** The cell of a piece, by its number. */
  int cellOfPiece(int piece) {
    return cells[piece < 0 || piece >= size() ? size() - 1 : piece];
  }

  List<BigDecimal> cuts() {
    return cuts;
  }

  /** The coarsest level of whose blocks some cells are made up. */
  int level(boolean[] some) {
    for (int level = 0; level < blocks.length; level++) {
      int width = pieces.length / blocks[level];
      boolean whole = true;
      for (int cell = 0; cell < some.length && whole; cell++) {
        whole = some[cell] == some[cell / width * width];
      }
      if (whole) {
        return level;
      }
    }
    throw new IllegalStateException("every cell is a block of the last level");
  }

  /** The blocks of a level that some cells make up. */
  int[] blocks(boolean[] some, int level) {
    int width = pieces.length / blocks[level];
    return java.util.stream.IntStream.range(0, blocks[level])
        .filter(block -> some[block * width])
        .toArray();
  }

  /**
   * The cells of some spans, with those that are always empty in blocks of which nothing is
   * missing: whole blocks are known best.
   */
  boolean[] cells(List<ColumnSpans.Span> spans) {
    boolean[] in = new boolean[size()];
    for (ColumnSpans.Span span : spans) {
      int from = span.from().map(this::piece).orElse(0);
      int to = span.to().map(this::piece).orElse(cuts.size() + 1);
      Arrays.fill(in, from, Math.max(from, to), true);
    }
    return filled(in);
  }

  /** The cell of NULL. */
  boolean[] ofNull() {
    boolean[] in = new boolean[size()];
    in[size() - 1] = true;
    return filled(in);
  }

  /** The piece that begins at an end. */
  private int piece(BigDecimal end) {
    return Collections.binarySearch(cuts, end) + 1;
  }

  private boolean[] filled(boolean[] in) {
    boolean[] filled = new boolean[pieces.length];
    fill(in, filled, 0, 0);
    return filled;
  }

  private void fill(boolean[] in, boolean[] filled, int level, int block) {
    int width = pieces.length / blocks[level];
    boolean some = false;
    boolean all = true;
    for (int cell = block * width; cell < (block + 1) * width; cell++) {
      if (pieces[cell] >= 0) {
        some |= in[pieces[cell]];
        all &= in[pieces[cell]];
      }
    }
    if (some && all) {
      Arrays.fill(filled, block * width, (block + 1) * width, true);
    } else if (some) {
      int children = blocks[level + 1] / blocks[level];
      for (int child = 0; child < children; child++) {
        fill(in, filled, level + 1, block * children + child);
      }
    }
  }
}
