package flexdp.marginals;

import flexdp.cells.CellSink;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The exact cells of some cuboids of a frame, private, in steps of the measurements' grids. */
public final class CuboidCells implements CellSink {
  private record Column(int cuboid, int measurement) {}

  private final KeyDomain frame;
  private final Map<Long, List<Integer>> cuboids = new HashMap<>();
  private final Map<Column, BigInteger[]> cells = new HashMap<>();

  /**
   * @param point by the grouping sets of the cuboids that are read
   */
  public CuboidCells(KeyDomain frame, NoisyAggregate point) {
    this(frame, point, point.groupingSets().stream().map(frame::cuboid).toList());
  }

  /**
   * @param measured cuboids by some of the point's grouping sets, at whatever levels
   */
  public CuboidCells(KeyDomain frame, NoisyAggregate point, List<Integer> measured) {
    this.frame = frame;
    for (List<Integer> set : point.groupingSets()) {
      List<Integer> own =
          measured.stream().distinct().filter(c -> frame.keys(c).equals(sorted(set))).toList();
      cuboids.put(point.bits(set), own);
      for (int cuboid : own) {
        for (int m = 0; m < point.measurements().size(); m++) {
          BigInteger[] zeros = new BigInteger[(int) frame.lattice().cells(cuboid)];
          Arrays.fill(zeros, BigInteger.ZERO);
          cells.put(new Column(cuboid, m), zeros);
        }
      }
    }
  }

  private static List<Integer> sorted(List<Integer> set) {
    return set.stream().sorted().toList();
  }

  @Override
  public long onlyGrouping() {
    return cuboids.keySet().iterator().next();
  }

  @Override
  public boolean takesUnreadable() {
    return true;
  }

  @Override
  public void add(long grouping, List<Object> labels, int measurement, BigInteger steps) {
    for (int cuboid : cuboids.getOrDefault(grouping, List.of())) {
      int cell = frame.cell(cuboid, labels);
      if (cell >= 0) {
        BigInteger[] numbers = cells.get(new Column(cuboid, measurement));
        numbers[cell] = numbers[cell].add(steps);
      }
    }
  }

  @Override
  public void add(
      long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows) {
    throw new IllegalArgumentException("quantiles do not add up");
  }

  /** How far a measurement is apart here and there, over all cells of a cuboid; private. */
  public BigInteger apart(CuboidCells other, int cuboid, int measurement) {
    List<BigInteger> here = numbers(cuboid, measurement);
    List<BigInteger> there = other.numbers(cuboid, measurement);
    BigInteger sum = BigInteger.ZERO;
    for (int cell = 0; cell < here.size(); cell++) {
      sum = sum.add(here.get(cell).subtract(there.get(cell)).abs());
    }
    return sum;
  }

  List<BigInteger> numbers(int cuboid, int measurement) {
    return Arrays.asList(cells.get(new Column(cuboid, measurement)));
  }
}
