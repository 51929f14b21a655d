package flexdp.marginals;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.cells.CellSink;
import flexdp.policy.Type;
import flexdp.workload.CuboidLattice;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Pieces of an ordered column, and evenly nested blocks of them. */
class HierarchicalBinsTest {
  private static TreeSet<BigDecimal> ends(int... numbers) {
    TreeSet<BigDecimal> ends = new TreeSet<>();
    for (int number : numbers) {
      ends.add(BigDecimal.valueOf(number));
    }
    return ends;
  }

  private static ColumnSpans.Span span(Integer from, Integer to) {
    return new ColumnSpans.Span(
        Optional.ofNullable(from).map(BigDecimal::valueOf),
        Optional.ofNullable(to).map(BigDecimal::valueOf));
  }

  @Test
  void everyValueIsInOneCellAndInAllSpansThatHoldIt() {
    Random random = new Random(4);
    for (int trial = 0; trial < 300; trial++) {
      TreeSet<BigDecimal> ends = new TreeSet<>();
      int count = 1 + random.nextInt(90);
      while (ends.size() < count) {
        ends.add(BigDecimal.valueOf(random.nextInt(200)));
      }
      List<TreeSet<BigDecimal>> coarse = new ArrayList<>();
      if (random.nextBoolean()) {
        TreeSet<BigDecimal> some = new TreeSet<>();
        ends.stream().filter(e -> random.nextInt(4) == 0).forEach(some::add);
        if (some.size() > 2) {
          coarse.add(some);
        }
      }
      HierarchicalBins bins = new HierarchicalBins(ends, coarse, random.nextBoolean());
      int[] blocks = bins.blocks();
      for (int level = 1; level < blocks.length; level++) {
        assertEquals(0, blocks[level] % blocks[level - 1]);
      }
      List<BigDecimal> cuts = List.copyOf(ends);
      BigDecimal a = cuts.get(random.nextInt(cuts.size()));
      BigDecimal b = cuts.get(random.nextInt(cuts.size()));
      ColumnSpans.Span asked =
          new ColumnSpans.Span(
              random.nextInt(4) == 0 ? Optional.empty() : Optional.of(a.min(b)),
              random.nextInt(4) == 0 ? Optional.empty() : Optional.of(a.max(b)));
      boolean[] cells = bins.cells(List.of(asked));
      for (int value = -5; value < 205; value++) {
        BigDecimal at = BigDecimal.valueOf(value);
        boolean in =
            asked.from().map(f -> f.compareTo(at) <= 0).orElse(true)
                && asked.to().map(t -> t.compareTo(at) > 0).orElse(true);
        assertEquals(in, cells[bins.cell(Optional.of(at))], "value " + value);
      }
      assertTrue(!cells[bins.cell(Optional.empty())], "NULL is in no span");
      assertTrue(bins.ofNull()[bins.cell(Optional.empty())]);
    }
  }

  /** Two years of days: months have 31 places and years twelve, what is outside is a year. */
  @Test
  void calendarsNestEvenly() {
    ColumnSpans days = new ColumnSpans(1, Type.DATE);
    TreeSet<BigDecimal> ends = new TreeSet<>();
    TreeSet<BigDecimal> months = new TreeSet<>();
    TreeSet<BigDecimal> years = new TreeSet<>();
    for (LocalDate day = LocalDate.of(2023, 1, 1);
        !day.isAfter(LocalDate.of(2025, 1, 1));
        day = day.plusDays(1)) {
      BigDecimal at = days.position(day).orElseThrow();
      ends.add(at);
      if (day.getDayOfMonth() == 1) {
        months.add(at);
      }
      if (day.getDayOfYear() == 1) {
        years.add(at);
      }
    }
    HierarchicalBins bins = new HierarchicalBins(ends, List.of(years, months), true);
    assertArrayEquals(new int[] {1, 3, 36, 1116}, bins.blocks());
    BigDecimal february = days.position(LocalDate.of(2024, 2, 1)).orElseThrow();
    BigDecimal march = days.position(LocalDate.of(2024, 3, 1)).orElseThrow();
    boolean[] month =
        bins.cells(List.of(new ColumnSpans.Span(Optional.of(february), Optional.of(march))));
    assertEquals(2, bins.level(month), "a month is a block");
    assertEquals(1, bins.blocks(month, 2).length);
  }

  @Test
  void rangesHaveLevelsOfAboutTheCubeRoot() {
    TreeSet<BigDecimal> ends = new TreeSet<>();
    for (int i = 0; i < 1_023; i++) {
      ends.add(BigDecimal.valueOf(i));
    }
    int[] blocks = new HierarchicalBins(ends, List.of(), true).blocks();
    assertEquals(4, blocks.length);
    assertEquals(10, blocks[1], 2);
    assertEquals(100, blocks[2], 25);
    assertTrue(blocks[3] < 1_300, "hardly any cell is always empty");
    assertArrayEquals(
        new int[] {1, 5}, new HierarchicalBins(ends(1, 2, 3), List.of(), true).blocks());
  }

  /** What makes levels private: a row is in one cell of each cuboid, whatever its value. */
  @Test
  void everyValueIsInExactlyOneCellOfEachLevel() {
    ColumnSpans days = new ColumnSpans(1, Type.DATE);
    TreeSet<BigDecimal> ends = new TreeSet<>();
    for (int day = 0; day < 60; day++) {
      ends.add(days.position(LocalDate.of(2024, 1, 1).plusDays(day)).orElseThrow());
    }
    HierarchicalBins bins = new HierarchicalBins(ends, List.of(), true);
    Expr column = new Expr.Ref(1, Type.DATE);
    BinIndex binIndex = new BinIndex.Ordered(days, bins, Optional.of(column));
    KeyDomain frame = KeyDomain.of(List.of(binIndex)).orElseThrow();
    List<Object> values = new ArrayList<>();
    for (int day = -400; day < 800; day++) {
      values.add(LocalDate.of(2024, 1, 1).plusDays(day));
    }
    values.add(null);
    values.add(CellSink.UNREADABLE);
    values.add("no day at all");
    values.add(LocalDate.MAX);
    values.add(LocalDate.MIN);
    for (Object value : values) {
      for (int cuboid = 0; cuboid < frame.lattice().size(); cuboid++) {
        int cell = frame.cell(cuboid, java.util.Collections.singletonList(value));
        assertTrue(cell >= 0 && cell < frame.lattice().cells(cuboid), "" + value);
      }
    }
  }

  @Test
  void sparseNormsAreThoseOfTheWholeVector() {
    Random random = new Random(9);
    TreeSet<BigDecimal> ends = new TreeSet<>();
    for (int i = 0; i < 100; i++) {
      ends.add(BigDecimal.valueOf(i));
    }
    HierarchicalBins bins = new HierarchicalBins(ends, List.of(ends(0, 20, 50, 60)), true);
    CuboidLattice lattice = new CuboidLattice(List.of(bins.blocks()));
    for (int trial = 0; trial < 50; trial++) {
      int a = random.nextInt(100);
      int b = random.nextInt(100);
      boolean[] cells = bins.cells(List.of(span(Math.min(a, b), Math.max(a, b) + 0)));
      int level = Math.max(1, bins.level(cells));
      double[] dense = new double[cells.length];
      for (int i = 0; i < dense.length; i++) {
        dense[i] = cells[i] ? 1 : 0;
      }
      assertArrayEquals(
          lattice.norms(0, dense),
          new KeyMapping(level, Map.of(), Optional.of(cells)).norms(lattice, 0),
          1e-9);
    }
  }
}
