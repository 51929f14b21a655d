package flexdp.gateway.render;

import java.math.BigInteger;

/** A cell of a release statement in whole steps of its grid, for what people contribute. */
final class WholeCell {
  private WholeCell() {}

  /**
   * @param bits a database without wide numbers may keep it below 2^bits
   */
  static String sql(Dialect dialect, ReleaseStatement.Cell cell, int bits) {
    BigInteger perUnit =
        cell.clamped()
            .map(c -> c.step().divide(cell.grid()).toBigIntegerExact())
            .orElse(BigInteger.ONE);
    String sum = of(dialect, "a" + cell.measurement(), perUnit, bits);
    return cell.shift().isPresent()
        ? "(" + sum + " - " + of(dialect, "b" + cell.measurement(), cell.shift().get(), bits) + ")"
        : sum;
  }

  static String of(Dialect dialect, String column, BigInteger times, int bits) {
    return dialect.whole("COALESCE(" + column + ", 0)", times, bits);
  }
}
