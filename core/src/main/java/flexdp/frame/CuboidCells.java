package flexdp.frame;

import flexdp.question.ReleasePoint;
import flexdp.release.CellSink;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The exact cells of some cuboids of a frame, private, in steps of the measurements' grids. */
public final class CuboidCells implements CellSink {
  private record Column(int cuboid, int measurement) {}

  private final KeyFrame frame;
  private final Map<Long, Integer> cuboids = new HashMap<>();
  private final Map<Column, BigInteger[]> cells = new HashMap<>();

  /**
   * @param point by the grouping sets of the cuboids that are read
   */
  public CuboidCells(KeyFrame frame, ReleasePoint point) {
    this.frame = frame;
    for (List<Integer> set : point.groupingSets()) {
      int cuboid = frame.cuboid(set);
      cuboids.put(point.bits(set), cuboid);
      for (int m = 0; m < point.measurements().size(); m++) {
        BigInteger[] zeros = new BigInteger[(int) frame.lattice().cells(cuboid)];
        Arrays.fill(zeros, BigInteger.ZERO);
        cells.put(new Column(cuboid, m), zeros);
      }
    }
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
    Integer cuboid = cuboids.get(grouping);
    int cell = cuboid == null ? -1 : frame.cell(cuboid, labels);
    if (cell >= 0) {
      BigInteger[] numbers = cells.get(new Column(cuboid, measurement));
      numbers[cell] = numbers[cell].add(steps);
    }
  }

  @Override
  public void add(
      long grouping, List<Object> labels, int measurement, BigInteger bucket, BigInteger rows) {
    throw new IllegalArgumentException("quantiles do not add up");
  }

  List<BigInteger> numbers(int cuboid, int measurement) {
    return Arrays.asList(cells.get(new Column(cuboid, measurement)));
  }

  Set<Integer> cuboids() {
    return Set.copyOf(cuboids.values());
  }
}
